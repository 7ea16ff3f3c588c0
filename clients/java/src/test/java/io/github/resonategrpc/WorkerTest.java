package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.value;
import static io.github.resonategrpc.WorkerFixture.TTL_MS;
import static io.github.resonategrpc.WorkerFixture.assertGoesOn;
import static io.github.resonategrpc.WorkerFixture.assertOver;
import static io.github.resonategrpc.WorkerFixture.async;
import static io.github.resonategrpc.WorkerFixture.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.PromiseGetResponse;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.SettleState;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskHeartbeatRequest;
import io.github.resonategrpc.v1.TaskHeartbeatResponse;
import io.github.resonategrpc.v1.TaskRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WorkerTest {
  private WorkerFixture f = WorkerFixture.open();

  @AfterEach
  void close() {
    f.close();
  }

  private void onePlace() {
    f.close();
    f = WorkerFixture.open(settings -> settings.maxInFlight(1));
  }

  private void beats(TaskRef... tasks) {
    var beat = f.next(Rpc.HEARTBEAT);
    assertEquals(
        TaskHeartbeatRequest.newBuilder().setPid("w").addAllTasks(List.of(tasks)).build(),
        beat.request);
    beat.reply(TaskHeartbeatResponse.getDefaultInstance());
  }

  @Test
  void opensAStreamAsItsGroupAndPid() {
    assertEquals(
        DispatchRequest.newBuilder().setGroup("g").setPid("w").setMaxInFlight(16).build(),
        f.stream.call().request);
  }

  @Test
  void hasAPidOfItsOwnByDefault() {
    assertEquals("w", f.worker.pid());
    WorkerBuilder settings = Worker.builder(f.client, "g", task -> null);
    assertNotEquals(new Worker(settings).pid(), new Worker(settings).pid());
  }

  @Test
  void refusesOptionsThatCannotWork() {
    assertThrows(IllegalArgumentException.class, () -> f.builder().maxInFlight(0));
    assertThrows(IllegalArgumentException.class, () -> f.builder().ttl(Duration.ZERO));
    assertThrows(NullPointerException.class, () -> Worker.builder(f.client, "g", null));
  }

  @Test
  void acquiresWhatIsPushedAndFulfilsItWithWhatTheHandlerReturns() {
    f.stream.execute("t", 4);
    var acquire = f.next(Rpc.ACQUIRE);
    assertEquals(
        TaskAcquireRequest.newBuilder()
            .setId("t")
            .setVersion(4)
            .setPid("w")
            .setTtlMs(TTL_MS)
            .build(),
        acquire.request);
    f.grant(acquire);
    OpenRun run = f.runs.next();
    assertEquals("input", Values.text(run.task.param()));
    run.finish("output");
    var fulfill = f.next(Rpc.FULFILL).request;
    assertEquals("t", fulfill.getId());
    assertEquals(5, fulfill.getVersion());
    assertEquals(SettleState.SETTLE_STATE_RESOLVED, fulfill.getState());
    assertEquals(Values.text("output"), fulfill.getValue());
  }

  @Test
  void rejectsThePromiseWithTheValueOfAReject() {
    f.run("t", 0).fail(new Reject(Values.text("no")));
    var fulfill = f.next(Rpc.FULFILL).request;
    assertEquals(SettleState.SETTLE_STATE_REJECTED, fulfill.getState());
    assertEquals(Values.text("no"), fulfill.getValue());
  }

  @Test
  void takesNullForTheEmptyValue() {
    f.close();
    f = new WorkerFixture();
    f.start(settings -> Worker.builder(f.client, "g", task -> null).pid("w"));
    f.stream.hello("session");
    f.give("t", 0);
    assertEquals(Values.empty(), f.next(Rpc.FULFILL).request.getValue());
  }

  /** The task is held until its back-off is over, and then given back. */
  private void releasedAfter(long delay, long version) {
    f.clock.armed(delay);
    assertEquals(0, f.server.waiting(Rpc.RELEASE));
    f.clock.advance(delay);
    f.released("t", version);
  }

  @Test
  void releasesAFailedAttemptAfterABackoffThatGrowsWithTheFailuresInARow() {
    long[] delays = {1_000, 2_000, 4_000};
    for (int version = 0; version < delays.length; version++) {
      f.run("t", version).fail(new Exception("no"));
      releasedAfter(delays[version], version + 1);
    }
  }

  @Test
  void forgetsFailuresOnceTheTaskWasSuspendedOrFulfilled() {
    f.run("t", 0).fail(new Exception("no"));
    releasedAfter(1_000, 1);
    OpenRun second = f.run("t", 1);
    async(() -> second.task.awaitAll(Records.pending("child")));
    f.next(Rpc.SUSPEND).reply(Records.SUSPENDED);
    assertOver(End.SUSPENDED, second);
    f.run("t", 2).fail(new Exception("no"));
    releasedAfter(1_000, 3);
    OpenRun fourth = f.run("t", 3);
    fourth.finish("");
    f.fulfilled();
    assertOver(End.FINISHED, fourth);
    f.run("t", 4).fail(new Exception("no"));
    releasedAfter(1_000, 5);
  }

  @Test
  void keepsTheLeaseOfAFailedAttemptRenewedWhileItWaits() {
    Duration longWait = Duration.ofSeconds(25);
    f.close();
    f = WorkerFixture.open(settings -> settings.attemptBackoff(new Backoff(longWait, longWait)));
    f.run("t", 0).fail(new Exception("no"));
    f.clock.armed(25_000);
    for (int beat = 0; beat < 2; beat++) {
      f.clock.elapse(TTL_MS / 3);
      beats(ref("t", 1));
    }
    f.clock.advance(5_000);
    f.released("t", 1);
  }

  @Test
  void takesAnOutcomeThatTheServerRefusesForAFailedAttempt() {
    f.run("t", 0).finish("much");
    f.next(Rpc.FULFILL).refuse(Refusal.INVALID);
    releasedAfter(1_000, 1);
  }

  @Test
  void takesAnErrorOfTheHandlerForAFailedAttempt() {
    f.close();
    f = new WorkerFixture();
    f.start(settings -> Worker.builder(f.client, "g", task -> deep(0)).pid("w"));
    f.stream.hello("session");
    f.give("t", 0);
    releasedAfter(1_000, 1);
  }

  private static io.github.resonategrpc.v1.Value deep(int depth) {
    if (depth < 0) {
      return null;
    }
    throw new StackOverflowError("scripted");
  }

  static Stream<Refusal> otherHolders() {
    return Stream.of(
        Refusal.NO_TASK,
        Refusal.heldBy("other", 1, "TASK_NOT_PENDING"),
        Refusal.heldBy("w", 2, "TASK_NOT_PENDING"),
        Refusal.conflict("TASK_NOT_PENDING", 1, null, "suspended"),
        Refusal.INVALID);
  }

  @ParameterizedTest
  @MethodSource("otherHolders")
  void dropsATaskThatIsNotToBeHad(Refusal refusal) {
    onePlace();
    f.stream.execute("t", 0);
    f.next(Rpc.ACQUIRE).refuse(refusal);
    f.dropped();
  }

  @Test
  void goesOnAsTheHolderWhenOnlyTheAnswerToAcquireWasLost() {
    f.stream.execute("t", 0);
    f.next(Rpc.ACQUIRE).lose();
    f.clock.elapse(100);
    f.next(Rpc.ACQUIRE).refuse(Refusal.heldBy("w", 1, "TASK_NOT_PENDING"));
    // How much of the lease is left is not known: it is renewed at once.
    beats(ref("t", 1));
    PromiseRecord promise = Records.pending("t").toBuilder().setParam(Values.text("again")).build();
    f.next(Rpc.GET).reply(PromiseGetResponse.newBuilder().setPromise(promise).build());
    OpenRun run = f.runs.next();
    assertEquals(1, run.task.version());
    assertEquals("again", Values.text(run.task.param()));
    run.finish("");
    assertEquals(1, f.next(Rpc.FULFILL).request.getVersion());
  }

  @Test
  void dropsATaskThatItHoldsButWhosePromiseHasSettled() {
    onePlace();
    f.stream.execute("t", 0);
    f.next(Rpc.ACQUIRE).refuse(Refusal.heldBy("w", 1, "TASK_NOT_PENDING"));
    f.next(Rpc.GET)
        .reply(PromiseGetResponse.newBuilder().setPromise(Records.settled("t", "")).build());
    f.dropped();
  }

  @Test
  void givesUpAcquiringWhenAWholeTtlHasPassedWithoutAnAnswer() {
    f.close();
    f = WorkerFixture.open(settings -> settings.maxInFlight(1));
    f.stream.execute("t", 0);
    for (long delay : new long[] {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000}) {
      f.next(Rpc.ACQUIRE).lose();
      f.clock.elapse(delay);
    }
    f.next(Rpc.ACQUIRE).lose(); // After 26.3 s; the next try would be at 31.3.
    f.dropped();
  }

  @Test
  void ignoresPushesThatComeTwiceWhileTheTaskIsAcquiredAndWhileItRuns() {
    f.stream.execute("t", 0);
    var acquire = f.next(Rpc.ACQUIRE);
    f.stream.execute("t", 0);
    f.heard();
    f.grant(acquire);
    OpenRun run = f.runs.next();
    f.stream.execute("t", 0);
    f.run("marker", 0);
    assertGoesOn(run);
    run.finish("");
    f.fulfilled();
    f.run("marker2", 0);
    assertEquals(0, f.server.waiting(Rpc.ACQUIRE));
  }

  @Test
  void letsPushesOverTheLimitWaitAndTakesThemInOrder() {
    onePlace();
    OpenRun first = f.run("a", 0);
    f.stream.execute("b", 0);
    f.stream.execute("c", 0);
    f.stream.execute("b", 0);
    f.heard();
    assertEquals(0, f.server.waiting(Rpc.ACQUIRE));
    first.finish("");
    f.fulfilled();
    for (String id : List.of("b", "c")) {
      var acquire = f.next(Rpc.ACQUIRE);
      assertEquals(id, acquire.request.getId());
      f.grant(acquire);
      f.runs.next().finish("");
      f.fulfilled();
    }
  }

  @Test
  void dropsPushesThatWaitWhenTheStreamEnds() {
    onePlace();
    OpenRun first = f.run("a", 0);
    f.stream.execute("b", 0);
    f.stream.fail(Refusal.LOST);
    f.clock.elapse(100);
    f.stream = f.server.nextStream();
    f.stream.hello("session 2");
    beats(ref("a", 1)); // The first thing on a new stream.
    first.finish("");
    f.fulfilled();
    f.run("c", 0);
    assertEquals(0, f.server.waiting(Rpc.ACQUIRE));
  }

  @Test
  void takesATaskThatIsPushedUnderTheVersionThatItHoldsForLost() {
    OpenRun run = f.run("t", 0);
    f.stream.execute("t", 1);
    var acquire = f.next(Rpc.ACQUIRE);
    assertEquals(1, acquire.request.getVersion());
    assertOver(End.LOST, run);
    value(run.interrupted);
    f.grant(acquire);
    assertEquals(2, f.runs.next().task.version());
  }

  @Test
  void letsAPushOfATaskThatIsJustBeingSuspendedWaitForTheEndOfThat() {
    OpenRun run = f.run("t", 0);
    async(() -> run.task.awaitAll(Records.pending("child")));
    var suspend = f.next(Rpc.SUSPEND);
    f.stream.execute("t", 1);
    f.run("marker", 0);
    assertGoesOn(run);
    suspend.reply(Records.SUSPENDED);
    assertOver(End.SUSPENDED, run);
    f.grant(f.next(Rpc.ACQUIRE));
    assertEquals(2, f.runs.next().task.version());
  }

  @Test
  void renewsAllLeasesInOneCallThreeTimesWithinTheTtlUntilTheTaskIsDone() {
    OpenRun first = f.run("a", 0);
    OpenRun second = f.run("b", 4);
    f.clock.elapse(TTL_MS / 3);
    beats(ref("a", 1), ref("b", 5));
    first.finish("");
    f.fulfilled();
    assertOver(End.FINISHED, first);
    f.run("c", 0);
    f.clock.elapse(TTL_MS / 3);
    beats(ref("b", 5), ref("c", 1));
    assertGoesOn(second);
  }

  @Test
  void renewsLeasesAlsoAfterATimeWithoutAny() {
    for (String id : List.of("a", "b")) {
      OpenRun run = f.run(id, 0);
      f.clock.elapse(TTL_MS / 3);
      beats(ref(id, 1));
      run.finish("");
      f.fulfilled();
      assertOver(End.FINISHED, run);
    }
  }

  @Test
  void takesALeaseForLostAfterATtlWithoutAnAnswerTellsTheHandlerAndFreesItsPlace() {
    onePlace();
    OpenRun run = f.run("t", 0);
    f.clock.advance(TTL_MS - 1);
    assertGoesOn(run);
    f.clock.advance(1);
    assertOver(End.LOST, run);
    value(run.interrupted);
    RunOver over = assertThrows(RunOver.class, () -> run.task.create(Work.of("child")));
    assertEquals(End.LOST, over.end());
    f.dropped();
  }

  @Test
  void freesThePlaceOfAHandlerThatDoesNotEndWithItsRun() {
    CompletableFuture<Void> stubborn = new CompletableFuture<>();
    f.close();
    f = new WorkerFixture();
    Inbox<String> ids = new Inbox<>("run");
    f.start(
        settings ->
            Worker.builder(
                    f.client,
                    "g",
                    task -> {
                      ids.put(task.id());
                      stubborn.join(); // Not interrupted.
                      return null;
                    })
                .maxInFlight(1));
    f.stream.hello("session");
    f.give("t", 0);
    assertEquals("t", ids.next());
    f.clock.advance(TTL_MS);
    f.give("next", 0);
    assertEquals("next", ids.next());
    stubborn.complete(null);
    assertEquals("next", f.next(Rpc.FULFILL).request.getId());
  }

  @Test
  void countsALeaseFromTheSendingOfTheLastCallThatRenewedIt() {
    OpenRun run = f.run("t", 0);
    f.clock.elapse(TTL_MS / 3);
    var beat = f.next(Rpc.HEARTBEAT);
    f.clock.advance(5_000);
    beat.reply(TaskHeartbeatResponse.getDefaultInstance());
    f.clock.armed(TTL_MS - 5_000); // What is left of it then.
    f.clock.advance(TTL_MS - 5_001);
    assertGoesOn(run);
    f.clock.advance(1);
    assertOver(End.LOST, run);
  }

  @Test
  void acknowledgesUnblocksOnceTheyAreHandledAndNotIfThatFails() {
    Inbox<String> seen = new Inbox<>("unblock");
    f.close();
    f =
        WorkerFixture.open(
            settings ->
                settings.onUnblock(
                    (promise, address) -> {
                      seen.put(promise.getId() + " " + address);
                      if (promise.getId().equals("bad")) {
                        throw new Exception("no");
                      }
                    }));
    f.stream.unblock(Records.settled("bad", ""), "a");
    f.stream.unblock(Records.settled("good", ""), "b");
    assertEquals(List.of("good b"), f.acknowledged());
    assertEquals("bad a", seen.next());
    assertEquals("good b", seen.next());
    f.stream.unblock(Records.settled("good", ""), "b");
    assertEquals(List.of("good b"), f.acknowledged());
  }

  @Test
  void readsOnWhileAnUnblockIsHandled() {
    CompletableFuture<Void> handled = new CompletableFuture<>();
    f.close();
    f = WorkerFixture.open(settings -> settings.onUnblock((promise, address) -> handled.join()));
    f.stream.unblock(Records.settled("p", ""), "a");
    f.run("t", 0);
    assertEquals(0, f.server.waiting(Rpc.ACKNOWLEDGE));
    handled.complete(null);
    assertEquals(List.of("p a"), f.acknowledged());
  }

  @Test
  void survivesAListenerOfHelloThatFails() {
    f.close();
    f =
        WorkerFixture.open(
            settings ->
                settings.onHello(
                    hello -> {
                      throw new IllegalStateException(hello.getSessionId());
                    }));
    f.run("t", 0);
  }
}

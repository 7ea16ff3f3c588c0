package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.failure;
import static io.github.resonategrpc.Patience.value;
import static io.github.resonategrpc.Records.fenced;
import static io.github.resonategrpc.Records.pending;
import static io.github.resonategrpc.Records.settled;
import static io.github.resonategrpc.WorkerFixture.TTL_MS;
import static io.github.resonategrpc.WorkerFixture.assertGoesOn;
import static io.github.resonategrpc.WorkerFixture.assertOver;
import static io.github.resonategrpc.WorkerFixture.async;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.PromiseGetResponse;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseSettlement;
import io.github.resonategrpc.v1.Reason;
import io.github.resonategrpc.v1.SettleState;
import io.github.resonategrpc.v1.TaskFenceResponse;
import io.github.resonategrpc.v1.TaskSuspendRequest;
import io.grpc.Status.Code;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker with one place holds {@code t} under version 1, in a handler that ends when the test
 * says so.
 */
final class TaskContextTest {
  private final WorkerFixture f = WorkerFixture.open(settings -> settings.maxInFlight(1));
  private final OpenRun run = f.run("t", 0);
  private final TaskContext task = run.task;

  @AfterEach
  void close() {
    f.close();
  }

  private CompletableFuture<PromiseRecord> creating() {
    return async(() -> task.create(Work.of("c")));
  }

  private CompletableFuture<List<PromiseRecord>> awaiting(PromiseRecord... promises) {
    return async(() -> task.awaitAll(promises));
  }

  private void reads(PromiseRecord promise) {
    var get = f.next(Rpc.GET);
    assertEquals(promise.getId(), get.request.getId());
    get.reply(PromiseGetResponse.newBuilder().setPromise(promise).build());
  }

  private void suspends(String awaitedId) {
    var suspend = f.next(Rpc.SUSPEND);
    assertEquals(
        TaskSuspendRequest.newBuilder().setId("t").setVersion(1).addAwaitedIds(awaitedId).build(),
        suspend.request);
    suspend.reply(Records.SUSPENDED);
  }

  private static Optional<String> reason(CompletableFuture<?> refused) {
    return failure(refused, ResonateException.class).reason();
  }

  private static End end(CompletableFuture<?> over) {
    return failure(over, RunOver.class).end();
  }

  @Test
  void knowsItsTaskAndItsPromise() {
    assertEquals("t", task.id());
    assertEquals(1, task.version());
    assertEquals("t", task.promise().getId());
    assertEquals("input", Values.text(task.param()));
    assertGoesOn(run);
  }

  @Test
  void createsAChildThroughTheFenceByDefaultWithTheDeadlineOfItsParent() {
    Work work = Work.of("c").target("any@g").param("1");
    var answer = async(() -> task.create(work));
    var fence = f.next(Rpc.FENCE);
    assertEquals("t", fence.request.getId());
    assertEquals(1, fence.request.getVersion());
    assertEquals(work.spec(task.promise().getTimeoutAtMs()), fence.request.getCreate());
    fence.reply(fenced(settled("c", "as it stands")));
    assertEquals(settled("c", "as it stands"), value(answer));
  }

  @Test
  void repeatsACallWhileTheAnswerIsLostAndTheLeaseStands() {
    var answer = creating();
    f.next(Rpc.FENCE).lose();
    f.clock.elapse(100);
    f.next(Rpc.FENCE).refuse(Refusal.OVERLOADED);
    f.clock.elapse(200);
    f.next(Rpc.FENCE).refuse(Refusal.bare(Code.INTERNAL, "stream was reset"));
    f.clock.elapse(400);
    f.next(Rpc.FENCE).refuse(Refusal.bare(Code.CANCELLED, "stream was reset"));
    f.clock.elapse(800);
    f.next(Rpc.FENCE).reply(fenced(pending("c")));
    assertEquals(pending("c"), value(answer));
  }

  @Test
  void givesEachCallADeadline() {
    creating();
    assertEquals(true, f.next(Rpc.FENCE).hasDeadline);
  }

  @Test
  void endsTheRunWhenTheLeaseEndsBeforeTheServerIsBack() {
    var answer = creating();
    f.next(Rpc.FENCE).lose();
    f.clock.armed(100);
    f.clock.advance(TTL_MS);
    assertEquals(End.LOST, end(answer));
    f.dropped();
  }

  @Test
  void cancelsACallThatIsUnderWayWhenTheLeaseEnds() {
    var answer = creating();
    var call = f.next(Rpc.FENCE);
    f.clock.advance(TTL_MS);
    assertEquals(End.LOST, end(answer));
    value(call.cancelled);
  }

  @Test
  void endsTheRunWhenAnotherOneHoldsTheTaskAndSaysWhy() {
    var answer = creating();
    f.next(Rpc.FENCE).refuse(Refusal.heldBy("other", 2, "TASK_VERSION_MISMATCH"));
    RunOver over = failure(answer, RunOver.class);
    assertEquals(End.LOST, over.end());
    var cause = assertInstanceOf(ResonateException.class, over.getCause());
    assertEquals(Optional.of("TASK_VERSION_MISMATCH"), cause.reason());
    assertSame(over, value(task.over()));
    value(run.interrupted);
    f.dropped();
  }

  static Stream<Refusal> losses() {
    return Stream.of(
        Refusal.NO_TASK,
        Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "halted"),
        Refusal.heldBy("w", 1, "PROMISE_NOT_LIVE"));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void endsTheRunOnEveryRefusalThatShowsALoss(Refusal refusal) {
    var answer = creating();
    f.next(Rpc.FENCE).refuse(refusal);
    assertEquals(End.LOST, end(answer));
    f.dropped();
  }

  @Test
  void goesOnWhenARefusalShowsThatItIsTheHolder() {
    var answer = creating();
    f.next(Rpc.FENCE).refuse(Refusal.heldBy("w", 1, "TASK_MISSING"));
    f.clock.elapse(100);
    f.next(Rpc.FENCE).reply(fenced(pending("c")));
    assertEquals(pending("c"), value(answer));
  }

  @Test
  void throwsWhatElseTheServerRefusesAndTheRunGoesOn() {
    var answer = creating();
    f.next(Rpc.FENCE).refuse(Refusal.INVALID);
    assertEquals(Optional.of("INVALID_REQUEST"), reason(answer));
    assertGoesOn(run);
  }

  @Test
  void settlesAPromiseThroughTheFence() {
    SettleState canceled = SettleState.SETTLE_STATE_REJECTED_CANCELED;
    var answer = async(() -> task.settle("c", canceled, Values.text("3")));
    var fence = f.next(Rpc.FENCE);
    assertEquals(
        PromiseSettlement.newBuilder()
            .setId("c")
            .setState(canceled)
            .setValue(Values.text("3"))
            .build(),
        fence.request.getSettle());
    fence.reply(fenced(settled("c", "earlier")));
    assertEquals(settled("c", "earlier"), value(answer));
  }

  @Test
  void throwsAnInnerRefusalAsTheInnerCallWouldHave() {
    var answer = async(() -> task.settle("c", Values.empty()));
    var fence = f.next(Rpc.FENCE);
    assertEquals(SettleState.SETTLE_STATE_RESOLVED, fence.request.getSettle().getState());
    fence.reply(
        TaskFenceResponse.newBuilder()
            .setRefusal(
                io.github.resonategrpc.v1.Refusal.newBuilder()
                    .setReason(Reason.REASON_PROMISE_NOT_FOUND)
                    .setProtocolStatus(404)
                    .setMessage("no promise \"c\"")
                    .putMetadata("id", "c"))
            .build());
    ResonateException e = failure(answer, ResonateException.class);
    assertEquals(Code.NOT_FOUND, e.code());
    assertEquals(Optional.of("PROMISE_NOT_FOUND"), e.reason());
    assertEquals(OptionalInt.of(404), e.status());
    assertEquals(Map.of("id", "c"), e.metadata());
    assertEquals("no promise \"c\"", e.getMessage());
    assertGoesOn(run);
  }

  @Test
  void readsAPromise() {
    var answer = async(() -> task.get("x"));
    f.next(Rpc.GET).refuse(Refusal.NO_PROMISE);
    assertEquals(Optional.of("PROMISE_NOT_FOUND"), reason(answer));
  }

  @Test
  void returnsWhatIsSettledInOrder() {
    List<PromiseRecord> all = List.of(settled("b", "1"), settled("a", "2"));
    assertEquals(all, task.awaitAll(all));
    assertEquals(List.of(), task.awaitAll());
  }

  @Test
  void suspendsTheTaskWhichEndsTheRunAndEveryFurtherCallThrowsTheSame() {
    var answer = awaiting(settled("a", ""), pending("b"), pending("c"));
    suspends("b");
    RunOver over = failure(answer, RunOver.class);
    assertEquals(End.SUSPENDED, over.end());
    assertSame(over, value(task.over()));
    Stream<Runnable> calls =
        Stream.of(
            () -> task.create(Work.of("d")),
            () -> task.settle("d", Values.empty()),
            () -> task.get("d"),
            () -> task.awaitAll(pending("d")),
            () -> task.awaitAll(settled("d", "")),
            () -> task.sleep("d", Instant.EPOCH));
    calls.forEach(call -> assertSame(over, assertThrows(RunOver.class, call::run)));
    run.finish("swallowed it");
    f.dropped();
  }

  @Test
  void doesNotInterruptTheHandlerThatSuspendsItself() {
    Inbox<Boolean> interrupted = new Inbox<>("flag");
    try (WorkerFixture g = new WorkerFixture()) {
      g.start(
          settings ->
              Worker.builder(
                  g.client,
                  "g",
                  context -> {
                    try {
                      context.awaitAll(pending("child"));
                      return null;
                    } catch (Exception e) {
                      throw new AssertionError("swallowed", e); // RunOver passes this.
                    } finally {
                      interrupted.put(Thread.currentThread().isInterrupted());
                    }
                  }));
      g.stream.hello("session");
      g.give("t", 0);
      g.next(Rpc.SUSPEND).reply(Records.SUSPENDED);
      assertEquals(false, interrupted.next());
    }
  }

  @Test
  void goesOnWhenSomethingHasSettledMeanwhileForAsLongAsItTakes() {
    var answer = awaiting(pending("a"), pending("b"));
    f.next(Rpc.SUSPEND).reply(Records.READY);
    reads(settled("a", "1"));
    reads(pending("b"));
    var again = f.next(Rpc.SUSPEND);
    assertEquals(List.of("b"), again.request.getAwaitedIdsList());
    again.reply(Records.READY);
    reads(settled("b", "2"));
    assertEquals(List.of(settled("a", "1"), settled("b", "2")), value(answer));
    assertGoesOn(run);
  }

  @Test
  void runsTheHandlerAgainFromItsStartWhenTheTaskIsResumed() {
    var answer = awaiting(pending("a"));
    suspends("a");
    assertEquals(End.SUSPENDED, end(answer));
    OpenRun again = f.run("t", 1);
    again.finish("1");
    assertEquals(2, f.next(Rpc.FULFILL).request.getVersion());
  }

  static Stream<Refusal> afterSuspending() {
    return Stream.of(
        Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "suspended"),
        Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "pending"),
        Refusal.heldBy("other", 2, "TASK_VERSION_MISMATCH"));
  }

  @ParameterizedTest
  @MethodSource("afterSuspending")
  void endsTheRunWhenTheAnswerToSuspendWasLost(Refusal refusal) {
    var answer = awaiting(pending("a"));
    f.next(Rpc.SUSPEND).lose();
    f.clock.elapse(100);
    f.next(Rpc.SUSPEND).refuse(refusal);
    end(answer);
    f.dropped();
  }

  @Test
  void suspendsAfterAllWhenTheLostCallHadNotArrived() {
    var answer = awaiting(pending("a"));
    f.next(Rpc.SUSPEND).lose();
    f.clock.elapse(100);
    suspends("a");
    assertEquals(End.SUSPENDED, end(answer));
  }

  @Test
  void isLostWhenTheTaskWasPushedAgainAndTheSuspensionFails() {
    var answer = awaiting(pending("a"));
    var suspend = f.next(Rpc.SUSPEND);
    f.stream.execute("t", 1);
    f.heard();
    assertGoesOn(run);
    suspend.refuse(Refusal.INVALID);
    assertEquals(Optional.of("INVALID_REQUEST"), reason(answer));
    assertOver(End.LOST, run);
  }

  @Test
  void sleepsOnATimer() {
    Instant until = Instant.ofEpochMilli(5_000);
    var answer =
        async(
            () -> {
              task.sleep("nap", until);
              return null;
            });
    var fence = f.next(Rpc.FENCE);
    assertEquals("nap", fence.request.getCreate().getId());
    assertEquals(5_000, fence.request.getCreate().getTimeoutAtMs());
    assertEquals(Map.of("resonate:timer", "true"), fence.request.getCreate().getTagsMap());
    fence.reply(fenced(pending("nap")));
    suspends("nap");
    assertEquals(End.SUSPENDED, end(answer));
  }

  @Test
  void returnsFromASleepThatIsOver() {
    var answer =
        async(
            () -> {
              task.sleep("nap", Instant.EPOCH);
              return "slept";
            });
    f.next(Rpc.FENCE).reply(fenced(settled("nap", "")));
    assertEquals("slept", value(answer));
  }

  private void fulfilledTwice(Refusal second) {
    run.finish("value");
    f.next(Rpc.FULFILL).lose();
    f.clock.elapse(100);
    f.next(Rpc.FULFILL).refuse(second);
  }

  @Test
  void takesATaskForDoneWhenTheAnswerToFulfillWasLostAndThePromiseIsSettled() {
    fulfilledTwice(Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "fulfilled"));
    reads(settled("t", "value"));
    assertOver(End.FINISHED, run);
    f.dropped();
  }

  @Test
  void takesATaskForLostWhenTheAnswerToFulfillWasLostAndThePromiseIsPending() {
    fulfilledTwice(Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "pending"));
    reads(pending("t"));
    assertOver(End.LOST, run);
    f.dropped();
  }

  @Test
  void looksAgainWhenItCannotBeSeenWhetherThePromiseIsSettled() {
    fulfilledTwice(Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "fulfilled"));
    f.next(Rpc.GET).refuse(Refusal.OVERLOADED);
    f.clock.elapse(200);
    f.next(Rpc.FULFILL).refuse(Refusal.NO_TASK);
    reads(settled("t", "value"));
    assertOver(End.FINISHED, run);
  }

  @Test
  void dropsATaskWhoseFulfillIsRefusedAtOnce() {
    run.finish("value");
    f.next(Rpc.FULFILL).refuse(Refusal.conflict("TASK_NOT_ACQUIRED", 1, null, "pending"));
    assertOver(End.LOST, run);
    f.dropped();
  }

  @Test
  void endsWhatTheHandlerHasLeftBehind() {
    run.finish("");
    f.fulfilled();
    assertOver(End.FINISHED, run);
    assertEquals(End.FINISHED, end(creating()));
  }
}

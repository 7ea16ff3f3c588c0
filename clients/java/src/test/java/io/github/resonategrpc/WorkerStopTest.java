package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.failure;
import static io.github.resonategrpc.Patience.value;
import static io.github.resonategrpc.WorkerFixture.assertGoesOn;
import static io.github.resonategrpc.WorkerFixture.assertOver;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.DispatchAcknowledgeResponse;
import io.github.resonategrpc.v1.DispatchDrainResponse;
import io.github.resonategrpc.v1.PromiseGetRequest;
import io.github.resonategrpc.v1.PromiseGetResponse;
import io.github.resonategrpc.v1.TaskReleaseResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WorkerStopTest {
  private final WorkerFixture f =
      WorkerFixture.open(settings -> settings.grace(Duration.ofMillis(700)));

  @AfterEach
  void close() {
    f.close();
  }

  private CompletableFuture<Void> closing() {
    return WorkerFixture.async(
        () -> {
          f.worker.close();
          return null;
        });
  }

  private CompletableFuture<Void> awaiting() {
    return WorkerFixture.async(
        () -> {
          try {
            f.worker.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return null;
        });
  }

  @Test
  void takesNothingNewLetsHandlersFinishAndEndsTheStream() {
    OpenRun run = f.run("t", 0);
    var closing = closing();
    var awaiting = awaiting();
    var drain = f.next(Rpc.DRAIN);
    assertEquals("session", drain.request.getSessionId());
    f.stream.execute("u", 0);
    f.heard();
    drain.reply(DispatchDrainResponse.getDefaultInstance());
    assertGoesOn(run);
    run.finish("done");
    f.fulfilled();
    value(closing);
    value(awaiting);
    f.stream.left();
    f.worker.close();
    assertEquals(0, f.server.waiting(Rpc.ACQUIRE));
    f.clock.armedAre();
  }

  @Test
  void givesBackWhatIsLeftAfterTheGracePeriod() {
    OpenRun run = f.run("t", 2);
    var closing = closing();
    f.drained("session");
    f.clock.elapse(700);
    f.released("t", 3);
    assertOver(End.STOPPED, run);
    value(run.interrupted);
    value(closing);
  }

  @Test
  void doesNotWaitLongForAHandlerThatDoesNotEndWithItsRun() {
    CompletableFuture<Void> stubborn = new CompletableFuture<>();
    Inbox<String> ids = new Inbox<>("run");
    try (WorkerFixture g = new WorkerFixture()) {
      g.start(
          settings ->
              Worker.builder(
                      g.client,
                      "g",
                      task -> {
                        ids.put(task.id());
                        stubborn.join(); // Not interrupted.
                        return null;
                      })
                  .grace(Duration.ofMillis(700)));
      g.stream.hello("session");
      g.give("t", 0);
      assertEquals("t", ids.next());
      var closing =
          WorkerFixture.async(
              () -> {
                g.worker.close();
                return null;
              });
      g.drained("session");
      g.clock.elapse(700);
      g.released("t", 1);
      g.clock.elapse(1_000);
      value(closing);
      stubborn.complete(null);
    }
  }

  @Test
  void givesBackAtOnceWhatFailedAndWhatItAcquiresTooLate() {
    f.run("failed", 0).fail(new Exception("no"));
    f.clock.armed(1_000);
    f.stream.execute("late", 0);
    var acquire = f.next(Rpc.ACQUIRE);
    var closing = closing();
    f.drained("session");
    f.released("failed", 1);
    f.grant(acquire);
    f.released("late", 1);
    value(closing);
    assertEquals(0, f.runs.size());
  }

  @Test
  void givesBackWithOneTryWhatItAcquiresAfterTheGracePeriod() {
    f.stream.execute("late", 0);
    var acquire = f.next(Rpc.ACQUIRE);
    var closing = closing();
    f.drained("session");
    f.clock.elapse(700);
    f.heard();
    f.grant(acquire);
    f.next(Rpc.RELEASE).lose();
    value(closing);
    assertEquals(0, f.server.waiting(Rpc.RELEASE));
  }

  @Test
  void doesNotAskAgainForATaskWhoseAnswerWasLost() {
    f.stream.execute("t", 0);
    var acquire = f.next(Rpc.ACQUIRE);
    var closing = closing();
    f.drained("session");
    acquire.lose();
    value(closing);
    assertEquals(0, f.server.waiting(Rpc.ACQUIRE));
  }

  @Test
  void drainsAStreamThatItOpenedAgainMeanwhileToo() {
    f.run("t", 0);
    var closing = closing();
    f.drained("session");
    f.clock.armed(700);
    f.stream.fail(Refusal.LOST);
    f.clock.elapse(100);
    f.server.nextStream().hello("session 2");
    f.drained("session 2");
    f.clock.advance(600);
    f.next(Rpc.RELEASE).reply(TaskReleaseResponse.getDefaultInstance());
    value(closing);
  }

  @Test
  void acknowledgesWhatWasHandledBefore() {
    f.stream.unblock(Records.settled("p", ""), "a");
    var acknowledge = f.next(Rpc.ACKNOWLEDGE);
    var closing = closing();
    f.drained("session");
    f.clock.armed(2_000);
    assertFalse(closing.isDone());
    acknowledge.reply(DispatchAcknowledgeResponse.getDefaultInstance());
    value(closing);
  }

  @Test
  void isForcedByAnotherProcessWithItsPid() {
    f.run("t", 0);
    var awaiting = awaiting();
    f.stream.fail(Refusal.REPLACED);
    f.clock.elapse(0);
    f.next(Rpc.RELEASE).reply(TaskReleaseResponse.getDefaultInstance());
    var failure = failure(awaiting, ResonateException.class);
    assertEquals(Optional.of("SESSION_REPLACED"), failure.reason());
    value(closing());
  }

  @Test
  void isForcedByARefusedStream() {
    try (WorkerFixture g = new WorkerFixture()) {
      g.start(settings -> settings);
      g.stream.fail(Refusal.INVALID);
      var failure =
          failure(
              WorkerFixture.async(
                  () -> {
                    try {
                      g.worker.await();
                      return null;
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  }),
              ResonateException.class);
      assertEquals(Optional.of("INVALID_REQUEST"), failure.reason());
      assertEquals(List.of(), g.clock.lengths());
    }
  }

  @Test
  void leavesItsClientOpen() {
    f.heard(); // And so the hello.
    var closing = closing();
    f.drained("session");
    value(closing);
    PromiseGetRequest request = PromiseGetRequest.newBuilder().setId("p").build();
    var answer = WorkerFixture.async(() -> f.client.promiseGet(request));
    var response = PromiseGetResponse.newBuilder().setPromise(Records.settled("p", "")).build();
    f.next(Rpc.GET).reply(response);
    assertEquals(response, value(answer));
  }
}

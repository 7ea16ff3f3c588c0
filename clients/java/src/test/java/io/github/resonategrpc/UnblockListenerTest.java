package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.failure;
import static io.github.resonategrpc.Patience.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseRegisterListenerRequest;
import io.github.resonategrpc.v1.PromiseRegisterListenerResponse;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UnblockListenerTest {
  private static final String ADDRESS = "uni@callers/c/1";

  private final ScriptedServer server = new ScriptedServer();
  private final ManualClock clock = new ManualClock();
  private final ResonateClient client = server.client(clock);
  private final UnblockListener listener = UnblockListener.open(client, "callers", "c/1");
  private ScriptedStream stream;

  @BeforeEach
  void open() {
    stream = server.nextStream();
    stream.hello("session");
  }

  @AfterEach
  void close() {
    clock.runUntil(closing()); // Nobody answers its last calls.
    client.close();
    server.close();
  }

  private CompletableFuture<Void> closing() {
    return WorkerFixture.async(
        () -> {
          listener.close();
          return null;
        });
  }

  /** Listens to a promise that is registered as it stands. */
  private CompletableFuture<PromiseRecord> listening(PromiseRecord promise) {
    var outcome = listener.listen(promise.getId());
    var register = server.next(Rpc.REGISTER);
    assertEquals(
        PromiseRegisterListenerRequest.newBuilder()
            .setAwaitedId(promise.getId())
            .setAddress(ADDRESS)
            .build(),
        register.request);
    register.reply(PromiseRegisterListenerResponse.newBuilder().setPromise(promise).build());
    return outcome;
  }

  private void acknowledges(String... refs) {
    List<String> acknowledged = new ArrayList<>();
    while (acknowledged.size() < refs.length) {
      acknowledged.addAll(WorkerFixture.acknowledged(server));
    }
    assertEquals(List.of(refs), acknowledged);
  }

  @Test
  void takesNoTasksAndAcknowledgesForItself() {
    assertEquals(
        DispatchRequest.newBuilder().setGroup("callers").setPid("c/1").setMaxInFlight(0).build(),
        stream.call().request);
    assertEquals(ADDRESS, listener.address());
    assertThrows(IllegalArgumentException.class, () -> UnblockListener.open(client, "a/b"));
  }

  @Test
  void returnsAtOnceWhatIsSettledAlready() {
    assertEquals(Records.settled("p", "4"), value(listening(Records.settled("p", "4"))));
  }

  @Test
  void returnsTheUnblockToAllThatWaitForItAndAcknowledgesItEachTime() {
    var first = listening(Records.pending("p"));
    var second = listening(Records.pending("p"));
    stream.unblock(Records.settled("other", ""), ADDRESS);
    acknowledges("other " + ADDRESS);
    stream.unblock(Records.settled("p", "5"), ADDRESS);
    assertEquals(Records.settled("p", "5"), value(first));
    assertEquals(Records.settled("p", "5"), value(second));
    acknowledges("p " + ADDRESS);
    stream.unblock(Records.settled("p", "5"), ADDRESS);
    acknowledges("p " + ADDRESS);
  }

  @Test
  void returnsAnUnblockThatOvertakesTheAnswer() {
    var outcome = listener.listen("p");
    server.next(Rpc.REGISTER);
    stream.unblock(Records.settled("p", "6"), ADDRESS);
    assertEquals(Records.settled("p", "6"), value(outcome));
  }

  @Test
  void acknowledgesWhatCameDuringOneCallInTheNextAndGoesOnAfterAFailure() {
    stream.unblock(Records.settled("p", ""), ADDRESS);
    var first = server.next(Rpc.ACKNOWLEDGE);
    stream.unblock(Records.settled("q", ""), ADDRESS);
    stream.unblock(Records.settled("r", ""), ADDRESS);
    // What came before it is waiting to be acknowledged by then; it is itself a moment later.
    assertEquals(Records.settled("s", ""), heard("s"));
    first.refuse(Refusal.OVERLOADED);
    List<String> next = WorkerFixture.acknowledged(server);
    assertEquals(List.of("q " + ADDRESS, "r " + ADDRESS), next.subList(0, 2));
    assertEquals(
        List.of("s " + ADDRESS),
        next.size() == 2 ? WorkerFixture.acknowledged(server) : next.subList(2, next.size()));
  }

  @Test
  void acknowledgesAThousandInOneCallAtTheMost() {
    stream.unblock(Records.settled("first", ""), ADDRESS);
    var first = server.next(Rpc.ACKNOWLEDGE);
    for (int i = 0; i < 1_001; i++) {
      stream.unblock(Records.settled("p" + i, ""), ADDRESS);
    }
    heard("last");
    first.refuse(Refusal.OVERLOADED);
    assertEquals(1_000, WorkerFixture.acknowledged(server).size());
    acknowledges("p1000 " + ADDRESS, "last " + ADDRESS);
  }

  /** All that was sent before has been heard. */
  private PromiseRecord heard(String id) {
    var outcome = listening(Records.pending(id));
    stream.unblock(Records.settled(id, ""), ADDRESS);
    return value(outcome);
  }

  @Test
  void hearsWhatComesOnTheNextStream() {
    var outcome = listening(Records.pending("p"));
    stream.fail(Refusal.DRAINING);
    clock.elapse(100);
    stream = server.nextStream();
    stream.hello("session 2");
    stream.unblock(Records.settled("p", "8"), ADDRESS);
    assertEquals(Records.settled("p", "8"), value(outcome));
  }

  @Test
  void readsOnWhileSomebodyWorksOnAnOutcome() {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> worked = new CompletableFuture<>();
    var outcome = listener.listen("p");
    outcome.thenRun(
        () -> {
          begun.complete(null);
          worked.join();
        });
    server.next(Rpc.REGISTER);
    stream.unblock(Records.settled("p", ""), ADDRESS);
    // Not for the outcome itself: whoever waits for that may be the one to do the work.
    value(begun);
    stream.fail(Refusal.REPLACED);
    assertEquals(
        Optional.of("SESSION_REPLACED"),
        failure(listener.listen("q"), ResonateException.class).reason());
    worked.complete(null);
  }

  @Test
  void failsForAnUnknownPromise() {
    var outcome = listener.listen("p");
    server.next(Rpc.REGISTER).refuse(Refusal.NO_PROMISE);
    assertEquals(
        Optional.of("PROMISE_NOT_FOUND"), failure(outcome, ResonateException.class).reason());
  }

  @Test
  void forgetsWhatWasGivenUp() {
    var outcome = listening(Records.pending("p"));
    assertTrue(outcome.cancel(true));
    stream.unblock(Records.settled("p", ""), ADDRESS);
    acknowledges("p " + ADDRESS);
  }

  @Test
  void failsWhatWaitsNowAndLaterWhenAnotherProcessHasItsPid() {
    var outcome = listening(Records.pending("p"));
    stream.fail(Refusal.REPLACED);
    Optional<String> replaced = Optional.of("SESSION_REPLACED");
    assertEquals(replaced, failure(outcome, ResonateException.class).reason());
    assertEquals(replaced, failure(listener.listen("q"), ResonateException.class).reason());
  }

  @Test
  void failsWhatWaitsWhenItIsClosed() {
    var outcome = listening(Records.pending("p"));
    listener.close();
    assertEquals(Code.CANCELLED, failure(outcome, ResonateException.class).code());
    stream.left();
  }
}

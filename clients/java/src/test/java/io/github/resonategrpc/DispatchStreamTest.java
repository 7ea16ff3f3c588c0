package io.github.resonategrpc;

import static io.github.resonategrpc.Patience.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.resonategrpc.v1.DispatchEvent;
import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.DispatchHello;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchUnblock;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DispatchStreamTest {
  private static final DispatchRequest REQUEST =
      DispatchRequest.newBuilder().setGroup("g").setPid("p").setMaxInFlight(3).build();

  private final ScriptedServer server = new ScriptedServer();
  private final ManualClock clock = new ManualClock();
  private final ResonateClient client = server.client(clock);
  private final Inbox<String> heard = new Inbox<>("event");
  private final DispatchStream stream = new DispatchStream(client, REQUEST, new Ears());
  private final CompletableFuture<Optional<ResonateException>> ended =
      WorkerFixture.async(stream::run);

  private final class Ears implements DispatchStream.Listener {
    @Override
    public void hello(DispatchHello hello) {
      heard.put("hello " + hello.getSessionId());
    }

    @Override
    public void execute(DispatchExecute execute) {
      heard.put("execute " + execute.getTaskId() + " " + execute.getVersion());
      if (execute.getTaskId().equals("stop")) {
        stream.stop();
      }
    }

    @Override
    public void unblock(DispatchUnblock unblock) {
      heard.put("unblock " + unblock.getAddress());
    }

    @Override
    public void lapsed() {
      heard.put("lapsed");
    }
  }

  @AfterEach
  void close() {
    stream.stop();
    client.close();
    server.close();
  }

  private ScriptedStream opened(String session) {
    ScriptedStream open = server.nextStream();
    open.hello(session);
    assertEquals("hello " + session, heard.next());
    return open;
  }

  private void reconnectsAfter(long delay) {
    assertEquals("lapsed", heard.next());
    clock.armedAre(delay);
    clock.advance(delay);
  }

  @Test
  void opensAsAskedAndTellsEachEventInOrderButUnknownOnes() {
    ScriptedStream open = opened("s1");
    assertEquals(REQUEST, open.call().request);
    assertFalse(open.call().hasDeadline);
    open.send(
        ScriptedStream.executeEvent("t", 2),
        DispatchEvent.getDefaultInstance(),
        ScriptedStream.unblockEvent(Records.settled("p", ""), "a"),
        ScriptedStream.executeEvent("u", 0));
    assertEquals("execute t 2", heard.next());
    assertEquals("unblock a", heard.next());
    assertEquals("execute u 0", heard.next());
  }

  @Test
  void reconnectsAfterAnyEndEachTimeLaterUpToFiveSeconds() {
    long[] delays = {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000};
    for (int failures = 0; failures < delays.length; failures++) {
      ScriptedStream open = opened("s" + failures);
      Refusal stalled = Refusal.of(Code.RESOURCE_EXHAUSTED, "SESSION_STALLED");
      open.fail(failures % 2 == 0 ? Refusal.DRAINING : stalled);
      reconnectsAfter(delays[failures]);
    }
    opened("last");
  }

  @Test
  void countsTheEndOfAStreamThatLastedAsTheFirstOne() {
    opened("s1").fail(Refusal.DRAINING);
    reconnectsAfter(100);
    opened("s2").fail(Refusal.DRAINING);
    reconnectsAfter(200);
    ScriptedStream open = opened("s3");
    clock.advance(10_000);
    open.fail(Refusal.DRAINING);
    reconnectsAfter(100);
  }

  @Test
  void reconnectsAfterAnEndWithOk() {
    opened("s1").call().end();
    reconnectsAfter(100);
    opened("s2");
  }

  @Test
  void reconnectsAfterThreePingIntervalsOfSilenceAndLetsGoOfTheStream() {
    ScriptedStream open = server.nextStream();
    open.hello("s1", 1_000);
    heard.next();
    clock.armedAre(3_000L);
    clock.advance(2_999);
    open.send(ScriptedStream.PING, ScriptedStream.executeEvent("t", 0));
    heard.next();
    clock.advance(2_999);
    assertEquals(0, heard.size());
    clock.advance(1);
    open.left();
    reconnectsAfter(100);
    opened("s2");
  }

  @Test
  void reconnectsWhenNoHelloComes() {
    server.nextStream();
    clock.elapse(15_000);
    reconnectsAfter(100);
    opened("s1");
  }

  @Test
  void doesNotHearAStreamThatItHasLetGoOf() {
    ScriptedStream old = server.nextStream();
    old.hello("s1", 1_000);
    heard.next();
    clock.elapse(3_000);
    reconnectsAfter(100);
    old.fail(Refusal.REPLACED);
    opened("s2").execute("t", 0);
    assertEquals("execute t 0", heard.next());
    assertFalse(ended.isDone());
  }

  @Test
  void spreadsTheReconnectAfterADrain() {
    ScriptedStream open = opened("s1");
    open.send(ScriptedStream.DRAIN);
    assertEquals("lapsed", heard.next());
    open.fail(Refusal.DRAINING);
    reconnectsAfter(2_000);
    opened("s2");
  }

  @Test
  void endsForGoodWhenReplacedOrInvalid() {
    opened("s1").fail(Refusal.REPLACED);
    assertEquals(Optional.of("SESSION_REPLACED"), value(ended).orElseThrow().reason());
    assertEquals("lapsed", heard.next());
    assertEquals(List.of(), clock.lengths());

    var again = WorkerFixture.async(new DispatchStream(client, REQUEST, new Ears())::run);
    server.nextStream().fail(Refusal.bare(Code.INVALID_ARGUMENT, "no"));
    assertEquals(Code.INVALID_ARGUMENT, value(again).orElseThrow().code());
    assertEquals(List.of(), clock.lengths());
  }

  @Test
  void stops() {
    ScriptedStream open = opened("s1");
    stream.stop();
    open.left();
    assertEquals(Optional.empty(), value(ended));
    assertEquals(List.of(), clock.lengths());
    assertEquals(0, heard.size());
  }

  @Test
  void stopsBetweenStreams() {
    opened("s1").fail(Refusal.DRAINING);
    assertEquals("lapsed", heard.next());
    clock.armedAre(100L);
    stream.stop();
    assertEquals(Optional.empty(), value(ended));
    assertEquals(List.of(), clock.lengths());
  }

  @Test
  void hearsNothingMoreOnceItWasStoppedInTheSameFrameOrTheNext() {
    ScriptedStream open = opened("s1");
    open.send(ScriptedStream.executeEvent("stop", 0), ScriptedStream.executeEvent("t", 0));
    open.left();
    assertEquals(Optional.empty(), value(ended));
    assertEquals("execute stop 0", heard.next());
    assertEquals(0, heard.size());
  }

  @Test
  void findsTheServerAgainAfterItWasKilled() {
    opened("s1");
    server.close();
    reconnectsAfter(100);
    // It is not there yet, perhaps for some tries.
    assertEquals("lapsed", heard.next());
    server.start();
    clock.runUntil(WorkerFixture.async(server::nextStream)).hello("s2");
    while (!heard.next().equals("hello s2")) {}
  }
}

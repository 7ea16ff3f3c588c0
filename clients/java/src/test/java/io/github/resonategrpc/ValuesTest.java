package io.github.resonategrpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.resonategrpc.v1.PromiseState;
import io.github.resonategrpc.v1.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ValuesTest {
  private static final long LATEST_MS = (1L << 53) - 1;

  @Test
  void holdTextBytesAndJson() {
    assertEquals("é\u0000𝄞", Values.text(Values.text("é\u0000𝄞")));
    byte[] bytes = {0, -1, 127};
    assertArrayEquals(bytes, Values.bytes(bytes).getData().toByteArray());
    assertEquals(Map.of(), Values.text("x").getHeadersMap());
    Value json = Values.json("[1]");
    assertEquals("[1]", Values.text(json));
    assertEquals(Map.of("content-type", "application/json"), json.getHeadersMap());
  }

  @Test
  void tellAbsentFromEmpty() {
    assertFalse(Values.empty().hasData());
    assertTrue(Values.text("").hasData());
    assertTrue(Values.bytes(new byte[0]).hasData());
    assertEquals("", Values.text(Values.empty()));
  }

  @Test
  void areUnwrappedFromResolvedPromises() {
    assertEquals("v", Values.text(Promises.unwrap(Records.settled("p", "v"))));
    assertThrows(IllegalStateException.class, () -> Promises.unwrap(Records.pending("p")));
    var canceled = Records.settled("p", "why", PromiseState.PROMISE_STATE_REJECTED_CANCELED);
    Reject reject = assertThrows(Reject.class, () -> Promises.unwrap(canceled));
    assertEquals("why", Values.text(reject.value()));
    assertEquals("promise \"p\" is REJECTED_CANCELED", reject.getMessage());
  }

  @Test
  void spellWorkAsAPromise() {
    Work work = Work.of("p").target("any@g").param("in").tag("__proto__", "y");
    assertEquals("p", work.spec(7).getId());
    assertEquals(7, work.spec(7).getTimeoutAtMs());
    assertEquals("in", Values.text(work.spec(7).getParam()));
    assertEquals(Map.of("__proto__", "y", "resonate:target", "any@g"), work.spec(7).getTagsMap());
    assertEquals(5, work.deadline(Instant.ofEpochMilli(5)).spec(7).getTimeoutAtMs());
    assertFalse(Work.of("p").spec(7).hasParam());
    assertThrows(IllegalArgumentException.class, work::spec);
  }

  @Test
  void countATimeoutFromNow() {
    Instant before = Instant.now();
    long deadline = Work.of("p").timeout(Duration.ofSeconds(1)).spec().getTimeoutAtMs();
    assertTrue(deadline >= before.plusSeconds(1).toEpochMilli());
    assertTrue(deadline <= Instant.now().plusSeconds(1).toEpochMilli() + 1);
  }

  @Test
  void keepDeadlinesWithinTheProtocol() {
    assertEquals(
        6, Work.of("p").deadline(Instant.ofEpochSecond(0, 5_000_001)).spec().getTimeoutAtMs());
    assertEquals(0, Work.of("p").deadline(Instant.ofEpochMilli(-5)).spec().getTimeoutAtMs());
    assertEquals(LATEST_MS, Work.of("p").deadline(Instant.MAX).spec().getTimeoutAtMs());
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertEquals(LATEST_MS, Work.of("p").timeout(longest).spec().getTimeoutAtMs());
  }

  @Test
  void backOffByHalfToTheWhole() {
    for (int i = 0; i < 1_000; i++) {
      long delay = Backoff.CALL.delayMs(2, SystemClock.INSTANCE);
      assertTrue(delay >= 199 && delay <= 400, () -> "delay " + delay);
    }
    assertEquals(5_000, Backoff.CALL.delayMs(100_000, new ManualClock()));
  }

  @Test
  void namePidsApart() {
    assertNotEquals(Pids.fresh(), Pids.fresh());
  }
}

package io.github.resonategrpc;

import static io.github.resonategrpc.WorkerFixture.TTL_MS;
import static io.github.resonategrpc.WorkerFixture.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.TaskRef;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Heartbeats, and the leases that they renew. */
final class HeartbeatsTest {
  private final ScriptedServer server = new ScriptedServer();
  private final ManualClock clock = new ManualClock();
  private final ResonateClient client = server.client(clock);
  private final Heartbeats heartbeats = new Heartbeats(client, "w", TTL_MS);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void nameAThousandTasksInOneCallAtTheMost() {
    Set<TaskRef> tasks = new HashSet<>();
    for (int i = 0; i < 2_001; i++) {
      tasks.add(ref("t" + i, 1));
    }
    tasks.forEach(task -> heartbeats.add(Lease.begin(task, TTL_MS, clock, clock.nowMs())));
    heartbeats.beat();
    Set<TaskRef> renewed = new HashSet<>();
    int smallest = Integer.MAX_VALUE;
    for (int calls = 0; calls < 3; calls++) {
      var beat = server.next(Rpc.HEARTBEAT).request;
      smallest = Math.min(smallest, beat.getTasksCount());
      renewed.addAll(beat.getTasksList());
    }
    assertEquals(tasks, renewed);
    assertEquals(1, smallest); // So the others are of a thousand.
  }

  @Test
  void areMadeInTimeWhileAnEarlierOneIsNotAnswered() {
    heartbeats.add(Lease.begin(ref("t", 1), TTL_MS, clock, clock.nowMs()));
    for (int beat = 0; beat < 2; beat++) {
      clock.elapse(TTL_MS / 3);
      server.next(Rpc.HEARTBEAT);
    }
  }

  @Test
  void doNotBringALeaseBackThatHasRunOutWhileTheProcessWasFrozen() {
    FrozenClock frozen = new FrozenClock();
    Lease lease = Lease.begin(ref("t", 1), TTL_MS, frozen, 0);
    lease.renew(1);
    frozen.nowMs = TTL_MS + 1; // Its timer has not fired.
    assertFalse(lease.over().isDone());
    lease.renew(TTL_MS + 1);
    assertEquals(End.LOST, assertThrows(RunOver.class, lease::check).end());
  }

  /** Time passes, and no timer fires. */
  private static final class FrozenClock implements Clock {
    long nowMs;

    @Override
    public long nowMs() {
      return nowMs;
    }

    @Override
    public Timer after(long ms, Runnable callback) {
      return () -> {};
    }

    @Override
    public double random() {
      return 0;
    }
  }
}

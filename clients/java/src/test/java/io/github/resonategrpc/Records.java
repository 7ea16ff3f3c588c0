package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseState;
import io.github.resonategrpc.v1.TaskFenceResponse;
import io.github.resonategrpc.v1.TaskReady;
import io.github.resonategrpc.v1.TaskSuspendResponse;
import io.github.resonategrpc.v1.TaskSuspended;
import io.github.resonategrpc.v1.Value;

/** What the real server shows. */
final class Records {
  static final TaskSuspendResponse SUSPENDED =
      TaskSuspendResponse.newBuilder().setSuspended(TaskSuspended.getDefaultInstance()).build();
  static final TaskSuspendResponse READY =
      TaskSuspendResponse.newBuilder().setReady(TaskReady.getDefaultInstance()).build();

  private Records() {}

  static PromiseRecord pending(String id) {
    return PromiseRecord.newBuilder()
        .setId(id)
        .setState(PromiseState.PROMISE_STATE_PENDING)
        .setParam(Value.getDefaultInstance())
        .setValue(Value.getDefaultInstance())
        .setTimeoutAtMs(9_000_000_000_000L)
        .setCreatedAtMs(1_000)
        .build();
  }

  static PromiseRecord settled(String id, String text) {
    return settled(id, text, PromiseState.PROMISE_STATE_RESOLVED);
  }

  static PromiseRecord settled(String id, String text, PromiseState state) {
    return pending(id).toBuilder()
        .setState(state)
        .setValue(Values.text(text))
        .setSettledAtMs(2_000)
        .build();
  }

  static TaskFenceResponse fenced(PromiseRecord promise) {
    return TaskFenceResponse.newBuilder().setPromise(promise).build();
  }
}

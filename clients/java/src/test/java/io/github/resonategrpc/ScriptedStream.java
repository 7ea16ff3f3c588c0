package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchEvent;
import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.DispatchHello;
import io.github.resonategrpc.v1.DispatchPing;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchResponse;
import io.github.resonategrpc.v1.DispatchServerDrain;
import io.github.resonategrpc.v1.DispatchUnblock;
import io.github.resonategrpc.v1.PromiseRecord;
import java.util.List;

/** An open Dispatch stream. */
record ScriptedStream(ScriptedCall<DispatchRequest, DispatchResponse> call) {
  static final DispatchEvent PING =
      DispatchEvent.newBuilder().setPing(DispatchPing.getDefaultInstance()).build();
  static final DispatchEvent DRAIN =
      DispatchEvent.newBuilder().setDrain(DispatchServerDrain.getDefaultInstance()).build();

  static DispatchEvent executeEvent(String taskId, long version) {
    DispatchExecute execute =
        DispatchExecute.newBuilder().setTaskId(taskId).setVersion(version).build();
    return DispatchEvent.newBuilder().setExecute(execute).build();
  }

  static DispatchEvent unblockEvent(PromiseRecord promise, String address) {
    DispatchUnblock unblock =
        DispatchUnblock.newBuilder().setPromise(promise).setAddress(address).build();
    return DispatchEvent.newBuilder().setUnblock(unblock).build();
  }

  /** One frame. */
  void send(DispatchEvent... events) {
    call.send(DispatchResponse.newBuilder().addAllEvents(List.of(events)).build());
  }

  void hello(String sessionId) {
    hello(sessionId, 15_000);
  }

  void hello(String sessionId, long pingIntervalMs) {
    DispatchHello hello =
        DispatchHello.newBuilder()
            .setSessionId(sessionId)
            .setPingIntervalMs(pingIntervalMs)
            .build();
    send(DispatchEvent.newBuilder().setHello(hello).build());
  }

  void execute(String taskId, long version) {
    send(executeEvent(taskId, version));
  }

  void unblock(PromiseRecord promise, String address) {
    send(unblockEvent(promise, address));
  }

  void fail(Refusal refusal) {
    call.refuse(refusal);
  }

  /** Waits until the client has let go of it. */
  void left() {
    Patience.value(call.cancelled);
  }
}

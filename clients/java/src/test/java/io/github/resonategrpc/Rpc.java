package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchAcknowledgeRequest;
import io.github.resonategrpc.v1.DispatchAcknowledgeResponse;
import io.github.resonategrpc.v1.DispatchDrainRequest;
import io.github.resonategrpc.v1.DispatchDrainResponse;
import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.github.resonategrpc.v1.PromiseCreateRequest;
import io.github.resonategrpc.v1.PromiseCreateResponse;
import io.github.resonategrpc.v1.PromiseGetRequest;
import io.github.resonategrpc.v1.PromiseGetResponse;
import io.github.resonategrpc.v1.PromiseRegisterListenerRequest;
import io.github.resonategrpc.v1.PromiseRegisterListenerResponse;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.PromiseSettleRequest;
import io.github.resonategrpc.v1.PromiseSettleResponse;
import io.github.resonategrpc.v1.PromiseWaitRequest;
import io.github.resonategrpc.v1.PromiseWaitResponse;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskAcquireResponse;
import io.github.resonategrpc.v1.TaskFenceRequest;
import io.github.resonategrpc.v1.TaskFenceResponse;
import io.github.resonategrpc.v1.TaskFulfillRequest;
import io.github.resonategrpc.v1.TaskFulfillResponse;
import io.github.resonategrpc.v1.TaskGetRequest;
import io.github.resonategrpc.v1.TaskGetResponse;
import io.github.resonategrpc.v1.TaskHeartbeatRequest;
import io.github.resonategrpc.v1.TaskHeartbeatResponse;
import io.github.resonategrpc.v1.TaskReleaseRequest;
import io.github.resonategrpc.v1.TaskReleaseResponse;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import io.github.resonategrpc.v1.TaskSuspendRequest;
import io.github.resonategrpc.v1.TaskSuspendResponse;
import io.grpc.MethodDescriptor;

/** The methods that tests speak of. */
final class Rpc {
  static final MethodDescriptor<PromiseGetRequest, PromiseGetResponse> GET =
      PromiseServiceGrpc.getPromiseGetMethod();
  static final MethodDescriptor<PromiseCreateRequest, PromiseCreateResponse> CREATE =
      PromiseServiceGrpc.getPromiseCreateMethod();
  static final MethodDescriptor<PromiseSettleRequest, PromiseSettleResponse> SETTLE =
      PromiseServiceGrpc.getPromiseSettleMethod();
  static final MethodDescriptor<PromiseWaitRequest, PromiseWaitResponse> WAIT =
      PromiseServiceGrpc.getPromiseWaitMethod();
  static final MethodDescriptor<PromiseRegisterListenerRequest, PromiseRegisterListenerResponse>
      REGISTER = PromiseServiceGrpc.getPromiseRegisterListenerMethod();
  static final MethodDescriptor<TaskGetRequest, TaskGetResponse> TASK_GET =
      TaskServiceGrpc.getTaskGetMethod();
  static final MethodDescriptor<TaskAcquireRequest, TaskAcquireResponse> ACQUIRE =
      TaskServiceGrpc.getTaskAcquireMethod();
  static final MethodDescriptor<TaskFenceRequest, TaskFenceResponse> FENCE =
      TaskServiceGrpc.getTaskFenceMethod();
  static final MethodDescriptor<TaskHeartbeatRequest, TaskHeartbeatResponse> HEARTBEAT =
      TaskServiceGrpc.getTaskHeartbeatMethod();
  static final MethodDescriptor<TaskSuspendRequest, TaskSuspendResponse> SUSPEND =
      TaskServiceGrpc.getTaskSuspendMethod();
  static final MethodDescriptor<TaskFulfillRequest, TaskFulfillResponse> FULFILL =
      TaskServiceGrpc.getTaskFulfillMethod();
  static final MethodDescriptor<TaskReleaseRequest, TaskReleaseResponse> RELEASE =
      TaskServiceGrpc.getTaskReleaseMethod();
  static final MethodDescriptor<DispatchAcknowledgeRequest, DispatchAcknowledgeResponse>
      ACKNOWLEDGE = DispatchServiceGrpc.getDispatchAcknowledgeMethod();
  static final MethodDescriptor<DispatchDrainRequest, DispatchDrainResponse> DRAIN =
      DispatchServiceGrpc.getDispatchDrainMethod();

  private Rpc() {}
}

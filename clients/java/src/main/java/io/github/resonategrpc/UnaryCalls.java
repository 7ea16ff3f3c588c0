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
import io.github.resonategrpc.v1.PromiseRegisterCallbackRequest;
import io.github.resonategrpc.v1.PromiseRegisterCallbackResponse;
import io.github.resonategrpc.v1.PromiseRegisterListenerRequest;
import io.github.resonategrpc.v1.PromiseRegisterListenerResponse;
import io.github.resonategrpc.v1.PromiseSearchRequest;
import io.github.resonategrpc.v1.PromiseSearchResponse;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.PromiseSettleRequest;
import io.github.resonategrpc.v1.PromiseSettleResponse;
import io.github.resonategrpc.v1.PromiseWaitRequest;
import io.github.resonategrpc.v1.PromiseWaitResponse;
import io.github.resonategrpc.v1.ScheduleCreateRequest;
import io.github.resonategrpc.v1.ScheduleCreateResponse;
import io.github.resonategrpc.v1.ScheduleDeleteRequest;
import io.github.resonategrpc.v1.ScheduleDeleteResponse;
import io.github.resonategrpc.v1.ScheduleGetRequest;
import io.github.resonategrpc.v1.ScheduleGetResponse;
import io.github.resonategrpc.v1.ScheduleSearchRequest;
import io.github.resonategrpc.v1.ScheduleSearchResponse;
import io.github.resonategrpc.v1.ScheduleServiceGrpc;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskAcquireResponse;
import io.github.resonategrpc.v1.TaskContinueRequest;
import io.github.resonategrpc.v1.TaskContinueResponse;
import io.github.resonategrpc.v1.TaskCreateRequest;
import io.github.resonategrpc.v1.TaskCreateResponse;
import io.github.resonategrpc.v1.TaskFenceRequest;
import io.github.resonategrpc.v1.TaskFenceResponse;
import io.github.resonategrpc.v1.TaskFulfillRequest;
import io.github.resonategrpc.v1.TaskFulfillResponse;
import io.github.resonategrpc.v1.TaskGetRequest;
import io.github.resonategrpc.v1.TaskGetResponse;
import io.github.resonategrpc.v1.TaskHaltRequest;
import io.github.resonategrpc.v1.TaskHaltResponse;
import io.github.resonategrpc.v1.TaskHeartbeatRequest;
import io.github.resonategrpc.v1.TaskHeartbeatResponse;
import io.github.resonategrpc.v1.TaskReleaseRequest;
import io.github.resonategrpc.v1.TaskReleaseResponse;
import io.github.resonategrpc.v1.TaskSearchRequest;
import io.github.resonategrpc.v1.TaskSearchResponse;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import io.github.resonategrpc.v1.TaskSuspendRequest;
import io.github.resonategrpc.v1.TaskSuspendResponse;
import io.grpc.MethodDescriptor;

/**
 * A method for every unary RPC, named as in the proto, whose comment there says all about it. Each
 * throws a {@link ResonateException} when it fails.
 */
abstract class UnaryCalls {
  abstract <Q, A> A call(MethodDescriptor<Q, A> method, Q request);

  /**
   * P-01 promise.get: reads a promise. Refused with NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseGetResponse promiseGet(PromiseGetRequest request) {
    return call(PromiseServiceGrpc.getPromiseGetMethod(), request);
  }

  /**
   * P-02 promise.create: creates a promise, or finds it under its id.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseCreateResponse promiseCreate(PromiseCreateRequest request) {
    return call(PromiseServiceGrpc.getPromiseCreateMethod(), request);
  }

  /**
   * P-03 promise.settle: settles a promise; answers with the outcome that stands. Refused with
   * NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseSettleResponse promiseSettle(PromiseSettleRequest request) {
    return call(PromiseServiceGrpc.getPromiseSettleMethod(), request);
  }

  /**
   * P-04 promise.register_callback: has a task resumed when a promise settles.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseRegisterCallbackResponse promiseRegisterCallback(
      PromiseRegisterCallbackRequest request) {
    return call(PromiseServiceGrpc.getPromiseRegisterCallbackMethod(), request);
  }

  /**
   * P-05 promise.register_listener: has an unblock sent when a promise settles. See {@link
   * UnblockListener}.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseRegisterListenerResponse promiseRegisterListener(
      PromiseRegisterListenerRequest request) {
    return call(PromiseServiceGrpc.getPromiseRegisterListenerMethod(), request);
  }

  /**
   * P-06 promise.search: always refused with UNIMPLEMENTED.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseSearchResponse promiseSearch(PromiseSearchRequest request) {
    return call(PromiseServiceGrpc.getPromiseSearchMethod(), request);
  }

  /**
   * The extension PromiseWait: answers once the promise is settled. See {@link
   * ResonateClient#await(String)}.
   *
   * @param request the request
   * @return the answer
   */
  public PromiseWaitResponse promiseWait(PromiseWaitRequest request) {
    return call(PromiseServiceGrpc.getPromiseWaitMethod(), request);
  }

  /**
   * T-01 task.get: reads a task. Refused with NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public TaskGetResponse taskGet(TaskGetRequest request) {
    return call(TaskServiceGrpc.getTaskGetMethod(), request);
  }

  /**
   * T-02 task.create: creates a promise and its task, acquired by the caller.
   *
   * @param request the request
   * @return the answer
   */
  public TaskCreateResponse taskCreate(TaskCreateRequest request) {
    return call(TaskServiceGrpc.getTaskCreateMethod(), request);
  }

  /**
   * T-03 task.acquire: takes a pending task. See {@link Worker}.
   *
   * @param request the request
   * @return the answer
   */
  public TaskAcquireResponse taskAcquire(TaskAcquireRequest request) {
    return call(TaskServiceGrpc.getTaskAcquireMethod(), request);
  }

  /**
   * T-04 task.fence: creates or settles a promise, provided that the caller holds the task.
   *
   * @param request the request
   * @return the answer
   */
  public TaskFenceResponse taskFence(TaskFenceRequest request) {
    return call(TaskServiceGrpc.getTaskFenceMethod(), request);
  }

  /**
   * T-05 task.heartbeat: renews leases.
   *
   * @param request the request
   * @return the answer
   */
  public TaskHeartbeatResponse taskHeartbeat(TaskHeartbeatRequest request) {
    return call(TaskServiceGrpc.getTaskHeartbeatMethod(), request);
  }

  /**
   * T-06 task.suspend: parks the task until a promise settles.
   *
   * @param request the request
   * @return the answer
   */
  public TaskSuspendResponse taskSuspend(TaskSuspendRequest request) {
    return call(TaskServiceGrpc.getTaskSuspendMethod(), request);
  }

  /**
   * T-07 task.fulfill: settles the task's promise.
   *
   * @param request the request
   * @return the answer
   */
  public TaskFulfillResponse taskFulfill(TaskFulfillRequest request) {
    return call(TaskServiceGrpc.getTaskFulfillMethod(), request);
  }

  /**
   * T-08 task.release: gives the task back.
   *
   * @param request the request
   * @return the answer
   */
  public TaskReleaseResponse taskRelease(TaskReleaseRequest request) {
    return call(TaskServiceGrpc.getTaskReleaseMethod(), request);
  }

  /**
   * T-09 task.halt: takes the task out of circulation.
   *
   * @param request the request
   * @return the answer
   */
  public TaskHaltResponse taskHalt(TaskHaltRequest request) {
    return call(TaskServiceGrpc.getTaskHaltMethod(), request);
  }

  /**
   * T-10 task.continue: puts a halted task back into circulation.
   *
   * @param request the request
   * @return the answer
   */
  public TaskContinueResponse taskContinue(TaskContinueRequest request) {
    return call(TaskServiceGrpc.getTaskContinueMethod(), request);
  }

  /**
   * T-11 task.search: always refused with UNIMPLEMENTED.
   *
   * @param request the request
   * @return the answer
   */
  public TaskSearchResponse taskSearch(TaskSearchRequest request) {
    return call(TaskServiceGrpc.getTaskSearchMethod(), request);
  }

  /**
   * S-01 schedule.get: reads a schedule. Refused with NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public ScheduleGetResponse scheduleGet(ScheduleGetRequest request) {
    return call(ScheduleServiceGrpc.getScheduleGetMethod(), request);
  }

  /**
   * S-02 schedule.create: creates a schedule, or finds it under its id.
   *
   * @param request the request
   * @return the answer
   */
  public ScheduleCreateResponse scheduleCreate(ScheduleCreateRequest request) {
    return call(ScheduleServiceGrpc.getScheduleCreateMethod(), request);
  }

  /**
   * S-03 schedule.delete: deletes a schedule. Refused with NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public ScheduleDeleteResponse scheduleDelete(ScheduleDeleteRequest request) {
    return call(ScheduleServiceGrpc.getScheduleDeleteMethod(), request);
  }

  /**
   * S-04 schedule.search: always refused with UNIMPLEMENTED.
   *
   * @param request the request
   * @return the answer
   */
  public ScheduleSearchResponse scheduleSearch(ScheduleSearchRequest request) {
    return call(ScheduleServiceGrpc.getScheduleSearchMethod(), request);
  }

  /**
   * Tells the server that unblocks have been handled.
   *
   * @param request the request
   * @return the answer
   */
  public DispatchAcknowledgeResponse dispatchAcknowledge(DispatchAcknowledgeRequest request) {
    return call(DispatchServiceGrpc.getDispatchAcknowledgeMethod(), request);
  }

  /**
   * Stops pushes to a stream. Refused with NOT_FOUND.
   *
   * @param request the request
   * @return the answer
   */
  public DispatchDrainResponse dispatchDrain(DispatchDrainRequest request) {
    return call(DispatchServiceGrpc.getDispatchDrainMethod(), request);
  }
}

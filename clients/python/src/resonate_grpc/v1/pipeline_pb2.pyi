from resonate_grpc.v1 import dispatch_pb2 as _dispatch_pb2
from resonate_grpc.v1 import promise_pb2 as _promise_pb2
from resonate_grpc.v1 import refusal_pb2 as _refusal_pb2
from resonate_grpc.v1 import schedule_pb2 as _schedule_pb2
from resonate_grpc.v1 import task_pb2 as _task_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PipelineRequest(_message.Message):
    __slots__ = ("calls",)
    CALLS_FIELD_NUMBER: _ClassVar[int]
    calls: _containers.RepeatedCompositeFieldContainer[PipelineCall]
    def __init__(self, calls: _Optional[_Iterable[_Union[PipelineCall, _Mapping]]] = ...) -> None: ...

class PipelineCall(_message.Message):
    __slots__ = ("call_id", "promise_get", "promise_create", "promise_settle", "promise_register_callback", "promise_register_listener", "promise_search", "promise_wait", "task_get", "task_create", "task_acquire", "task_fence", "task_heartbeat", "task_suspend", "task_fulfill", "task_release", "task_halt", "task_continue", "task_search", "schedule_get", "schedule_create", "schedule_delete", "schedule_search", "dispatch_acknowledge", "dispatch_drain")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    PROMISE_GET_FIELD_NUMBER: _ClassVar[int]
    PROMISE_CREATE_FIELD_NUMBER: _ClassVar[int]
    PROMISE_SETTLE_FIELD_NUMBER: _ClassVar[int]
    PROMISE_REGISTER_CALLBACK_FIELD_NUMBER: _ClassVar[int]
    PROMISE_REGISTER_LISTENER_FIELD_NUMBER: _ClassVar[int]
    PROMISE_SEARCH_FIELD_NUMBER: _ClassVar[int]
    PROMISE_WAIT_FIELD_NUMBER: _ClassVar[int]
    TASK_GET_FIELD_NUMBER: _ClassVar[int]
    TASK_CREATE_FIELD_NUMBER: _ClassVar[int]
    TASK_ACQUIRE_FIELD_NUMBER: _ClassVar[int]
    TASK_FENCE_FIELD_NUMBER: _ClassVar[int]
    TASK_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    TASK_SUSPEND_FIELD_NUMBER: _ClassVar[int]
    TASK_FULFILL_FIELD_NUMBER: _ClassVar[int]
    TASK_RELEASE_FIELD_NUMBER: _ClassVar[int]
    TASK_HALT_FIELD_NUMBER: _ClassVar[int]
    TASK_CONTINUE_FIELD_NUMBER: _ClassVar[int]
    TASK_SEARCH_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_GET_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_CREATE_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_DELETE_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_SEARCH_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_ACKNOWLEDGE_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_DRAIN_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    promise_get: _promise_pb2.PromiseGetRequest
    promise_create: _promise_pb2.PromiseCreateRequest
    promise_settle: _promise_pb2.PromiseSettleRequest
    promise_register_callback: _promise_pb2.PromiseRegisterCallbackRequest
    promise_register_listener: _promise_pb2.PromiseRegisterListenerRequest
    promise_search: _promise_pb2.PromiseSearchRequest
    promise_wait: _promise_pb2.PromiseWaitRequest
    task_get: _task_pb2.TaskGetRequest
    task_create: _task_pb2.TaskCreateRequest
    task_acquire: _task_pb2.TaskAcquireRequest
    task_fence: _task_pb2.TaskFenceRequest
    task_heartbeat: _task_pb2.TaskHeartbeatRequest
    task_suspend: _task_pb2.TaskSuspendRequest
    task_fulfill: _task_pb2.TaskFulfillRequest
    task_release: _task_pb2.TaskReleaseRequest
    task_halt: _task_pb2.TaskHaltRequest
    task_continue: _task_pb2.TaskContinueRequest
    task_search: _task_pb2.TaskSearchRequest
    schedule_get: _schedule_pb2.ScheduleGetRequest
    schedule_create: _schedule_pb2.ScheduleCreateRequest
    schedule_delete: _schedule_pb2.ScheduleDeleteRequest
    schedule_search: _schedule_pb2.ScheduleSearchRequest
    dispatch_acknowledge: _dispatch_pb2.DispatchAcknowledgeRequest
    dispatch_drain: _dispatch_pb2.DispatchDrainRequest
    def __init__(self, call_id: _Optional[int] = ..., promise_get: _Optional[_Union[_promise_pb2.PromiseGetRequest, _Mapping]] = ..., promise_create: _Optional[_Union[_promise_pb2.PromiseCreateRequest, _Mapping]] = ..., promise_settle: _Optional[_Union[_promise_pb2.PromiseSettleRequest, _Mapping]] = ..., promise_register_callback: _Optional[_Union[_promise_pb2.PromiseRegisterCallbackRequest, _Mapping]] = ..., promise_register_listener: _Optional[_Union[_promise_pb2.PromiseRegisterListenerRequest, _Mapping]] = ..., promise_search: _Optional[_Union[_promise_pb2.PromiseSearchRequest, _Mapping]] = ..., promise_wait: _Optional[_Union[_promise_pb2.PromiseWaitRequest, _Mapping]] = ..., task_get: _Optional[_Union[_task_pb2.TaskGetRequest, _Mapping]] = ..., task_create: _Optional[_Union[_task_pb2.TaskCreateRequest, _Mapping]] = ..., task_acquire: _Optional[_Union[_task_pb2.TaskAcquireRequest, _Mapping]] = ..., task_fence: _Optional[_Union[_task_pb2.TaskFenceRequest, _Mapping]] = ..., task_heartbeat: _Optional[_Union[_task_pb2.TaskHeartbeatRequest, _Mapping]] = ..., task_suspend: _Optional[_Union[_task_pb2.TaskSuspendRequest, _Mapping]] = ..., task_fulfill: _Optional[_Union[_task_pb2.TaskFulfillRequest, _Mapping]] = ..., task_release: _Optional[_Union[_task_pb2.TaskReleaseRequest, _Mapping]] = ..., task_halt: _Optional[_Union[_task_pb2.TaskHaltRequest, _Mapping]] = ..., task_continue: _Optional[_Union[_task_pb2.TaskContinueRequest, _Mapping]] = ..., task_search: _Optional[_Union[_task_pb2.TaskSearchRequest, _Mapping]] = ..., schedule_get: _Optional[_Union[_schedule_pb2.ScheduleGetRequest, _Mapping]] = ..., schedule_create: _Optional[_Union[_schedule_pb2.ScheduleCreateRequest, _Mapping]] = ..., schedule_delete: _Optional[_Union[_schedule_pb2.ScheduleDeleteRequest, _Mapping]] = ..., schedule_search: _Optional[_Union[_schedule_pb2.ScheduleSearchRequest, _Mapping]] = ..., dispatch_acknowledge: _Optional[_Union[_dispatch_pb2.DispatchAcknowledgeRequest, _Mapping]] = ..., dispatch_drain: _Optional[_Union[_dispatch_pb2.DispatchDrainRequest, _Mapping]] = ...) -> None: ...

class PipelineResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[PipelineAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[PipelineAnswer, _Mapping]]] = ...) -> None: ...

class PipelineAnswer(_message.Message):
    __slots__ = ("call_id", "refusal", "promise_get", "promise_create", "promise_settle", "promise_register_callback", "promise_register_listener", "promise_search", "promise_wait", "task_get", "task_create", "task_acquire", "task_fence", "task_heartbeat", "task_suspend", "task_fulfill", "task_release", "task_halt", "task_continue", "task_search", "schedule_get", "schedule_create", "schedule_delete", "schedule_search", "dispatch_acknowledge", "dispatch_drain")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    PROMISE_GET_FIELD_NUMBER: _ClassVar[int]
    PROMISE_CREATE_FIELD_NUMBER: _ClassVar[int]
    PROMISE_SETTLE_FIELD_NUMBER: _ClassVar[int]
    PROMISE_REGISTER_CALLBACK_FIELD_NUMBER: _ClassVar[int]
    PROMISE_REGISTER_LISTENER_FIELD_NUMBER: _ClassVar[int]
    PROMISE_SEARCH_FIELD_NUMBER: _ClassVar[int]
    PROMISE_WAIT_FIELD_NUMBER: _ClassVar[int]
    TASK_GET_FIELD_NUMBER: _ClassVar[int]
    TASK_CREATE_FIELD_NUMBER: _ClassVar[int]
    TASK_ACQUIRE_FIELD_NUMBER: _ClassVar[int]
    TASK_FENCE_FIELD_NUMBER: _ClassVar[int]
    TASK_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    TASK_SUSPEND_FIELD_NUMBER: _ClassVar[int]
    TASK_FULFILL_FIELD_NUMBER: _ClassVar[int]
    TASK_RELEASE_FIELD_NUMBER: _ClassVar[int]
    TASK_HALT_FIELD_NUMBER: _ClassVar[int]
    TASK_CONTINUE_FIELD_NUMBER: _ClassVar[int]
    TASK_SEARCH_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_GET_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_CREATE_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_DELETE_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_SEARCH_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_ACKNOWLEDGE_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_DRAIN_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    refusal: _refusal_pb2.Refusal
    promise_get: _promise_pb2.PromiseGetResponse
    promise_create: _promise_pb2.PromiseCreateResponse
    promise_settle: _promise_pb2.PromiseSettleResponse
    promise_register_callback: _promise_pb2.PromiseRegisterCallbackResponse
    promise_register_listener: _promise_pb2.PromiseRegisterListenerResponse
    promise_search: _promise_pb2.PromiseSearchResponse
    promise_wait: _promise_pb2.PromiseWaitResponse
    task_get: _task_pb2.TaskGetResponse
    task_create: _task_pb2.TaskCreateResponse
    task_acquire: _task_pb2.TaskAcquireResponse
    task_fence: _task_pb2.TaskFenceResponse
    task_heartbeat: _task_pb2.TaskHeartbeatResponse
    task_suspend: _task_pb2.TaskSuspendResponse
    task_fulfill: _task_pb2.TaskFulfillResponse
    task_release: _task_pb2.TaskReleaseResponse
    task_halt: _task_pb2.TaskHaltResponse
    task_continue: _task_pb2.TaskContinueResponse
    task_search: _task_pb2.TaskSearchResponse
    schedule_get: _schedule_pb2.ScheduleGetResponse
    schedule_create: _schedule_pb2.ScheduleCreateResponse
    schedule_delete: _schedule_pb2.ScheduleDeleteResponse
    schedule_search: _schedule_pb2.ScheduleSearchResponse
    dispatch_acknowledge: _dispatch_pb2.DispatchAcknowledgeResponse
    dispatch_drain: _dispatch_pb2.DispatchDrainResponse
    def __init__(self, call_id: _Optional[int] = ..., refusal: _Optional[_Union[_refusal_pb2.Refusal, _Mapping]] = ..., promise_get: _Optional[_Union[_promise_pb2.PromiseGetResponse, _Mapping]] = ..., promise_create: _Optional[_Union[_promise_pb2.PromiseCreateResponse, _Mapping]] = ..., promise_settle: _Optional[_Union[_promise_pb2.PromiseSettleResponse, _Mapping]] = ..., promise_register_callback: _Optional[_Union[_promise_pb2.PromiseRegisterCallbackResponse, _Mapping]] = ..., promise_register_listener: _Optional[_Union[_promise_pb2.PromiseRegisterListenerResponse, _Mapping]] = ..., promise_search: _Optional[_Union[_promise_pb2.PromiseSearchResponse, _Mapping]] = ..., promise_wait: _Optional[_Union[_promise_pb2.PromiseWaitResponse, _Mapping]] = ..., task_get: _Optional[_Union[_task_pb2.TaskGetResponse, _Mapping]] = ..., task_create: _Optional[_Union[_task_pb2.TaskCreateResponse, _Mapping]] = ..., task_acquire: _Optional[_Union[_task_pb2.TaskAcquireResponse, _Mapping]] = ..., task_fence: _Optional[_Union[_task_pb2.TaskFenceResponse, _Mapping]] = ..., task_heartbeat: _Optional[_Union[_task_pb2.TaskHeartbeatResponse, _Mapping]] = ..., task_suspend: _Optional[_Union[_task_pb2.TaskSuspendResponse, _Mapping]] = ..., task_fulfill: _Optional[_Union[_task_pb2.TaskFulfillResponse, _Mapping]] = ..., task_release: _Optional[_Union[_task_pb2.TaskReleaseResponse, _Mapping]] = ..., task_halt: _Optional[_Union[_task_pb2.TaskHaltResponse, _Mapping]] = ..., task_continue: _Optional[_Union[_task_pb2.TaskContinueResponse, _Mapping]] = ..., task_search: _Optional[_Union[_task_pb2.TaskSearchResponse, _Mapping]] = ..., schedule_get: _Optional[_Union[_schedule_pb2.ScheduleGetResponse, _Mapping]] = ..., schedule_create: _Optional[_Union[_schedule_pb2.ScheduleCreateResponse, _Mapping]] = ..., schedule_delete: _Optional[_Union[_schedule_pb2.ScheduleDeleteResponse, _Mapping]] = ..., schedule_search: _Optional[_Union[_schedule_pb2.ScheduleSearchResponse, _Mapping]] = ..., dispatch_acknowledge: _Optional[_Union[_dispatch_pb2.DispatchAcknowledgeResponse, _Mapping]] = ..., dispatch_drain: _Optional[_Union[_dispatch_pb2.DispatchDrainResponse, _Mapping]] = ...) -> None: ...

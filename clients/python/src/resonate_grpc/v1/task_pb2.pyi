from resonate_grpc.v1 import promise_pb2 as _promise_pb2
from resonate_grpc.v1 import refusal_pb2 as _refusal_pb2
from resonate_grpc.v1 import value_pb2 as _value_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TaskState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TASK_STATE_UNSPECIFIED: _ClassVar[TaskState]
    TASK_STATE_PENDING: _ClassVar[TaskState]
    TASK_STATE_ACQUIRED: _ClassVar[TaskState]
    TASK_STATE_SUSPENDED: _ClassVar[TaskState]
    TASK_STATE_HALTED: _ClassVar[TaskState]
    TASK_STATE_FULFILLED: _ClassVar[TaskState]
TASK_STATE_UNSPECIFIED: TaskState
TASK_STATE_PENDING: TaskState
TASK_STATE_ACQUIRED: TaskState
TASK_STATE_SUSPENDED: TaskState
TASK_STATE_HALTED: TaskState
TASK_STATE_FULFILLED: TaskState

class TaskRecord(_message.Message):
    __slots__ = ("id", "state", "version", "resumes", "ttl_ms", "pid")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RESUMES_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    PID_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: TaskState
    version: int
    resumes: int
    ttl_ms: int
    pid: str
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[TaskState, str]] = ..., version: _Optional[int] = ..., resumes: _Optional[int] = ..., ttl_ms: _Optional[int] = ..., pid: _Optional[str] = ...) -> None: ...

class TaskRef(_message.Message):
    __slots__ = ("id", "version")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class TaskGetRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TaskGetResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: TaskRecord
    def __init__(self, task: _Optional[_Union[TaskRecord, _Mapping]] = ...) -> None: ...

class TaskCreateRequest(_message.Message):
    __slots__ = ("pid", "ttl_ms", "promise")
    PID_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    pid: str
    ttl_ms: int
    promise: _promise_pb2.PromiseSpec
    def __init__(self, pid: _Optional[str] = ..., ttl_ms: _Optional[int] = ..., promise: _Optional[_Union[_promise_pb2.PromiseSpec, _Mapping]] = ...) -> None: ...

class TaskCreateResponse(_message.Message):
    __slots__ = ("task", "promise")
    TASK_FIELD_NUMBER: _ClassVar[int]
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    task: TaskRecord
    promise: _promise_pb2.PromiseRecord
    def __init__(self, task: _Optional[_Union[TaskRecord, _Mapping]] = ..., promise: _Optional[_Union[_promise_pb2.PromiseRecord, _Mapping]] = ...) -> None: ...

class TaskAcquireRequest(_message.Message):
    __slots__ = ("id", "version", "pid", "ttl_ms")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PID_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    pid: str
    ttl_ms: int
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., pid: _Optional[str] = ..., ttl_ms: _Optional[int] = ...) -> None: ...

class TaskAcquireResponse(_message.Message):
    __slots__ = ("task", "promise")
    TASK_FIELD_NUMBER: _ClassVar[int]
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    task: TaskRecord
    promise: _promise_pb2.PromiseRecord
    def __init__(self, task: _Optional[_Union[TaskRecord, _Mapping]] = ..., promise: _Optional[_Union[_promise_pb2.PromiseRecord, _Mapping]] = ...) -> None: ...

class TaskFenceRequest(_message.Message):
    __slots__ = ("id", "version", "create", "settle")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATE_FIELD_NUMBER: _ClassVar[int]
    SETTLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    create: _promise_pb2.PromiseSpec
    settle: _promise_pb2.PromiseSettlement
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., create: _Optional[_Union[_promise_pb2.PromiseSpec, _Mapping]] = ..., settle: _Optional[_Union[_promise_pb2.PromiseSettlement, _Mapping]] = ...) -> None: ...

class TaskFenceResponse(_message.Message):
    __slots__ = ("promise", "refusal")
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    promise: _promise_pb2.PromiseRecord
    refusal: _refusal_pb2.Refusal
    def __init__(self, promise: _Optional[_Union[_promise_pb2.PromiseRecord, _Mapping]] = ..., refusal: _Optional[_Union[_refusal_pb2.Refusal, _Mapping]] = ...) -> None: ...

class TaskHeartbeatRequest(_message.Message):
    __slots__ = ("pid", "tasks")
    PID_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    pid: str
    tasks: _containers.RepeatedCompositeFieldContainer[TaskRef]
    def __init__(self, pid: _Optional[str] = ..., tasks: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ...) -> None: ...

class TaskHeartbeatResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskSuspendRequest(_message.Message):
    __slots__ = ("id", "version", "awaited_ids")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    AWAITED_IDS_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    awaited_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., awaited_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class TaskSuspended(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskReady(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskSuspendResponse(_message.Message):
    __slots__ = ("suspended", "ready")
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    suspended: TaskSuspended
    ready: TaskReady
    def __init__(self, suspended: _Optional[_Union[TaskSuspended, _Mapping]] = ..., ready: _Optional[_Union[TaskReady, _Mapping]] = ...) -> None: ...

class TaskFulfillRequest(_message.Message):
    __slots__ = ("id", "version", "state", "value")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    state: _promise_pb2.SettleState
    value: _value_pb2.Value
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[_promise_pb2.SettleState, str]] = ..., value: _Optional[_Union[_value_pb2.Value, _Mapping]] = ...) -> None: ...

class TaskFulfillResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: _promise_pb2.PromiseRecord
    def __init__(self, promise: _Optional[_Union[_promise_pb2.PromiseRecord, _Mapping]] = ...) -> None: ...

class TaskReleaseRequest(_message.Message):
    __slots__ = ("id", "version")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class TaskReleaseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskHaltRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TaskHaltResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskContinueRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TaskContinueResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TaskSearchRequest(_message.Message):
    __slots__ = ("state", "limit", "cursor")
    STATE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    state: TaskState
    limit: int
    cursor: str
    def __init__(self, state: _Optional[_Union[TaskState, str]] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class TaskSearchResponse(_message.Message):
    __slots__ = ("tasks", "cursor")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[TaskRecord]
    cursor: str
    def __init__(self, tasks: _Optional[_Iterable[_Union[TaskRecord, _Mapping]]] = ..., cursor: _Optional[str] = ...) -> None: ...

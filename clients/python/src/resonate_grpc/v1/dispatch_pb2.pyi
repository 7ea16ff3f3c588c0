from resonate_grpc.v1 import promise_pb2 as _promise_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DispatchRequest(_message.Message):
    __slots__ = ("group", "pid", "max_in_flight", "auto_acknowledge_unblocks")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    PID_FIELD_NUMBER: _ClassVar[int]
    MAX_IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    AUTO_ACKNOWLEDGE_UNBLOCKS_FIELD_NUMBER: _ClassVar[int]
    group: str
    pid: str
    max_in_flight: int
    auto_acknowledge_unblocks: bool
    def __init__(self, group: _Optional[str] = ..., pid: _Optional[str] = ..., max_in_flight: _Optional[int] = ..., auto_acknowledge_unblocks: bool = ...) -> None: ...

class DispatchResponse(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[DispatchEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[DispatchEvent, _Mapping]]] = ...) -> None: ...

class DispatchEvent(_message.Message):
    __slots__ = ("hello", "execute", "unblock", "ping", "drain")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    EXECUTE_FIELD_NUMBER: _ClassVar[int]
    UNBLOCK_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    hello: DispatchHello
    execute: DispatchExecute
    unblock: DispatchUnblock
    ping: DispatchPing
    drain: DispatchServerDrain
    def __init__(self, hello: _Optional[_Union[DispatchHello, _Mapping]] = ..., execute: _Optional[_Union[DispatchExecute, _Mapping]] = ..., unblock: _Optional[_Union[DispatchUnblock, _Mapping]] = ..., ping: _Optional[_Union[DispatchPing, _Mapping]] = ..., drain: _Optional[_Union[DispatchServerDrain, _Mapping]] = ...) -> None: ...

class DispatchHello(_message.Message):
    __slots__ = ("session_id", "server_version", "ping_interval_ms", "limits", "capabilities")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    PING_INTERVAL_MS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    server_version: str
    ping_interval_ms: int
    limits: DispatchLimits
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., server_version: _Optional[str] = ..., ping_interval_ms: _Optional[int] = ..., limits: _Optional[_Union[DispatchLimits, _Mapping]] = ..., capabilities: _Optional[_Iterable[str]] = ...) -> None: ...

class DispatchLimits(_message.Message):
    __slots__ = ("max_in_flight", "max_request_bytes", "retry_timeout_ms")
    MAX_IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    MAX_REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
    RETRY_TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    max_in_flight: int
    max_request_bytes: int
    retry_timeout_ms: int
    def __init__(self, max_in_flight: _Optional[int] = ..., max_request_bytes: _Optional[int] = ..., retry_timeout_ms: _Optional[int] = ...) -> None: ...

class DispatchExecute(_message.Message):
    __slots__ = ("task_id", "version")
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    task_id: str
    version: int
    def __init__(self, task_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class DispatchUnblock(_message.Message):
    __slots__ = ("promise", "address")
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    promise: _promise_pb2.PromiseRecord
    address: str
    def __init__(self, promise: _Optional[_Union[_promise_pb2.PromiseRecord, _Mapping]] = ..., address: _Optional[str] = ...) -> None: ...

class DispatchPing(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DispatchServerDrain(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DispatchAcknowledgeRequest(_message.Message):
    __slots__ = ("unblocks",)
    UNBLOCKS_FIELD_NUMBER: _ClassVar[int]
    unblocks: _containers.RepeatedCompositeFieldContainer[UnblockRef]
    def __init__(self, unblocks: _Optional[_Iterable[_Union[UnblockRef, _Mapping]]] = ...) -> None: ...

class UnblockRef(_message.Message):
    __slots__ = ("promise_id", "address")
    PROMISE_ID_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    promise_id: str
    address: str
    def __init__(self, promise_id: _Optional[str] = ..., address: _Optional[str] = ...) -> None: ...

class DispatchAcknowledgeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DispatchDrainRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class DispatchDrainResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

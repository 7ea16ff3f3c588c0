from resonate_grpc.v1 import value_pb2 as _value_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PromiseState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROMISE_STATE_UNSPECIFIED: _ClassVar[PromiseState]
    PROMISE_STATE_PENDING: _ClassVar[PromiseState]
    PROMISE_STATE_RESOLVED: _ClassVar[PromiseState]
    PROMISE_STATE_REJECTED: _ClassVar[PromiseState]
    PROMISE_STATE_REJECTED_CANCELED: _ClassVar[PromiseState]
    PROMISE_STATE_REJECTED_TIMEDOUT: _ClassVar[PromiseState]

class SettleState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SETTLE_STATE_UNSPECIFIED: _ClassVar[SettleState]
    SETTLE_STATE_RESOLVED: _ClassVar[SettleState]
    SETTLE_STATE_REJECTED: _ClassVar[SettleState]
    SETTLE_STATE_REJECTED_CANCELED: _ClassVar[SettleState]
PROMISE_STATE_UNSPECIFIED: PromiseState
PROMISE_STATE_PENDING: PromiseState
PROMISE_STATE_RESOLVED: PromiseState
PROMISE_STATE_REJECTED: PromiseState
PROMISE_STATE_REJECTED_CANCELED: PromiseState
PROMISE_STATE_REJECTED_TIMEDOUT: PromiseState
SETTLE_STATE_UNSPECIFIED: SettleState
SETTLE_STATE_RESOLVED: SettleState
SETTLE_STATE_REJECTED: SettleState
SETTLE_STATE_REJECTED_CANCELED: SettleState

class PromiseRecord(_message.Message):
    __slots__ = ("id", "state", "param", "value", "tags", "timeout_at_ms", "created_at_ms", "settled_at_ms")
    class TagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PARAM_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_AT_MS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    SETTLED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: PromiseState
    param: _value_pb2.Value
    value: _value_pb2.Value
    tags: _containers.ScalarMap[str, str]
    timeout_at_ms: int
    created_at_ms: int
    settled_at_ms: int
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[PromiseState, str]] = ..., param: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., value: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., tags: _Optional[_Mapping[str, str]] = ..., timeout_at_ms: _Optional[int] = ..., created_at_ms: _Optional[int] = ..., settled_at_ms: _Optional[int] = ...) -> None: ...

class PromiseSpec(_message.Message):
    __slots__ = ("id", "timeout_at_ms", "param", "tags")
    class TagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_AT_MS_FIELD_NUMBER: _ClassVar[int]
    PARAM_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    id: str
    timeout_at_ms: int
    param: _value_pb2.Value
    tags: _containers.ScalarMap[str, str]
    def __init__(self, id: _Optional[str] = ..., timeout_at_ms: _Optional[int] = ..., param: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., tags: _Optional[_Mapping[str, str]] = ...) -> None: ...

class PromiseSettlement(_message.Message):
    __slots__ = ("id", "state", "value")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: SettleState
    value: _value_pb2.Value
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[SettleState, str]] = ..., value: _Optional[_Union[_value_pb2.Value, _Mapping]] = ...) -> None: ...

class PromiseGetRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class PromiseGetResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

class PromiseCreateRequest(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseSpec
    def __init__(self, promise: _Optional[_Union[PromiseSpec, _Mapping]] = ...) -> None: ...

class PromiseCreateResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

class PromiseSettleRequest(_message.Message):
    __slots__ = ("settlement",)
    SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    settlement: PromiseSettlement
    def __init__(self, settlement: _Optional[_Union[PromiseSettlement, _Mapping]] = ...) -> None: ...

class PromiseSettleResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

class PromiseRegisterCallbackRequest(_message.Message):
    __slots__ = ("awaited_id", "awaiter_id")
    AWAITED_ID_FIELD_NUMBER: _ClassVar[int]
    AWAITER_ID_FIELD_NUMBER: _ClassVar[int]
    awaited_id: str
    awaiter_id: str
    def __init__(self, awaited_id: _Optional[str] = ..., awaiter_id: _Optional[str] = ...) -> None: ...

class PromiseRegisterCallbackResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

class PromiseRegisterListenerRequest(_message.Message):
    __slots__ = ("awaited_id", "address")
    AWAITED_ID_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    awaited_id: str
    address: str
    def __init__(self, awaited_id: _Optional[str] = ..., address: _Optional[str] = ...) -> None: ...

class PromiseRegisterListenerResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

class PromiseSearchRequest(_message.Message):
    __slots__ = ("state", "tags", "limit", "cursor")
    class TagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    STATE_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    state: PromiseState
    tags: _containers.ScalarMap[str, str]
    limit: int
    cursor: str
    def __init__(self, state: _Optional[_Union[PromiseState, str]] = ..., tags: _Optional[_Mapping[str, str]] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class PromiseSearchResponse(_message.Message):
    __slots__ = ("promises", "cursor")
    PROMISES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    promises: _containers.RepeatedCompositeFieldContainer[PromiseRecord]
    cursor: str
    def __init__(self, promises: _Optional[_Iterable[_Union[PromiseRecord, _Mapping]]] = ..., cursor: _Optional[str] = ...) -> None: ...

class PromiseWaitRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class PromiseWaitResponse(_message.Message):
    __slots__ = ("promise",)
    PROMISE_FIELD_NUMBER: _ClassVar[int]
    promise: PromiseRecord
    def __init__(self, promise: _Optional[_Union[PromiseRecord, _Mapping]] = ...) -> None: ...

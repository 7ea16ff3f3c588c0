from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_INVALID_REQUEST: _ClassVar[Reason]
    REASON_PROMISE_NOT_FOUND: _ClassVar[Reason]
    REASON_TASK_NOT_FOUND: _ClassVar[Reason]
    REASON_SCHEDULE_NOT_FOUND: _ClassVar[Reason]
    REASON_SESSION_NOT_FOUND: _ClassVar[Reason]
    REASON_TASK_MISSING: _ClassVar[Reason]
    REASON_PROMISE_MISSING: _ClassVar[Reason]
    REASON_TASK_NOT_ACQUIRED: _ClassVar[Reason]
    REASON_TASK_NOT_PENDING: _ClassVar[Reason]
    REASON_PROMISE_NOT_LIVE: _ClassVar[Reason]
    REASON_TASK_VERSION_MISMATCH: _ClassVar[Reason]
    REASON_TASK_FULFILLED: _ClassVar[Reason]
    REASON_TASK_NOT_HALTED: _ClassVar[Reason]
    REASON_AWAITER_NOT_FOUND: _ClassVar[Reason]
    REASON_AWAITER_WITHOUT_TARGET: _ClassVar[Reason]
    REASON_AWAITED_NOT_FOUND: _ClassVar[Reason]
    REASON_PROMISE_WITHOUT_TARGET: _ClassVar[Reason]
    REASON_NOT_IMPLEMENTED: _ClassVar[Reason]
    REASON_SESSION_REPLACED: _ClassVar[Reason]
    REASON_SESSION_STALLED: _ClassVar[Reason]
    REASON_OVERLOADED: _ClassVar[Reason]
    REASON_STORAGE_FULL: _ClassVar[Reason]
    REASON_DRAINING: _ClassVar[Reason]
    REASON_FAULT: _ClassVar[Reason]
REASON_UNSPECIFIED: Reason
REASON_INVALID_REQUEST: Reason
REASON_PROMISE_NOT_FOUND: Reason
REASON_TASK_NOT_FOUND: Reason
REASON_SCHEDULE_NOT_FOUND: Reason
REASON_SESSION_NOT_FOUND: Reason
REASON_TASK_MISSING: Reason
REASON_PROMISE_MISSING: Reason
REASON_TASK_NOT_ACQUIRED: Reason
REASON_TASK_NOT_PENDING: Reason
REASON_PROMISE_NOT_LIVE: Reason
REASON_TASK_VERSION_MISMATCH: Reason
REASON_TASK_FULFILLED: Reason
REASON_TASK_NOT_HALTED: Reason
REASON_AWAITER_NOT_FOUND: Reason
REASON_AWAITER_WITHOUT_TARGET: Reason
REASON_AWAITED_NOT_FOUND: Reason
REASON_PROMISE_WITHOUT_TARGET: Reason
REASON_NOT_IMPLEMENTED: Reason
REASON_SESSION_REPLACED: Reason
REASON_SESSION_STALLED: Reason
REASON_OVERLOADED: Reason
REASON_STORAGE_FULL: Reason
REASON_DRAINING: Reason
REASON_FAULT: Reason

class Refusal(_message.Message):
    __slots__ = ("reason", "protocol_status", "message", "metadata", "code")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_STATUS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    reason: Reason
    protocol_status: int
    message: str
    metadata: _containers.ScalarMap[str, str]
    code: int
    def __init__(self, reason: _Optional[_Union[Reason, str]] = ..., protocol_status: _Optional[int] = ..., message: _Optional[str] = ..., metadata: _Optional[_Mapping[str, str]] = ..., code: _Optional[int] = ...) -> None: ...

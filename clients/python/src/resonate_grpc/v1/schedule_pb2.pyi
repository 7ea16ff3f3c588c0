from resonate_grpc.v1 import value_pb2 as _value_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScheduleSpec(_message.Message):
    __slots__ = ("id", "cron", "promise_id", "promise_timeout_ms", "promise_param", "promise_tags")
    class PromiseTagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    CRON_FIELD_NUMBER: _ClassVar[int]
    PROMISE_ID_FIELD_NUMBER: _ClassVar[int]
    PROMISE_TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    PROMISE_PARAM_FIELD_NUMBER: _ClassVar[int]
    PROMISE_TAGS_FIELD_NUMBER: _ClassVar[int]
    id: str
    cron: str
    promise_id: str
    promise_timeout_ms: int
    promise_param: _value_pb2.Value
    promise_tags: _containers.ScalarMap[str, str]
    def __init__(self, id: _Optional[str] = ..., cron: _Optional[str] = ..., promise_id: _Optional[str] = ..., promise_timeout_ms: _Optional[int] = ..., promise_param: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., promise_tags: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ScheduleRecord(_message.Message):
    __slots__ = ("id", "cron", "promise_id", "promise_timeout_ms", "promise_param", "promise_tags", "created_at_ms", "next_run_at_ms", "last_run_at_ms")
    class PromiseTagsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    CRON_FIELD_NUMBER: _ClassVar[int]
    PROMISE_ID_FIELD_NUMBER: _ClassVar[int]
    PROMISE_TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    PROMISE_PARAM_FIELD_NUMBER: _ClassVar[int]
    PROMISE_TAGS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    NEXT_RUN_AT_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_RUN_AT_MS_FIELD_NUMBER: _ClassVar[int]
    id: str
    cron: str
    promise_id: str
    promise_timeout_ms: int
    promise_param: _value_pb2.Value
    promise_tags: _containers.ScalarMap[str, str]
    created_at_ms: int
    next_run_at_ms: int
    last_run_at_ms: int
    def __init__(self, id: _Optional[str] = ..., cron: _Optional[str] = ..., promise_id: _Optional[str] = ..., promise_timeout_ms: _Optional[int] = ..., promise_param: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., promise_tags: _Optional[_Mapping[str, str]] = ..., created_at_ms: _Optional[int] = ..., next_run_at_ms: _Optional[int] = ..., last_run_at_ms: _Optional[int] = ...) -> None: ...

class ScheduleGetRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ScheduleGetResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleRecord
    def __init__(self, schedule: _Optional[_Union[ScheduleRecord, _Mapping]] = ...) -> None: ...

class ScheduleCreateRequest(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleSpec
    def __init__(self, schedule: _Optional[_Union[ScheduleSpec, _Mapping]] = ...) -> None: ...

class ScheduleCreateResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: ScheduleRecord
    def __init__(self, schedule: _Optional[_Union[ScheduleRecord, _Mapping]] = ...) -> None: ...

class ScheduleDeleteRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ScheduleDeleteResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ScheduleSearchRequest(_message.Message):
    __slots__ = ("limit", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ScheduleSearchResponse(_message.Message):
    __slots__ = ("schedules", "cursor")
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    schedules: _containers.RepeatedCompositeFieldContainer[ScheduleRecord]
    cursor: str
    def __init__(self, schedules: _Optional[_Iterable[_Union[ScheduleRecord, _Mapping]]] = ..., cursor: _Optional[str] = ...) -> None: ...

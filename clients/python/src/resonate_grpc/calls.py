"""Every unary RPC: its name, its messages, and whether the proto says that a retry is always safe."""

from __future__ import annotations

import functools
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

from google.protobuf.message import Message

from resonate_grpc.v1 import dispatch_pb2 as dispatch
from resonate_grpc.v1 import promise_pb2 as promise
from resonate_grpc.v1 import schedule_pb2 as schedule
from resonate_grpc.v1 import task_pb2 as task

if TYPE_CHECKING:
    from resonate_grpc.client import AsyncClient
    from resonate_grpc.sync.client import Client

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
RequestIn = TypeVar("RequestIn", bound=Message, contravariant=True)
ResponseOut = TypeVar("ResponseOut", bound=Message, covariant=True)


class AsyncCall(Protocol[RequestIn, ResponseOut]):
    """An RPC as a method of an `AsyncClient`. Raises a `ResonateError`."""

    def __call__(self, request: RequestIn, *, timeout: float | None = None) -> Awaitable[ResponseOut]:
        """Make the call. `timeout` is in seconds, its retries included; over 24 days: for ever; None: the client's."""


class SyncCall(Protocol[RequestIn, ResponseOut]):
    """An RPC as a method of a `Client`. Raises a `ResonateError`."""

    def __call__(self, request: RequestIn, *, timeout: float | None = None) -> ResponseOut:
        """Make the call. `timeout` is in seconds, its retries included; over 24 days: for ever; None: the client's."""


class Rpc(Generic[Request, Response]):
    """One unary RPC. As an attribute of a client it is a method that makes the call."""

    path = ""
    """Where gRPC finds it. Made from its name in the table."""

    def __init__(self, service: str, request: type[Request], response: type[Response], *, retry_safe: bool) -> None:
        """Take what the proto says about it."""
        self.service = service
        self.request = request
        self.response = response
        self.retry_safe = retry_safe

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn its name."""
        self.path = f"/resonate_grpc.v1.{self.service}/{name.title().replace('_', '')}"

    @overload
    def __get__(self, client: None, owner: Any) -> Rpc[Request, Response]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: Any) -> AsyncCall[Request, Response]: ...
    @overload
    def __get__(self, client: Client, owner: Any) -> SyncCall[Request, Response]: ...
    def __get__(self, client: Any, owner: Any) -> Any:
        """Bind it to a client."""
        return self if client is None else functools.partial(client.call, self)


_PROMISE, _TASK, _SCHEDULE, _DISPATCH = "PromiseService", "TaskService", "ScheduleService", "DispatchService"


class Calls:
    """The table, which both clients inherit: a method for every unary RPC, named as in the proto, where it is documented."""

    promise_get = Rpc(_PROMISE, promise.PromiseGetRequest, promise.PromiseGetResponse, retry_safe=True)
    promise_create = Rpc(_PROMISE, promise.PromiseCreateRequest, promise.PromiseCreateResponse, retry_safe=True)
    promise_settle = Rpc(_PROMISE, promise.PromiseSettleRequest, promise.PromiseSettleResponse, retry_safe=True)
    promise_register_callback = Rpc(
        _PROMISE, promise.PromiseRegisterCallbackRequest, promise.PromiseRegisterCallbackResponse, retry_safe=True
    )
    promise_register_listener = Rpc(
        _PROMISE, promise.PromiseRegisterListenerRequest, promise.PromiseRegisterListenerResponse, retry_safe=True
    )
    promise_search = Rpc(_PROMISE, promise.PromiseSearchRequest, promise.PromiseSearchResponse, retry_safe=False)
    promise_wait = Rpc(_PROMISE, promise.PromiseWaitRequest, promise.PromiseWaitResponse, retry_safe=True)
    task_get = Rpc(_TASK, task.TaskGetRequest, task.TaskGetResponse, retry_safe=True)
    task_create = Rpc(_TASK, task.TaskCreateRequest, task.TaskCreateResponse, retry_safe=False)
    task_acquire = Rpc(_TASK, task.TaskAcquireRequest, task.TaskAcquireResponse, retry_safe=False)
    task_fence = Rpc(_TASK, task.TaskFenceRequest, task.TaskFenceResponse, retry_safe=False)
    task_heartbeat = Rpc(_TASK, task.TaskHeartbeatRequest, task.TaskHeartbeatResponse, retry_safe=True)
    task_suspend = Rpc(_TASK, task.TaskSuspendRequest, task.TaskSuspendResponse, retry_safe=False)
    task_fulfill = Rpc(_TASK, task.TaskFulfillRequest, task.TaskFulfillResponse, retry_safe=False)
    task_release = Rpc(_TASK, task.TaskReleaseRequest, task.TaskReleaseResponse, retry_safe=False)
    task_halt = Rpc(_TASK, task.TaskHaltRequest, task.TaskHaltResponse, retry_safe=True)
    task_continue = Rpc(_TASK, task.TaskContinueRequest, task.TaskContinueResponse, retry_safe=False)
    task_search = Rpc(_TASK, task.TaskSearchRequest, task.TaskSearchResponse, retry_safe=False)
    schedule_get = Rpc(_SCHEDULE, schedule.ScheduleGetRequest, schedule.ScheduleGetResponse, retry_safe=True)
    schedule_create = Rpc(_SCHEDULE, schedule.ScheduleCreateRequest, schedule.ScheduleCreateResponse, retry_safe=True)
    schedule_delete = Rpc(_SCHEDULE, schedule.ScheduleDeleteRequest, schedule.ScheduleDeleteResponse, retry_safe=False)
    schedule_search = Rpc(_SCHEDULE, schedule.ScheduleSearchRequest, schedule.ScheduleSearchResponse, retry_safe=False)
    dispatch_acknowledge = Rpc(
        _DISPATCH, dispatch.DispatchAcknowledgeRequest, dispatch.DispatchAcknowledgeResponse, retry_safe=True
    )
    dispatch_drain = Rpc(_DISPATCH, dispatch.DispatchDrainRequest, dispatch.DispatchDrainResponse, retry_safe=True)

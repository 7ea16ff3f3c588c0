"""The client for asyncio."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, TypeVar

import grpc
import grpc.aio
from grpc import StatusCode

from resonate_grpc.backoff import CALL_BACKOFF, backoff_delay
from resonate_grpc.calls import Calls, Request, Response, Rpc
from resonate_grpc.clock import Clock
from resonate_grpc.errors import ResonateError, from_rpc_error, is_transient
from resonate_grpc.latch import settle, sleep
from resonate_grpc.v1.dispatch_pb2 import DispatchRequest, DispatchResponse
from resonate_grpc.v1.promise_pb2 import PromiseCreateRequest, PromiseRecord, PromiseWaitRequest
from resonate_grpc.work import Work, to_promise_spec

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

T = TypeVar("T")

DEFAULT_TIMEOUT = 30.0
"""For a call, in seconds."""
_LONGEST_TIMEOUT = 24 * 86_400.0
"""The server's timers end here: a longer timeout means none."""
_WAIT_SLICE = 60.0
"""One PromiseWait: proxies cut calls that are silent for long."""

_CHANNEL_OPTIONS = {
    # The server bounds its messages by its own limit on requests, which its operator may have raised.
    "grpc.max_receive_message_length": -1,
    # A connection that a network swallowed is found out even while only a Dispatch stream is open.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.http2.ping_timeout_ms": 10_000,
    "grpc.http2.max_pings_without_data": 0,
    # Else gRPC would find the old connection again when `reconnect` asks for a new one.
    "grpc.use_local_subchannel_pool": 1,
    # The default waits up to two minutes before it looks whether the server is back.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 5_000,
}


class AsyncClient(Calls):
    """A typed client: a method for every unary RPC, named as in the proto (`promise_get`, …), and the caller's side.

    Calls of which the proto says that a retry is always safe are retried on UNAVAILABLE with jittered back-off until their timeout;
    no other call is ever retried. Every error is a `ResonateError`. It is an async context manager, which closes it.
    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        options: Sequence[tuple[str, Any]] = (),
        timeout: float = DEFAULT_TIMEOUT,
        clock: Clock | None = None,
    ) -> None:
        """Connect when the first call is made.

        `address` is `host:port`, or any name that gRPC understands; without `credentials` there is no TLS; `options` are those of a
        gRPC channel; `timeout` is for calls that have none of their own, in seconds; `clock` is for tests.
        """
        self.clock = clock or Clock()
        self._connect = _connector(address, credentials, [*{**_CHANNEL_OPTIONS, **dict(options)}.items()])
        self._timeout = timeout
        self._channel: grpc.aio.Channel | None = None
        self.closed = False
        """Tells whether `close` was called."""

    async def __aenter__(self) -> Self:
        """Do nothing: the first call connects."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        await self.close()

    async def close(self) -> None:
        """Close the channel. Calls that are under way, and later ones, fail with CANCELLED."""
        self.closed = True
        await self.reconnect()

    async def reconnect(self) -> None:
        """Give up the connection, which seems dead, for a new one. Calls that are under way fail with UNAVAILABLE."""
        channel, self._channel = self._channel, None
        if channel is not None:
            await channel.close()

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, timeout: float | None = None) -> Response:
        """Make a call, retries included. `client.promise_get(request)` is `client.call(Calls.promise_get, request)`."""
        end_at = self.clock.now() + (self._timeout if timeout is None else timeout)
        failures = 0
        while True:
            try:
                return await self._attempt(rpc, request, end_at - self.clock.now())
            except ResonateError as error:
                delay = backoff_delay(CALL_BACKOFF, failures, self.clock)
                if not rpc.retry_safe or error.code is not StatusCode.UNAVAILABLE or self.clock.now() + delay >= end_at:
                    raise
            await sleep(self.clock, delay)
            failures += 1

    async def dispatch(self, request: DispatchRequest) -> AsyncGenerator[DispatchResponse, None]:
        """Open a Dispatch stream as it is: no timeout, no reconnect. Workers and listeners keep one open by themselves."""
        call = self._opened().unary_stream(
            "/resonate_grpc.v1.DispatchService/Dispatch",
            request_serializer=DispatchRequest.SerializeToString,
            response_deserializer=DispatchResponse.FromString,
        )(request)
        try:
            while True:
                frame = await self._translated(call.read())
                if not isinstance(frame, DispatchResponse):  # The end, with OK.
                    return
                yield frame
        finally:
            call.cancel()

    async def create(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create the work, or find it under its id, as it stands. See `Work` for the keywords."""
        spec = to_promise_spec(id, **work)
        return (await self.promise_create(PromiseCreateRequest(promise=spec))).promise

    async def wait(self, id: str, *, timeout: float = math.inf) -> PromiseRecord:
        """Wait until the promise is settled and return it, over restarts of the server.

        Raises NOT_FOUND for an unknown promise, and DEADLINE_EXCEEDED or UNAVAILABLE when `timeout` seconds have passed.
        """
        end_at = self.clock.now() + timeout
        failures = 0
        while True:
            try:
                request = PromiseWaitRequest(id=id)
                return (await self.promise_wait(request, timeout=min(end_at - self.clock.now(), _WAIT_SLICE))).promise
            except ResonateError as error:
                delay = backoff_delay(CALL_BACKOFF, failures, self.clock)
                if self.closed or not is_transient(error) or self.clock.now() + delay >= end_at:
                    raise
                # A slice that passed quietly is no failure.
                failures = 0 if error.code is StatusCode.DEADLINE_EXCEEDED else failures + 1
            await sleep(self.clock, delay)

    async def invoke(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create the work, or find it under its id, and wait for its outcome, over restarts of the server.

        Calling it again with the same id, from any process, waits for the same work. See `unwrap` for the value.
        """
        await self.create(id, **work)
        return await self.wait(id)

    async def _attempt(self, rpc: Rpc[Request, Response], request: Request, timeout: float) -> Response:
        method = self._opened().unary_unary(
            rpc.path,
            request_serializer=type(request).SerializeToString,
            response_deserializer=rpc.response.FromString,
        )
        return await self._translated(method(request, timeout=None if timeout > _LONGEST_TIMEOUT else timeout))

    async def _translated(self, call: Awaitable[T]) -> T:
        task = asyncio.ensure_future(call)
        try:
            await settle(task)
            if task.cancelled():
                # Not by our caller: gRPC cancels what is under way when its channel is closed.
                raise _closed() if self.closed else ResonateError("the connection was given up", StatusCode.UNAVAILABLE)
            return task.result()
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        finally:
            del task  # It holds the error that it raised, and that holds this frame: a circle.

    def _opened(self) -> grpc.aio.Channel:
        if self.closed:
            raise _closed()
        if self._channel is None:
            self._channel = self._connect()
        return self._channel


def _closed() -> ResonateError:
    return ResonateError("the client is closed", StatusCode.CANCELLED)


def _connector(
    address: str, credentials: grpc.ChannelCredentials | None, options: Sequence[tuple[str, Any]]
) -> Callable[[], grpc.aio.Channel]:
    """A channel belongs to the event loop that runs when it is made: so it is made as late as possible."""
    if credentials is None:
        return lambda: grpc.aio.insecure_channel(address, options)
    return lambda: grpc.aio.secure_channel(address, credentials, options)

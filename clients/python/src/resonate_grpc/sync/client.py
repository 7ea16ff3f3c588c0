"""The client for threads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import grpc

from resonate_grpc.calls import Calls, Request, Response, Rpc
from resonate_grpc.client import DEFAULT_TIMEOUT, AsyncClient
from resonate_grpc.clock import Clock
from resonate_grpc.sync.loop_thread import shared_loop
from resonate_grpc.v1.promise_pb2 import PromiseRecord
from resonate_grpc.work import Work

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Client(Calls):
    """`AsyncClient` for threads: the same methods, which block. Any number of threads may use it. A context manager closes it."""

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        options: Sequence[tuple[str, Any]] = (),
        timeout: float = DEFAULT_TIMEOUT,
        clock: Clock | None = None,
    ) -> None:
        """Connect when the first call is made. See `AsyncClient` for the arguments."""
        self.asynchronous = AsyncClient(address, credentials=credentials, options=options, timeout=timeout, clock=clock)
        """The client behind it. It belongs to the event loop of `shared_loop`."""

    def __enter__(self) -> Self:
        """Do nothing: the first call connects."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Close the channel. Calls that are under way, and later ones, fail with CANCELLED."""
        shared_loop().run(self.asynchronous.close())

    def call(self, rpc: Rpc[Request, Response], request: Request, *, timeout: float | None = None) -> Response:
        """Make a call, retries included. `client.promise_get(request)` is `client.call(Calls.promise_get, request)`."""
        return shared_loop().run(self.asynchronous.call(rpc, request, timeout=timeout))

    def create(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create the work, or find it under its id, as it stands. See `Work` for the keywords."""
        return shared_loop().run(self.asynchronous.create(id, **work))

    def wait(self, id: str, *, timeout: float = math.inf) -> PromiseRecord:
        """Wait until the promise is settled and return it, over restarts of the server.

        Raises NOT_FOUND for an unknown promise, and DEADLINE_EXCEEDED or UNAVAILABLE when `timeout` seconds have passed.
        """
        return shared_loop().run(self.asynchronous.wait(id, timeout=timeout))

    def invoke(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create the work, or find it under its id, and wait for its outcome, over restarts of the server.

        Calling it again with the same id, from any process, waits for the same work. See `unwrap` for the value.
        """
        return shared_loop().run(self.asynchronous.invoke(id, **work))

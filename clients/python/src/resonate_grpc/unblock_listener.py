"""Waiting for many promises over one stream, for asyncio."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from grpc import StatusCode

from resonate_grpc.acknowledger import Acknowledger
from resonate_grpc.background import keep, log
from resonate_grpc.client import AsyncClient
from resonate_grpc.dispatch_stream import DispatchStream
from resonate_grpc.errors import ResonateError
from resonate_grpc.latch import Interrupted, Latch, unless
from resonate_grpc.pid import new_pid
from resonate_grpc.records import is_settled
from resonate_grpc.v1.dispatch_pb2 import DispatchExecute, DispatchHello, DispatchRequest, DispatchUnblock
from resonate_grpc.v1.promise_pb2 import PromiseRecord, PromiseRegisterListenerRequest

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncUnblockListener:
    """Waits for many promises over one stream.

    The registration is durable: an unblock is sent until it is acknowledged, over reconnects and restarts of the server; this
    acknowledges it once the waiting callers have it. It is an async context manager, which starts and stops it.
    """

    def __init__(self, client: AsyncClient, *, group: str, pid: str | None = None) -> None:
        """Get ready; `start` begins.

        - `group`: without a slash: it is part of the address.
        - `pid`: unique among the processes. None: a new one; then what was registered before a restart of this process waits for
          nobody.
        """
        if "/" in group:
            raise ValueError(f"a group with a slash has no uni address: {group!r}")
        pid = pid or new_pid()
        self.address = f"uni@{group}/{pid}"
        """Where unblocks are sent."""
        self._client = client
        self._acknowledger = Acknowledger(client)
        self._stream = DispatchStream(client, DispatchRequest(group=group, pid=pid, max_in_flight=0), _Listener(self))
        self._waiters: dict[str, set[asyncio.Future[PromiseRecord]]] = {}
        self._failure: ResonateError | None = None

    async def __aenter__(self) -> Self:
        """Start."""
        self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        await self.stop()

    def start(self) -> None:
        """Open the stream, in the event loop that runs. `listen` may be called before."""
        self._stream.start()

    async def stop(self) -> None:
        """End the stream. Who still waits gets an error; what was registered stays registered."""
        self._fail(ResonateError("the listener was stopped", StatusCode.CANCELLED))
        await self._stream.stop()
        await self._acknowledger.finish()

    async def listen(self, id: str, *, timeout: float = math.inf) -> PromiseRecord:
        """Register for the promise and return it once it is settled, at once if it is already.

        Raises NOT_FOUND for an unknown promise, DEADLINE_EXCEEDED when `timeout` seconds have passed, and the stream's error if it
        has ended for good.
        """
        late = Latch()
        timer = None if math.isinf(timeout) else self._client.clock.call_later(timeout, late.set)
        try:
            return await unless(late, self._listen(id))
        except Interrupted:
            raise ResonateError(f"promise {id!r} is still pending", StatusCode.DEADLINE_EXCEEDED) from None
        finally:
            if timer is not None:
                timer.cancel()

    async def as_settled(self, ids: Iterable[str]) -> AsyncGenerator[PromiseRecord, None]:
        """Listen to all of them, and yield each when it is settled: `async for record in listener.as_settled(ids)`."""
        listening = [keep(self.listen(id)) for id in ids]
        try:
            for settled in asyncio.as_completed(listening):
                yield await settled
        finally:
            for each in listening:
                each.cancel()

    async def _listen(self, id: str) -> PromiseRecord:
        if self._failure is not None:
            raise self._failure
        # Before registering: the unblock can overtake the answer.
        unblocked: asyncio.Future[PromiseRecord] = asyncio.get_running_loop().create_future()
        waiters = self._waiters.setdefault(id, set())
        waiters.add(unblocked)
        registering = keep(self._register(id))
        try:
            await asyncio.wait({unblocked, registering}, return_when=asyncio.FIRST_COMPLETED)
            if unblocked.done() or not is_settled(registering.result()):
                return await unblocked
            return registering.result()
        finally:
            registering.cancel()
            waiters.discard(unblocked)
            if not waiters and self._waiters.get(id) is waiters:
                del self._waiters[id]

    async def _register(self, id: str) -> PromiseRecord:
        request = PromiseRegisterListenerRequest(awaited_id=id, address=self.address)
        return (await self._client.promise_register_listener(request)).promise

    def _unblocked(self, unblock: DispatchUnblock) -> None:
        """One that nobody waits for is acknowledged as well: whoever asks again gets the outcome as the answer to registering."""
        for waiter in self._waiters.get(unblock.promise.id, ()):
            if not waiter.done():
                waiter.set_result(unblock.promise)
        self._acknowledger.acknowledge(unblock)

    def _fail(self, error: ResonateError) -> None:
        self._failure = self._failure or error
        for waiters in self._waiters.values():
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_exception(error)


class _Listener:
    """What happens on its stream."""

    def __init__(self, listener: AsyncUnblockListener) -> None:
        self._listener = listener

    def hello(self, hello: DispatchHello) -> None:
        log.info("listening as %s, session %s", self._listener.address, hello.session_id)

    def execute(self, execute: DispatchExecute) -> None:
        """None comes: the stream has no credit."""

    def unblock(self, unblock: DispatchUnblock) -> None:
        self._listener._unblocked(unblock)

    def lapsed(self) -> None:
        """Nothing was pushed."""

    def failed(self, error: ResonateError) -> None:
        self._listener._fail(error)

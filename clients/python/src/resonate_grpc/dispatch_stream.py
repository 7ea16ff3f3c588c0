"""Keeping a Dispatch stream open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Protocol

from grpc import StatusCode

from resonate_grpc.background import log, spawn
from resonate_grpc.backoff import CALL_BACKOFF, Backoff, backoff_delay
from resonate_grpc.client import AsyncClient
from resonate_grpc.errors import ResonateError
from resonate_grpc.latch import Interrupted, Latch, sleep, unless
from resonate_grpc.v1.dispatch_pb2 import (
    DispatchEvent,
    DispatchExecute,
    DispatchHello,
    DispatchRequest,
    DispatchResponse,
    DispatchUnblock,
)

_HELLO_TIMEOUT = 15.0
"""How long the server may take to say hello, in seconds."""
_SILENT_INTERVALS = 3
"""A stream is dead after this many ping intervals of silence."""
_STABLE = 10.0
"""A stream that lasted this long, in seconds, was a good one: the next reconnect is a first one again."""
_DRAIN_SPREAD = Backoff(2, 2)
"""After a drain all clients of a server come back at about the same time: this spreads them."""


class DispatchListener(Protocol):
    """What happens on a stream."""

    def hello(self, hello: DispatchHello) -> None:
        """The stream is open: the first time, or again."""

    def execute(self, execute: DispatchExecute) -> None:
        """A task can be acquired."""

    def unblock(self, unblock: DispatchUnblock) -> None:
        """A promise has settled. The same one may come twice."""

    def lapsed(self) -> None:
        """What was pushed and not acquired goes to others: the server is about to stop, or the stream has ended."""

    def failed(self, error: ResonateError) -> None:
        """The stream has ended for good: another process has this pid, or the request is wrong."""


class DispatchStream:
    """Keeps one Dispatch stream open.

    It reconnects with jittered back-off after any end but a final one, and, over a new connection, after three ping
    intervals of silence. Final is also that the client is closed.
    """

    def __init__(self, client: AsyncClient, request: DispatchRequest, listener: DispatchListener) -> None:
        """Tell the listener what happens, once started."""
        self._client = client
        self._request = request
        self._listener = listener
        self._stopped = Latch()
        self._task: asyncio.Task[None] | None = None
        self._silence = _HELLO_TIMEOUT
        self._hello_at: float | None = None
        self._draining = False

    def start(self) -> None:
        """Open the stream; not once it was stopped."""
        if not self._stopped.is_set and self._task is None:
            self._task = spawn(self._run())

    async def stop(self) -> None:
        """End the stream for good. Nothing is told from now on."""
        self._stopped.set()
        if self._task is not None and self._task is not asyncio.current_task():
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        clock = self._client.clock
        failures = 0
        while not self._stopped.is_set:
            error = await self._listen()
            if self._stopped.is_set:
                return None
            self._listener.lapsed()
            if error is not None and (_is_final(error) or self._client.closed):
                log.error("dispatch stream has ended for good: %s (%s)", error, error.reason)
                return self._listener.failed(error)
            log.warning("dispatch stream has ended: %s", error or "it was silent, or cut")
            if self._hello_at is not None and clock.now() - self._hello_at >= _STABLE:
                failures = 0
            await sleep(
                clock, backoff_delay(_DRAIN_SPREAD if self._draining else CALL_BACKOFF, failures, clock), self._stopped
            )
            failures += 1
        return None

    async def _listen(self) -> ResonateError | None:
        """One stream, until it ends. None: it was silent, or ended with OK, which the server never does, or we were stopped."""
        self._hello_at = None
        self._draining = False
        self._silence = _HELLO_TIMEOUT
        frames = self._client.dispatch(self._request)
        try:
            while True:
                frame = await self._next(frames)
                for event in frame.events:
                    self._tell(event)
                    if self._stopped.is_set:
                        return None
        except StopAsyncIteration:
            return None
        except Interrupted:
            if not self._stopped.is_set:
                # The network may have swallowed the whole connection.
                await self._client.reconnect()
            return None
        except ResonateError as error:
            return error
        finally:
            await frames.aclose()

    async def _next(self, frames: AsyncGenerator[DispatchResponse, None]) -> DispatchResponse:
        """The next frame. Raises `Interrupted` if it is not heard in time, or when we are stopped."""
        enough = Latch()
        timer = self._client.clock.call_later(self._silence, enough.set)
        self._stopped.watch(enough, enough.set)
        try:
            return await unless(enough, frames.__anext__())
        finally:
            timer.cancel()
            self._stopped.unwatch(enough)

    def _tell(self, event: DispatchEvent) -> None:
        kind = event.WhichOneof("event")
        if kind == "hello":
            self._hello_at = self._client.clock.now()
            self._silence = _SILENT_INTERVALS * event.hello.ping_interval_ms / 1000 or _HELLO_TIMEOUT
            self._listener.hello(event.hello)
        elif kind == "execute":
            self._listener.execute(event.execute)
        elif kind == "unblock":
            self._listener.unblock(event.unblock)
        elif kind == "drain":
            self._draining = True
            self._listener.lapsed()


def _is_final(error: ResonateError) -> bool:
    """Coming back would meet the same end."""
    return error.reason == "SESSION_REPLACED" or error.code is StatusCode.INVALID_ARGUMENT

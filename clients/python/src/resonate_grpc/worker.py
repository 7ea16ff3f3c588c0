"""The worker for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from resonate_grpc.acknowledger import Acknowledger
from resonate_grpc.background import keep, log, spawn
from resonate_grpc.backoff import ATTEMPT_BACKOFF, Backoff
from resonate_grpc.client import AsyncClient
from resonate_grpc.dispatch_stream import DispatchStream
from resonate_grpc.errors import ResonateError
from resonate_grpc.heartbeats import Heartbeats
from resonate_grpc.latch import Latch, all_done
from resonate_grpc.pid import new_pid
from resonate_grpc.run import AsyncHandler, Run, RunEnvironment
from resonate_grpc.signals import once_on_signals
from resonate_grpc.v1.dispatch_pb2 import (
    DispatchDrainRequest,
    DispatchExecute,
    DispatchHello,
    DispatchRequest,
    DispatchUnblock,
)
from resonate_grpc.v1.promise_pb2 import PromiseRecord

if TYPE_CHECKING:
    from typing_extensions import Self

_DRAIN_CALL = 2.0
"""The server learns of a drain at once or not at all, in seconds."""
_CLEAN_UP = 5.0
"""How long a handler whose run is over may go on before the worker does not wait for it any more, in seconds."""

AsyncOnUnblock = Callable[[PromiseRecord, str], Awaitable[Any]]
"""Called for promises that settled and that an address of the worker listens to."""

AsyncOnHello = Callable[[DispatchHello], Coroutine[Any, Any, Any]]
"""Called each time that the server has said hello."""


class _Running(NamedTuple):
    run: Run
    over: asyncio.Task[None]


class AsyncWorker:
    """Does the tasks of a group as the server pushes them.

    It is an async context manager: entering it is `start`, leaving it is `stop`. `run` is all that a process needs which does
    nothing else.
    """

    def __init__(
        self,
        client: AsyncClient | str,
        *,
        group: str,
        handler: AsyncHandler,
        pid: str | None = None,
        max_in_flight: int = 16,
        ttl: float = 30.0,
        grace: float = 10.0,
        attempt_backoff: Backoff = ATTEMPT_BACKOFF,
        on_unblock: AsyncOnUnblock | None = None,
        on_hello: AsyncOnHello | None = None,
    ) -> None:
        """Get ready; `start` begins.

        - `client`: a client, which stays open, or the address of a server.
        - `group`: whose tasks to do: the group of their targets.
        - `handler`: does a task's work.
        - `pid`: unique among the processes, and the same for the life of this one. None: a new one.
        - `max_in_flight`: how many tasks to hold at one time, at least 1.
        - `ttl`: how long the server leaves a task with a worker that it does not hear from, in seconds.
        - `grace`: how long the handlers that run may go on once the worker stops, in seconds.
        - `attempt_backoff`: how long to hold a task whose handler failed before giving it back.
        - `on_unblock`: called for promises that settled and that an address of this worker listens to; acknowledged unless it
          raises.
        - `on_hello`: called each time that the server has said hello.
        """
        if max_in_flight < 1:
            raise ValueError("max_in_flight must be at least 1")
        if not ttl >= 0.001:
            raise ValueError("ttl must be at least 1 ms")
        self.group = group
        self.pid = pid or new_pid()
        self._owns_client = isinstance(client, str)
        self._client = AsyncClient(client) if isinstance(client, str) else client
        self._max_in_flight = max_in_flight
        self._grace = grace
        self._on_unblock = on_unblock
        self._on_hello = on_hello
        self._env = RunEnvironment(
            client=self._client,
            pid=self.pid,
            ttl=ttl,
            handler=handler,
            attempt_backoff=attempt_backoff,
            heartbeats=Heartbeats(self._client, self.pid, ttl),
        )
        self._acknowledger = Acknowledger(self._client)
        request = DispatchRequest(group=group, pid=self.pid, max_in_flight=max_in_flight)
        self._stream = DispatchStream(self._client, request, _Listener(self))
        self._running: dict[str, _Running] = {}
        self._offers: dict[str, DispatchExecute] = {}
        """What was pushed and waits for a free place, or for the end of an earlier run of the same task, by task id."""
        self._started = Latch()
        self._finished = Latch()
        self._failure: ResonateError | None = None
        self._session_id: str | None = None
        self._draining: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open the stream, and return once the server has said hello, however long that takes.

        Raises a `ResonateError` if the worker had to stop.
        """
        self._stream.start()
        await self._started.wait()
        if self._failure is not None:
            raise self._failure

    async def wait(self) -> None:
        """Return when the worker has stopped.

        Raises a `ResonateError` if it had to: another process has its pid, or its options are refused.
        """
        await self._finished.wait()
        if self._failure is not None:
            raise self._failure

    async def stop(self, grace: float | None = None) -> None:
        """Drain: take nothing new, let the handlers that run go on, give back what is left, and close. Safe to call twice.

        `grace` is how long they may go on, in seconds. None: what the worker was made with.
        """
        # It goes on if whoever waits for it is cancelled.
        await asyncio.shield(self._drain(self._grace if grace is None else grace))

    def begin_stop(self) -> None:
        """Begin what `stop` does, and return at once."""
        self._drain(self._grace)

    async def run(self) -> None:
        """Start, stop on SIGTERM or SIGINT, and return when the worker has stopped. A second signal ends the process at once.

        Raises a `ResonateError` if it had to stop: another process has its pid, or its options are refused.
        """
        with once_on_signals(asyncio.get_running_loop(), self.begin_stop):
            async with self:
                await self.wait()

    async def __aenter__(self) -> Self:
        """Start."""
        try:
            await self.start()
        except BaseException:
            await self.stop(0)
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        await self.stop()

    def _offer(self, execute: DispatchExecute) -> None:
        if self._env.stopping.is_set:
            return
        running = self._running.get(execute.task_id)
        if running is not None:
            if execute.version < running.run.version:
                return  # The push that this run came from, once more.
            running.run.offered_again()
        self._offers[execute.task_id] = execute
        self._next()

    def _next(self) -> None:
        """Begin what there is room for, oldest first."""
        for task_id in list(self._offers):
            if len(self._running) >= self._max_in_flight:
                return
            if task_id not in self._running:
                run = Run(self._env, self._offers.pop(task_id))
                self._running[task_id] = _Running(run, keep(self._perform(task_id, run)))

    async def _perform(self, task_id: str, run: Run) -> None:
        try:
            await run.perform()
        finally:
            del self._running[task_id]
            self._next()

    async def _handle_unblock(self, unblock: DispatchUnblock) -> None:
        try:
            if self._on_unblock is not None:
                await self._on_unblock(unblock.promise, unblock.address)
        except Exception:
            # Not acknowledged: the server sends it again on the next stream.
            log.warning("unblock of promise %r was not handled", unblock.promise.id, exc_info=True)
        else:
            self._acknowledger.acknowledge(unblock)

    def _fail(self, error: ResonateError) -> None:
        self._failure = error
        self._drain(0)

    def _drain(self, grace: float) -> asyncio.Task[None]:
        if self._draining is None:
            self._draining = spawn(self._drain_all(grace))
        return self._draining

    async def _drain_all(self, grace: float) -> None:
        log.info("worker of group %r with pid %r is draining", self.group, self.pid)
        self._env.stopping.set()
        self._offers.clear()
        await self._announce_drain()
        running = list(self._running.values())
        await all_done(self._client.clock, grace, [each.over for each in running])
        for each in running:
            each.run.stop()
        if running:
            await asyncio.wait([each.over for each in running])
        # The process may end once we have.
        await self._acknowledger.finish()
        await all_done(self._client.clock, _CLEAN_UP, list(self._env.handling))
        await self._stream.stop()
        if self._owns_client:
            await self._client.close()
        log.info("worker of group %r with pid %r has stopped", self.group, self.pid)
        self._started.set()
        self._finished.set()

    async def _announce_drain(self) -> None:
        if self._session_id is None:
            return
        try:
            request = DispatchDrainRequest(session_id=self._session_id)
            await self._client.dispatch_drain(request, timeout=_DRAIN_CALL)
        except ResonateError as error:
            log.warning("drain was not announced: %s", error)


class _Listener:
    """What the worker does when something happens on its stream."""

    def __init__(self, worker: AsyncWorker) -> None:
        self._worker = worker

    def hello(self, hello: DispatchHello) -> None:
        worker = self._worker
        worker._session_id = hello.session_id
        log.info("worker of group %r with pid %r is connected, session %s", worker.group, worker.pid, hello.session_id)
        worker._started.set()
        if worker._env.stopping.is_set:
            spawn(worker._announce_drain())
        # The server may have been away for most of a lease.
        spawn(worker._env.heartbeats.beat())
        if worker._on_hello is not None:
            spawn(worker._on_hello(hello))

    def execute(self, execute: DispatchExecute) -> None:
        self._worker._offer(execute)

    def unblock(self, unblock: DispatchUnblock) -> None:
        spawn(self._worker._handle_unblock(unblock))

    def lapsed(self) -> None:
        self._worker._session_id = None
        self._worker._offers.clear()

    def failed(self, error: ResonateError) -> None:
        self._worker._fail(error)

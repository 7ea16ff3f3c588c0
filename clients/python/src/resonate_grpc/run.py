"""One run of a handler for one task."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Callable

from resonate_grpc.acquire import acquire
from resonate_grpc.background import keep, log, spawn
from resonate_grpc.backoff import Backoff, backoff_delay
from resonate_grpc.client import AsyncClient
from resonate_grpc.context import AsyncContext
from resonate_grpc.failures import Failures
from resonate_grpc.heartbeats import Heartbeats
from resonate_grpc.holder import Holder
from resonate_grpc.latch import Latch, any_of, sleep
from resonate_grpc.lease import Lease
from resonate_grpc.outcomes import Reject, RunOver
from resonate_grpc.v1.dispatch_pb2 import DispatchExecute
from resonate_grpc.v1.promise_pb2 import SettleState
from resonate_grpc.values import to_value

AsyncHandler = Callable[[AsyncContext], Awaitable[Any]]
"""Does a task's work: what it returns resolves the promise, a `Reject` that it raises rejects it, anything else is retried."""


@dataclass
class RunEnvironment:
    """What all runs of a worker share."""

    client: AsyncClient
    pid: str
    ttl: float
    handler: AsyncHandler
    attempt_backoff: Backoff
    heartbeats: Heartbeats
    failures: Failures = field(default_factory=Failures)
    handling: set[asyncio.Task[Any]] = field(default_factory=set)
    """The handlers that have not ended, though their runs may be over."""
    stopping: Latch = field(default_factory=Latch)
    """Happens when the worker begins to drain: nothing new is begun."""


class Run:
    """One run of the handler for one task: acquire, work, and fulfil, suspend or release."""

    def __init__(self, env: RunEnvironment, execute: DispatchExecute) -> None:
        """Begin with what was pushed."""
        self.version = execute.version + 1
        """The version that the task is held under, once it is acquired."""
        self._env = env
        self._execute = execute
        self._lease: Lease | None = None

    async def perform(self) -> None:
        """Do all of it. Raises no error."""
        env, task_id = self._env, self._execute.task_id
        try:
            acquired = await acquire(env.client, env.pid, env.ttl, self._execute, env.stopping)
            if acquired is None:
                return
            self._lease = lease = acquired.lease
            env.heartbeats.add(lease)
            if acquired.adopted:
                spawn(env.heartbeats.beat())
            holder = Holder(env.client, env.pid, lease)
            try:
                await self._work(holder, AsyncContext(holder, acquired.promise))
            finally:
                if lease.over is not None and lease.over.end == "stopped":
                    await holder.abandon()
                env.heartbeats.remove(lease)
                lease.end(RunOver("finished"))
        except RunOver as over:
            if over.end == "suspended":
                env.failures.clear(task_id)
                log.debug("task %r suspended under version %d", task_id, self.version)
            else:
                log.warning(
                    "task %r dropped under version %d: %s (%s)", task_id, self.version, over.end, over.__cause__
                )
        except Exception:
            log.exception("task %r dropped under version %d", task_id, self.version)

    def stop(self) -> None:
        """End the handler and give the task back."""
        if self._lease is not None:
            self._lease.break_off(RunOver("stopped"))

    def offered_again(self) -> None:
        """Note that the server offers the task under the version that this run holds: unless it is giving it up, it has lost it."""
        if self._lease is not None and not self._lease.giving_up:
            self._lease.break_off(RunOver("lost"))

    async def _work(self, holder: Holder, context: AsyncContext) -> None:
        env, lease = self._env, holder.lease
        task = lease.task
        if env.stopping.is_set:
            return await holder.release()
        try:
            try:
                state, payload = SettleState.SETTLE_STATE_RESOLVED, await self._handle(lease, context)
            except Reject as reject:
                state, payload = SettleState.SETTLE_STATE_REJECTED, reject.value
            await holder.fulfill(state, to_value(payload))
            env.failures.clear(task.id)
            log.debug("task %r fulfilled under version %d", task.id, task.version)
        except Exception as error:
            # The handler failed, or the server does not take its outcome.
            lease.check()
            delay = backoff_delay(env.attempt_backoff, env.failures.add(task.id), env.client.clock)
            log.warning(
                "attempt at task %r failed under version %d, next in %.1f s",
                task.id,
                task.version,
                delay,
                exc_info=error,
            )
            await sleep(env.client.clock, delay, lease.ended, env.stopping)
            await holder.release()

    async def _handle(self, lease: Lease, context: AsyncContext) -> Any:
        async def handle() -> Any:
            return await self._env.handler(context)

        handling = keep(handle())
        self._env.handling.add(handling)
        handling.add_done_callback(self._env.handling.discard)
        finished = Latch()
        handling.add_done_callback(lambda _: finished.set())
        try:
            # Not only what the handler makes of the end of its run: a handler that hangs must not keep its place.
            await any_of(finished, lease.ended)
        finally:
            if not finished.is_set and (lease.over is None or lease.broken_off):
                handling.cancel()
        lease.check()
        if handling.cancelled():
            raise RuntimeError("the handler was cancelled, and not by its worker")
        return handling.result()

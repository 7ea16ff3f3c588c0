"""A worker on a scripted server and a clock that stands still."""

from __future__ import annotations

import asyncio
from typing import Any

from resonate_grpc import AsyncClient, AsyncContext, AsyncHandler, AsyncWorker
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeResponse
from resonate_grpc.v1.task_pb2 import (
    TaskAcquireResponse,
    TaskFulfillResponse,
    TaskRecord,
    TaskReleaseResponse,
    TaskState,
)
from tests.support.inbox import PATIENCE, Inbox
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import ScriptedCall, ScriptedServer, ScriptedStream, pending, settled

TTL = 30.0


class WorkerFixture:
    """A worker `w` of the group `g`."""

    worker: AsyncWorker
    stream: ScriptedStream

    def __init__(self, server: ScriptedServer, clock: ManualClock, client: AsyncClient) -> None:
        self.server = server
        self.clock = clock
        self.client = client

    def create(self, handler: AsyncHandler, **options: Any) -> AsyncWorker:
        options = {"group": "g", "pid": "w", "ttl": TTL, "handler": handler, **options}
        self.worker = AsyncWorker(self.client, **options)
        return self.worker

    async def open(self, handler: AsyncHandler, **options: Any) -> None:
        """With an open stream."""
        starting = asyncio.ensure_future(self.create(handler, **options).start())
        await self.accept()
        await starting

    async def accept(self, session_id: str = "session") -> None:
        """Take the next stream, and say hello."""
        self.stream = await self.server.streams.next()
        self.stream.hello(session_id)

    async def give(self, id: str, version: int = 0, param: Any = None) -> None:
        """Push a task and let the worker have it."""
        self.stream.execute(id, version)
        self.grant(await self.server.next("task_acquire"), param)

    def grant(self, acquire: ScriptedCall, param: Any = None) -> None:
        """Answer an acquire."""
        request = acquire.request
        task = TaskRecord(
            id=request.id,
            state=TaskState.TASK_STATE_ACQUIRED,
            version=request.version + 1,
            pid=request.pid,
            ttl_ms=request.ttl_ms,
        )
        acquire.reply(TaskAcquireResponse(task=task, promise=pending(request.id, param)))

    async def fulfilled(self) -> Any:
        """Let the next fulfil succeed, and return its request."""
        call = await self.server.next("task_fulfill")
        call.reply(TaskFulfillResponse(promise=settled(call.request.id)))
        return call.request

    async def released_after(self, delay: float) -> Any:
        """See that the task is released after this delay and not before, and return the request."""
        await self.clock.armed(delay)
        assert self.server.waiting("task_release") == 0
        self.clock.advance(delay)
        release = await self.server.next("task_release")
        release.reply(TaskReleaseResponse())
        return release.request

    async def heard(self) -> None:
        """Wait until what was sent on the stream before this has been heard."""
        self.stream.unblock("heard")
        (await self.server.next("dispatch_acknowledge")).reply(DispatchAcknowledgeResponse())


class OpenRun:
    """One run of a handler, which the test ends."""

    def __init__(self, context: AsyncContext) -> None:
        self.context = context
        self.outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.cancelled = asyncio.Event()

    def end(self, value: Any = None) -> None:
        self.outcome.set_result(value)

    def fail(self, error: BaseException) -> None:
        self.outcome.set_exception(error)

    async def is_cancelled(self) -> None:
        await asyncio.wait_for(self.cancelled.wait(), PATIENCE)


class OpenRuns(Inbox[OpenRun]):
    """A handler, and its runs as they come."""

    def __init__(self) -> None:
        super().__init__("a run")

    async def handler(self, context: AsyncContext) -> Any:
        run = OpenRun(context)
        self.put(run)
        try:
            return await run.outcome
        except asyncio.CancelledError:
            run.cancelled.set()
            raise

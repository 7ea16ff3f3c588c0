"""A server without a mind of its own: a test takes each call as it comes and says what it answers."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from resonate_grpc.calls import Calls, Rpc
from resonate_grpc.v1.dispatch_pb2 import (
    DispatchEvent,
    DispatchExecute,
    DispatchHello,
    DispatchRequest,
    DispatchResponse,
    DispatchServerDrain,
    DispatchUnblock,
)
from resonate_grpc.v1.promise_pb2 import PromiseRecord, PromiseState
from resonate_grpc.values import encode_json
from tests.support.inbox import PATIENCE, Inbox

RPCS: dict[str, Rpc[Any, Any]] = {name: rpc for name, rpc in vars(Calls).items() if isinstance(rpc, Rpc)}


class Refusal:
    """A refusal as the real server writes it."""

    def __init__(
        self,
        code: StatusCode,
        reason: str | None = None,
        *,
        status: int | None = None,
        metadata: Mapping[str, str] | None = None,
        message: str = "scripted",
        domain: str = "resonate-grpc",
    ) -> None:
        self.code = code
        self.message = message
        self.trailers: list[tuple[str, bytes]] = []
        if reason is not None:
            info = ErrorInfo(reason=reason, domain=domain, metadata=metadata or {})
            if status is not None:
                info.metadata["status"] = str(status)
            details = Status(code=code.value[0], message=message)
            details.details.add().Pack(info)
            self.trailers.append(("grpc-status-details-bin", details.SerializeToString()))


UNAVAILABLE = Refusal(StatusCode.UNAVAILABLE, message="connection dropped")
SESSION_REPLACED = Refusal(StatusCode.ABORTED, "SESSION_REPLACED")
INVALID_REQUEST = Refusal(StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST")
NO_PROMISE = Refusal(StatusCode.NOT_FOUND, "PROMISE_NOT_FOUND", status=404)


def conflict(reason: str, version: int, pid: str | None = None, state: str = "acquired") -> Refusal:
    """The refusal of a call about a task that stands like this."""
    metadata = {"id": "t", "task_state": state, "task_version": str(version)}
    return Refusal(StatusCode.ABORTED, reason, status=409, metadata={**metadata, "task_pid": pid} if pid else metadata)


class ScriptedCall:
    """A unary call that waits for its answer."""

    def __init__(self, request: Any, peer: str, has_timeout: bool) -> None:
        self.request = request
        self.peer = peer
        self.has_timeout = has_timeout
        self.cancelled = asyncio.Event()
        self.answer: asyncio.Future[Message | Refusal] = asyncio.get_running_loop().create_future()

    def reply(self, response: Message) -> None:
        self.answer.set_result(response)

    def refuse(self, refusal: Refusal) -> None:
        self.answer.set_result(refusal)

    def lose(self) -> None:
        """What a client sees when the connection breaks before the answer."""
        self.refuse(UNAVAILABLE)

    async def is_cancelled(self) -> None:
        await asyncio.wait_for(self.cancelled.wait(), PATIENCE)


class ScriptedStream:
    """An open Dispatch stream."""

    def __init__(self, request: DispatchRequest, peer: str) -> None:
        self.request = request
        self.peer = peer
        self.cancelled = asyncio.Event()
        self.frames: asyncio.Queue[DispatchResponse | Refusal | None] = asyncio.Queue()

    def send(self, *events: DispatchEvent) -> None:
        """One frame."""
        self.frames.put_nowait(DispatchResponse(events=events))

    def hello(self, session_id: str = "session", ping_interval_ms: int = 15_000) -> None:
        self.send(DispatchEvent(hello=DispatchHello(session_id=session_id, ping_interval_ms=ping_interval_ms)))

    def execute(self, task_id: str, version: int = 0) -> None:
        self.send(DispatchEvent(execute=DispatchExecute(task_id=task_id, version=version)))

    def unblock(self, *ids: str) -> None:
        """One frame with an unblock for each promise."""
        self.send(*(DispatchEvent(unblock=DispatchUnblock(promise=settled(id), address=f"uni@g/{id}")) for id in ids))

    def drain(self) -> None:
        self.send(DispatchEvent(drain=DispatchServerDrain()))

    def fail(self, refusal: Refusal) -> None:
        self.frames.put_nowait(refusal)

    def end(self) -> None:
        """With OK, as the real server never does."""
        self.frames.put_nowait(None)

    async def is_cancelled(self) -> None:
        await asyncio.wait_for(self.cancelled.wait(), PATIENCE)


class ScriptedServer:
    def __init__(self) -> None:
        self.streams: Inbox[ScriptedStream] = Inbox("a Dispatch stream")
        self.port = 0
        self._calls: defaultdict[str, Inbox[ScriptedCall]] = defaultdict(lambda: Inbox("a call"))
        self._server: grpc.aio.Server | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen; on the same port as before if it has listened before."""
        self._server = grpc.aio.server()
        self._server.add_generic_rpc_handlers([_Handlers(self)])
        self.port = self._server.add_insecure_port(self.address)
        await self._server.start()

    async def kill(self) -> None:
        """Cut every connection."""
        if self._server is not None:
            await self._server.stop(None)

    async def next(self, name: str) -> ScriptedCall:
        """The next call of this RPC."""
        assert name in RPCS
        return await self._calls[name].next()

    def waiting(self, name: str) -> int:
        """How many calls of this RPC have come and have not been taken."""
        assert name in RPCS
        return self._calls[name].size

    async def unary(self, name: str, request: Message, context: grpc.aio.ServicerContext[Any, Any]) -> Message:
        call = ScriptedCall(request, context.peer(), context.time_remaining() is not None)
        self._calls[name].put(call)
        try:
            answer = await call.answer
        except asyncio.CancelledError:
            call.cancelled.set()
            raise
        if isinstance(answer, Refusal):
            await context.abort(answer.code, answer.message, tuple(answer.trailers))
        return answer

    async def dispatch(self, request: DispatchRequest, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        stream = ScriptedStream(request, context.peer())
        self.streams.put(stream)
        try:
            while True:
                frame = await stream.frames.get()
                if frame is None:
                    return
                if isinstance(frame, Refusal):
                    await context.abort(frame.code, frame.message, tuple(frame.trailers))
                await context.write(frame)
        except asyncio.CancelledError:
            stream.cancelled.set()
            raise


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, server: ScriptedServer) -> None:
        self._server = server
        self._names = {rpc.path: name for name, rpc in RPCS.items()}

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        path: Any = details.method
        if path == "/resonate_grpc.v1.DispatchService/Dispatch":
            return grpc.unary_stream_rpc_method_handler(
                self._server.dispatch,
                request_deserializer=DispatchRequest.FromString,
                response_serializer=DispatchResponse.SerializeToString,
            )
        name = self._names[path]

        async def handle(request: Any, context: Any) -> Message:
            return await self._server.unary(name, request, context)

        return grpc.unary_unary_rpc_method_handler(
            handle,
            request_deserializer=RPCS[name].request.FromString,
            response_serializer=RPCS[name].response.SerializeToString,
        )


def pending(id: str, param: Any = None) -> PromiseRecord:
    """A promise as the real server shows it."""
    return PromiseRecord(
        id=id,
        state=PromiseState.PROMISE_STATE_PENDING,
        param=encode_json(param),
        timeout_at_ms=9_000_000_000_000,
        created_at_ms=1_000,
    )


def settled(id: str, value: Any = None, state: PromiseState = PromiseState.PROMISE_STATE_RESOLVED) -> PromiseRecord:
    """The same, settled."""
    record = pending(id)
    record.MergeFrom(PromiseRecord(state=state, value=encode_json(value), settled_at_ms=2_000))
    return record

"""The face for threads: that it is the same runtime, and what threads need on top."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import pytest

from resonate_grpc import (
    Backoff,
    Client,
    Context,
    Reject,
    ResonateError,
    RunOver,
    SettleState,
    UnblockListener,
    Worker,
    decode_json,
    unwrap,
)
from resonate_grpc.sync.loop_thread import LoopThread, shared_loop
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeResponse, DispatchDrainResponse
from resonate_grpc.v1.promise_pb2 import (
    PromiseCreateResponse,
    PromiseGetRequest,
    PromiseGetResponse,
    PromiseRegisterListenerResponse,
    PromiseWaitResponse,
)
from resonate_grpc.v1.task_pb2 import TaskFenceResponse, TaskReleaseResponse, TaskSuspended, TaskSuspendResponse
from tests.support.inbox import PATIENCE
from tests.support.scripted_server import NO_PROMISE, SESSION_REPLACED, ScriptedServer, conflict, pending, settled
from tests.support.worker_fixture import WorkerFixture

T = TypeVar("T")


def in_thread(function: Callable[[], T]) -> asyncio.Future[T]:
    """As a program of threads would call it, while this one plays the server."""
    return asyncio.get_running_loop().run_in_executor(None, function)


async def patiently(awaitable: Coroutine[Any, Any, T] | asyncio.Future[T]) -> T:
    return await asyncio.wait_for(awaitable, PATIENCE)


@pytest.fixture
async def sync_client(server: ScriptedServer) -> AsyncIterator[Client]:
    client = Client(server.address)
    yield client
    await patiently(in_thread(client.close))


class Threads:
    """A worker for threads on a scripted server, with the machine's own clock."""

    worker: Worker

    def __init__(self, server: ScriptedServer, client: Client) -> None:
        self.server = server
        self.client = client
        self.f = WorkerFixture(server, None, client.asynchronous)  # type: ignore[arg-type]

    async def open(self, handler: Callable[[Context], Any], **options: Any) -> None:
        self.worker = Worker(self.client, **{"group": "g", "pid": "w", "handler": handler, **options})
        starting = in_thread(self.worker.start)
        await self.f.accept()
        await patiently(starting)

    async def close(self) -> None:
        stopping = in_thread(lambda: self.worker.stop(0))
        (await self.server.next("dispatch_drain")).reply(DispatchDrainResponse())
        await patiently(stopping)


@pytest.fixture
async def threads(server: ScriptedServer, sync_client: Client) -> Threads:
    return Threads(server, sync_client)


class TestClient:
    async def test_makes_calls(self, server: ScriptedServer, sync_client: Client) -> None:
        getting = in_thread(lambda: sync_client.promise_get(PromiseGetRequest(id="p")))
        (await server.next("promise_get")).reply(PromiseGetResponse(promise=settled("p")))
        assert (await patiently(getting)).promise == settled("p")

    async def test_raises_errors(self, server: ScriptedServer, sync_client: Client) -> None:
        getting = in_thread(lambda: sync_client.promise_get(PromiseGetRequest(id="p")))
        (await server.next("promise_get")).refuse(NO_PROMISE)
        with pytest.raises(ResonateError) as error:
            await patiently(getting)
        assert error.value.reason == "PROMISE_NOT_FOUND"

    async def test_invokes_work(self, server: ScriptedServer, sync_client: Client) -> None:
        invoking = in_thread(lambda: sync_client.invoke("p", target="any@g", timeout=60))
        (await server.next("promise_create")).reply(PromiseCreateResponse(promise=pending("p")))
        (await server.next("promise_wait")).reply(PromiseWaitResponse(promise=settled("p", 3)))
        assert unwrap(await patiently(invoking)) == 3


class TestWorker:
    async def test_runs_the_handler_in_a_thread_of_its_own_with_calls_that_block(self, threads: Threads) -> None:
        inside: list[threading.Thread] = []

        def handler(context: Context) -> Any:
            inside.append(threading.current_thread())
            child = context.create("child", param=context.param)
            context.settle("other", 1)
            context.sleep("nap", 5)
            assert context.get("third").id == "third"
            return [unwrap(record) for record in context.await_all([child])]

        await threads.open(handler)
        await threads.f.give("t", 0, "input")
        for record in (settled("child", 5), settled("other"), settled("nap")):
            fence = await threads.server.next("task_fence")
            assert (fence.request.id, fence.request.version) == ("t", 1)
            fence.reply(TaskFenceResponse(promise=record))
        (await threads.server.next("promise_get")).reply(PromiseGetResponse(promise=settled("third")))
        request = await threads.f.fulfilled()
        assert decode_json(request.value) == [5]
        assert inside[0] not in (threading.main_thread(), threading.current_thread())
        await threads.close()

    async def test_rejects_with_a_reject(self, threads: Threads) -> None:
        def handler(context: Context) -> Any:
            raise Reject("no")

        await threads.open(handler)
        await threads.f.give("t")
        assert (await threads.f.fulfilled()).state == SettleState.SETTLE_STATE_REJECTED
        await threads.close()

    @pytest.mark.parametrize("error", [RuntimeError, SystemExit, StopIteration, KeyboardInterrupt])
    async def test_takes_any_other_error_for_a_failed_attempt(
        self, threads: Threads, error: type[BaseException]
    ) -> None:
        def handler(context: Context) -> Any:
            raise error("no")

        await threads.open(handler, attempt_backoff=Backoff(0.01, 0.01))
        await threads.f.give("t")
        release = await threads.server.next("task_release")
        assert (release.request.id, release.request.version) == ("t", 1)
        release.reply(TaskReleaseResponse())
        await threads.close()

    async def test_ends_the_handler_when_the_task_is_suspended(self, threads: Threads) -> None:
        ends: list[Any] = []
        ended = threading.Event()

        def handler(context: Context) -> Any:
            try:
                context.await_all([pending("child")])
            except RunOver as over:
                ends.append((over.end, context.over is over))
                ended.set()
                assert context.cancelled.wait(PATIENCE)
                raise

        await threads.open(handler, max_in_flight=1)
        await threads.f.give("t")
        (await threads.server.next("task_suspend")).reply(TaskSuspendResponse(suspended=TaskSuspended()))
        assert await patiently(in_thread(lambda: ended.wait(PATIENCE)))
        assert ends == [("suspended", True)]
        await threads.f.give("marker")  # Its place is free.
        (await threads.server.next("task_suspend")).reply(TaskSuspendResponse(suspended=TaskSuspended()))
        await threads.close()

    async def test_tells_a_handler_that_hangs_that_its_run_is_over_and_frees_its_place(self, threads: Threads) -> None:
        told = threading.Event()
        for_good = threading.Event()

        def handler(context: Context) -> Any:
            if context.task.id == "t":
                assert context.cancelled.wait(PATIENCE)
                told.set()
                for_good.wait(PATIENCE)

        await threads.open(handler, max_in_flight=1)
        await threads.f.give("t")
        threads.f.stream.execute("t", 1)  # It is lost.
        assert await patiently(in_thread(lambda: told.wait(PATIENCE)))
        (await threads.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 2, "other"))
        await threads.f.give("next")
        await threads.f.fulfilled()
        for_good.set()
        await threads.close()

    async def test_ends_a_call_that_is_under_way_when_the_lease_is_lost(self, threads: Threads) -> None:
        ends: list[str] = []
        ended = threading.Event()

        def handler(context: Context) -> Any:
            try:
                context.get("p")
            except RunOver as over:
                ends.append(over.end)
                ended.set()
                raise

        await threads.open(handler)
        await threads.f.give("t")
        call = await threads.server.next("promise_get")
        threads.f.stream.execute("t", 1)
        assert await patiently(in_thread(lambda: ended.wait(PATIENCE)))
        await call.is_cancelled()
        (await threads.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 2, "other"))
        assert ends == ["lost"]
        await threads.close()

    async def test_stops_once_a_handler_that_is_told_to_has_cleaned_up(self, threads: Threads) -> None:
        ends: list[str] = []
        cleaning_up = threading.Event()
        clean = threading.Event()

        def handler(context: Context) -> Any:
            try:
                context.get("p")
            finally:
                cleaning_up.set()
                clean.wait(PATIENCE)
                ends.append("cleaned up")

        await threads.open(handler)
        await threads.f.give("t")
        await threads.server.next("promise_get")
        stopping = in_thread(lambda: threads.worker.stop(0))
        (await threads.server.next("dispatch_drain")).reply(DispatchDrainResponse())
        (await threads.server.next("task_release")).reply(TaskReleaseResponse())
        assert await patiently(in_thread(lambda: cleaning_up.wait(PATIENCE)))
        await asyncio.sleep(0.1)  # In which it would end if it did not wait.
        assert not stopping.done()
        clean.set()
        await patiently(stopping)
        assert ends == ["cleaned up"]

    async def test_acknowledges_unblocks_once_they_are_handled(self, threads: Threads) -> None:
        def on_unblock(promise: Any, address: str) -> None:
            if promise.id == "bad":
                raise RuntimeError("no")

        hellos: list[str] = []
        await threads.open(
            lambda _: None, on_unblock=on_unblock, on_hello=lambda hello: hellos.append(hello.session_id)
        )
        threads.f.stream.unblock("bad")
        threads.f.stream.unblock("good")
        call = await threads.server.next("dispatch_acknowledge")
        assert [ref.promise_id for ref in call.request.unblocks] == ["good"]
        call.reply(DispatchAcknowledgeResponse())
        await threads.close()
        assert hellos == ["session"]

    async def test_as_a_context_manager_starts_and_stops(self, threads: Threads) -> None:
        def use() -> None:
            with Worker(threads.client, group="g", pid="w", handler=lambda _: None) as worker:
                assert (worker.group, worker.pid) == ("g", "w")

        using = in_thread(use)
        await threads.f.accept()
        (await threads.server.next("dispatch_drain")).reply(DispatchDrainResponse())
        await patiently(using)
        await threads.f.stream.is_cancelled()

    async def test_run_raises_when_another_process_has_its_pid(self, threads: Threads) -> None:
        running = in_thread(Worker(threads.client, group="g", handler=lambda _: None).run)
        await threads.f.accept()
        threads.f.stream.fail(SESSION_REPLACED)
        with pytest.raises(ResonateError) as error:
            await patiently(running)
        assert error.value.reason == "SESSION_REPLACED"


def test_run_in_the_main_thread_ends_with_a_signal() -> None:
    """The server runs beside it for once."""
    beside = LoopThread()
    server = ScriptedServer()
    beside.run(server.start())

    async def ask_to_end() -> None:
        stream = await server.streams.next()
        stream.hello()
        stream.unblock("heard")
        (await server.next("dispatch_acknowledge")).reply(DispatchAcknowledgeResponse())
        os.kill(os.getpid(), signal.SIGTERM)
        (await server.next("dispatch_drain")).reply(DispatchDrainResponse())

    asking = asyncio.run_coroutine_threadsafe(ask_to_end(), beside.loop)
    Worker(server.address, group="g", handler=lambda _: None).run()
    asking.result(PATIENCE)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    beside.run(server.kill())


async def test_a_listener_returns_and_yields(server: ScriptedServer, sync_client: Client) -> None:
    def use() -> list[str]:
        with UnblockListener(sync_client, group="callers", pid="c") as listener:
            assert listener.address == "uni@callers/c"
            first = listener.listen("p", timeout=PATIENCE)
            return [first.id, *(record.id for record in listener.as_settled(["q", "r"]))]

    using = in_thread(use)
    stream = await server.streams.next()
    stream.hello()
    for ids in (["p"], ["q", "r"]):
        for _ in ids:
            call = await server.next("promise_register_listener")
            call.reply(PromiseRegisterListenerResponse(promise=pending(call.request.awaited_id)))
        stream.unblock(*ids)
        (await server.next("dispatch_acknowledge")).reply(DispatchAcknowledgeResponse())
    answer = await patiently(using)
    assert answer[0] == "p"
    assert sorted(answer[1:]) == ["q", "r"]
    await stream.is_cancelled()


def test_a_call_in_the_thread_of_the_loop_raises_instead_of_waiting_for_itself() -> None:
    async def call() -> None:
        Client("127.0.0.1:1").close()

    with pytest.raises(RuntimeError, match="own thread"):
        shared_loop().run(call())

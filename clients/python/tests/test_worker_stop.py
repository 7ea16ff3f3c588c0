"""How a worker ends."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from resonate_grpc import AsyncWorker, ResonateError
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeResponse, DispatchDrainResponse
from resonate_grpc.v1.promise_pb2 import PromiseGetRequest, PromiseGetResponse
from resonate_grpc.v1.task_pb2 import TaskReleaseResponse
from tests.support.scripted_server import INVALID_REQUEST, SESSION_REPLACED, UNAVAILABLE, settled
from tests.support.worker_fixture import OpenRuns, WorkerFixture


async def drained(f: WorkerFixture, session_id: str = "session") -> None:
    call = await f.server.next("dispatch_drain")
    assert call.request.session_id == session_id
    call.reply(DispatchDrainResponse())


async def released(f: WorkerFixture, id: str, version: int = 1) -> None:
    call = await f.server.next("task_release")
    assert (call.request.id, call.request.version) == (id, version)
    call.reply(TaskReleaseResponse())


async def test_drains_takes_nothing_new_lets_handlers_finish_ends_the_stream(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("t")
    run = await runs.next()
    stopping = asyncio.ensure_future(f.worker.stop())
    drain = await f.server.next("dispatch_drain")
    assert drain.request.session_id == "session"
    f.stream.execute("u")
    await f.heard()
    drain.reply(DispatchDrainResponse())
    await f.clock.armed(10)
    assert run.context.over is None
    run.end("done")
    await f.fulfilled()
    await stopping
    await f.stream.is_cancelled()
    await f.worker.wait()
    await f.worker.stop()
    assert f.server.waiting("task_acquire") == 0
    assert f.clock.lengths == []


async def test_gives_back_what_is_left_after_the_grace_period(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler, grace=0.7)
    await f.give("t", 2)
    run = await runs.next()
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    await f.clock.pass_by(0.7)
    await released(f, "t", 3)
    assert run.context.over is not None
    assert run.context.over.end == "stopped"
    await run.is_cancelled()
    await stopping


async def test_gives_back_at_once_what_failed_and_what_it_acquires_too_late(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("failed")
    (await runs.next()).fail(RuntimeError("no"))
    await f.clock.armed(1)
    f.stream.execute("late")
    acquire = await f.server.next("task_acquire")
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    await released(f, "failed")
    f.grant(acquire)
    await released(f, "late")
    await stopping
    assert runs.size == 0


async def test_does_not_ask_again_for_a_task_whose_answer_was_lost(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    f.stream.execute("t")
    acquire = await f.server.next("task_acquire")
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    acquire.lose()
    await stopping
    assert f.server.waiting("task_acquire") == 0


async def test_drains_a_stream_that_it_opened_again_meanwhile_too(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("t")
    await runs.next()
    stopping = asyncio.ensure_future(f.worker.stop(9))
    await drained(f)
    await f.clock.armed(9)
    f.stream.fail(UNAVAILABLE)
    await f.clock.pass_by(0.1)
    await f.accept("session 2")
    await drained(f, "session 2")
    f.clock.advance(9)
    await released(f, "t")
    await stopping


async def test_before_it_has_started_opens_no_stream(f: WorkerFixture, runs: OpenRuns) -> None:
    worker = f.create(runs.handler)
    await worker.stop()
    await worker.start()
    await worker.wait()
    assert f.clock.lengths == []
    assert f.server.streams.size == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_run_starts_and_ends_with_a_signal(f: WorkerFixture, runs: OpenRuns, number: signal.Signals) -> None:
    earlier = signal.getsignal(number)
    running = asyncio.ensure_future(f.create(runs.handler).run())
    await f.accept()
    await f.heard()
    os.kill(os.getpid(), number)
    await drained(f)
    await running
    assert signal.getsignal(number) is earlier


async def test_a_second_signal_finds_what_it_would_without_the_worker(f: WorkerFixture, runs: OpenRuns) -> None:
    earlier = signal.getsignal(signal.SIGTERM)
    running = asyncio.ensure_future(f.create(runs.handler).run())
    await f.accept()
    await f.give("t")
    run = await runs.next()
    os.kill(os.getpid(), signal.SIGTERM)
    await drained(f)
    assert signal.getsignal(signal.SIGTERM) is earlier
    run.end()
    await f.fulfilled()
    await running


async def test_as_a_context_manager_starts_and_stops(f: WorkerFixture, runs: OpenRuns) -> None:
    async def use() -> None:
        async with f.create(runs.handler):
            await f.heard()

    using = asyncio.ensure_future(use())
    await f.accept()
    await drained(f)
    await using
    await f.stream.is_cancelled()


async def test_is_forced_by_another_process_with_its_pid_it_gives_back_what_it_holds(
    f: WorkerFixture, runs: OpenRuns
) -> None:
    await f.open(runs.handler)
    await f.give("t")
    await runs.next()
    f.stream.fail(SESSION_REPLACED)
    await f.clock.pass_by(0)
    await released(f, "t")
    with pytest.raises(ResonateError) as error:
        await f.worker.wait()
    assert error.value.reason == "SESSION_REPLACED"


async def test_is_forced_by_a_refused_stream_start_and_run_raise(f: WorkerFixture, runs: OpenRuns) -> None:
    for begin in (AsyncWorker.start, AsyncWorker.run):
        starting = asyncio.ensure_future(begin(f.create(runs.handler)))
        (await f.server.streams.next()).fail(INVALID_REQUEST)
        with pytest.raises(ResonateError) as error:
            await starting
        assert error.value.reason == "INVALID_REQUEST"


async def test_leaves_a_client_that_it_was_given_open(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    await stopping
    getting = asyncio.ensure_future(f.client.call(type(f.client).promise_get, PromiseGetRequest(id="p")))
    (await f.server.next("promise_get")).reply(PromiseGetResponse(promise=settled("p")))
    assert (await getting).promise.id == "p"


async def test_closes_a_client_of_its_own(f: WorkerFixture, runs: OpenRuns) -> None:
    worker = AsyncWorker(f.server.address, group="g", pid="w2", handler=runs.handler)
    starting = asyncio.ensure_future(worker.start())
    await f.accept()
    await starting
    stopping = asyncio.ensure_future(worker.stop(0))
    await drained(f)
    await stopping
    await f.stream.is_cancelled()


async def test_waits_until_a_handler_whose_run_is_over_has_cleaned_up(f: WorkerFixture) -> None:
    running = asyncio.Event()
    cleaning_up = asyncio.Event()
    clean = asyncio.Event()

    async def handler(context: object) -> None:
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            cleaning_up.set()
            await clean.wait()

    await f.open(handler)
    await f.give("t")
    await running.wait()
    stopping = asyncio.ensure_future(f.worker.stop(0))
    await drained(f)
    await f.clock.pass_by(0)
    await released(f, "t")
    await cleaning_up.wait()
    await f.clock.armed(5)
    assert not stopping.done()
    clean.set()
    await stopping


async def test_does_not_wait_for_ever_for_a_handler_that_hangs(f: WorkerFixture) -> None:
    running = asyncio.Event()
    for_good = asyncio.Event()

    async def handler(context: object) -> None:
        running.set()
        while not for_good.is_set():
            try:
                await for_good.wait()
            except asyncio.CancelledError:
                continue

    await f.open(handler)
    await f.give("t")
    await running.wait()
    stopping = asyncio.ensure_future(f.worker.stop(0))
    await drained(f)
    await f.clock.pass_by(0)
    await released(f, "t")
    await f.clock.pass_by(5)
    await stopping
    for_good.set()


async def test_goes_on_stopping_when_whoever_waits_for_it_is_cancelled(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("t")
    run = await runs.next()
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    stopping.cancel()
    run.end()
    await f.fulfilled()
    await f.worker.wait()


async def test_waits_for_its_last_acknowledgement(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    f.stream.unblock("p")
    call = await f.server.next("dispatch_acknowledge")
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    await f.clock.armed(2)
    assert not stopping.done()
    call.reply(DispatchAcknowledgeResponse())
    await stopping


async def test_acknowledges_what_comes_while_it_drains(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("t")
    run = await runs.next()
    stopping = asyncio.ensure_future(f.worker.stop())
    await drained(f)
    f.stream.unblock("p")
    (await f.server.next("dispatch_acknowledge")).reply(DispatchAcknowledgeResponse())
    run.end()
    await f.fulfilled()
    await stopping

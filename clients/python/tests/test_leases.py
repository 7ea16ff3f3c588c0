"""How a worker keeps what it holds, and how it learns that it does not hold it any more."""

from __future__ import annotations

import asyncio

import pytest

from resonate_grpc import RunOver
from resonate_grpc.v1.promise_pb2 import PromiseGetResponse
from resonate_grpc.v1.task_pb2 import TaskHeartbeatRequest, TaskHeartbeatResponse, TaskRef
from tests.support.scripted_server import conflict, pending
from tests.support.worker_fixture import TTL, OpenRuns, WorkerFixture


async def test_are_renewed_all_in_one_call_three_times_within_the_ttl(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("a", 0)
    await f.give("b", 4)
    first = await runs.next()
    second = await runs.next()
    f.clock.advance(TTL / 3)
    beat = await f.server.next("task_heartbeat")
    assert beat.request == TaskHeartbeatRequest(pid="w", tasks=[TaskRef(id="a", version=1), TaskRef(id="b", version=5)])
    beat.reply(TaskHeartbeatResponse())
    first.end()
    await f.fulfilled()
    await f.give("c")
    await runs.next()
    f.clock.advance(TTL / 3)
    beat = await f.server.next("task_heartbeat")
    assert [task.id for task in beat.request.tasks] == ["b", "c"]
    assert second.context.over is None


async def test_are_renewed_also_after_a_time_without_any(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    for id in ("a", "b"):
        await f.give(id)
        run = await runs.next()
        f.clock.advance(TTL / 3)
        beat = await f.server.next("task_heartbeat")
        assert [(task.id, task.version) for task in beat.request.tasks] == [(id, 1)]
        beat.reply(TaskHeartbeatResponse())
        run.end()
        await f.fulfilled()
        await f.heard()
        f.clock.advance(TTL)
        assert f.server.waiting("task_heartbeat") == 0


async def test_are_taken_for_lost_after_a_ttl_without_an_answer(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler, max_in_flight=1)
    await f.give("t")
    run = await runs.next()
    f.clock.advance(TTL - 0.001)
    assert run.context.over is None
    f.clock.advance(0.001)
    assert run.context.over is not None
    assert run.context.over.end == "lost"
    await run.is_cancelled()
    with pytest.raises(RunOver) as over:
        await run.context.create("child")
    assert over.value is run.context.over
    await f.give("next")  # Its place is free.
    assert (await runs.next()).context.task.id == "next"
    assert f.server.waiting("task_release") == 0


async def test_count_from_the_sending_of_the_last_call_that_renewed_them(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    await f.give("t")
    run = await runs.next()
    f.clock.advance(TTL / 3)
    beat = await f.server.next("task_heartbeat")
    f.clock.advance(5)
    beat.reply(TaskHeartbeatResponse())
    await f.clock.armed(TTL - 5)
    f.clock.advance(TTL - 5.001)
    assert run.context.over is None
    f.clock.advance(0.001)
    assert run.context.over is not None


async def test_count_from_the_sending_of_the_acquire(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    f.stream.execute("t")
    acquire = await f.server.next("task_acquire")
    f.clock.advance(5)
    f.grant(acquire)
    run = await runs.next()
    f.clock.advance(TTL - 5)
    assert run.context.over is not None


async def test_count_from_the_first_acquire_if_its_answer_was_lost(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler)
    f.stream.execute("t")
    acquire = await f.server.next("task_acquire")
    f.clock.advance(5)
    acquire.lose()
    await f.clock.pass_by(0.1)
    (await f.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
    (await f.server.next("promise_get")).reply(PromiseGetResponse(promise=pending("t")))
    run = await runs.next()
    f.clock.advance(TTL - 5.101)
    assert run.context.over is None
    f.clock.advance(0.001)
    assert run.context.over is not None


async def test_that_ended_while_the_process_was_stopped_are_over_before_any_timer_says_so(
    f: WorkerFixture, runs: OpenRuns
) -> None:
    await f.open(runs.handler)
    await f.give("t")
    run = await runs.next()
    f.clock.timers.clear()  # As if none had come to run yet.
    f.clock.advance(TTL)
    with pytest.raises(RunOver, match="lost"):
        await run.context.get("p")
    assert f.server.waiting("promise_get") == 0


async def test_a_handler_that_ignores_its_cancellation_does_not_keep_its_place(
    f: WorkerFixture, runs: OpenRuns
) -> None:
    started = asyncio.Event()
    for_good = asyncio.Event()

    async def handler(context: object) -> None:
        started.set()
        while not for_good.is_set():
            try:
                await for_good.wait()
            except asyncio.CancelledError:
                continue

    await f.open(handler, max_in_flight=1)
    await f.give("t")
    await started.wait()
    f.clock.advance(TTL)
    await f.give("next")
    for_good.set()

"""What a worker does with what is pushed to it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from grpc import StatusCode

from resonate_grpc import AsyncContext, AsyncWorker, Backoff, Reject, SettleState, decode_json
from resonate_grpc.v1.dispatch_pb2 import DispatchRequest
from resonate_grpc.v1.promise_pb2 import PromiseGetResponse
from resonate_grpc.v1.task_pb2 import TaskAcquireRequest, TaskHeartbeatResponse, TaskSuspended, TaskSuspendResponse
from tests.support.scripted_server import INVALID_REQUEST, UNAVAILABLE, Refusal, conflict, pending, settled
from tests.support.worker_fixture import TTL, OpenRuns, WorkerFixture


async def fails(context: AsyncContext) -> Any:
    raise RuntimeError("no")


async def test_opens_a_stream_as_its_group_and_pid(f: WorkerFixture, runs: OpenRuns) -> None:
    await f.open(runs.handler, max_in_flight=7)
    assert f.stream.request == DispatchRequest(group="g", pid="w", max_in_flight=7)


def test_refuses_options_that_cannot_work() -> None:
    options: Any = {"group": "g", "handler": fails}
    with pytest.raises(ValueError, match="max_in_flight"):
        AsyncWorker("x", max_in_flight=0, **options)
    with pytest.raises(ValueError, match="ttl"):
        AsyncWorker("x", ttl=0, **options)
    assert AsyncWorker("x", **options).pid != AsyncWorker("x", **options).pid


async def test_tells_of_each_hello(f: WorkerFixture, runs: OpenRuns) -> None:
    sessions: list[str] = []

    async def on_hello(hello: Any) -> None:
        sessions.append(hello.session_id)

    await f.open(runs.handler, on_hello=on_hello)
    f.stream.fail(UNAVAILABLE)
    await f.clock.pass_by(0.1)
    await f.accept("session 2")
    await f.heard()
    assert sessions == ["session", "session 2"]


async def test_acquires_what_is_pushed_and_fulfils_it_with_what_the_handler_returns(f: WorkerFixture) -> None:
    async def handler(context: AsyncContext) -> Any:
        return {"sum": context.param[0] + context.task.version}

    await f.open(handler)
    f.stream.execute("t", 4)
    acquire = await f.server.next("task_acquire")
    assert acquire.request == TaskAcquireRequest(id="t", version=4, pid="w", ttl_ms=30_000)
    f.grant(acquire, [10])
    request = await f.fulfilled()
    assert (request.id, request.version, request.state) == ("t", 5, SettleState.SETTLE_STATE_RESOLVED)
    assert decode_json(request.value) == {"sum": 15}


async def test_rejects_the_promise_with_the_value_of_a_reject(f: WorkerFixture) -> None:
    async def handler(context: AsyncContext) -> Any:
        raise Reject({"code": 7})

    await f.open(handler)
    await f.give("t")
    request = await f.fulfilled()
    assert request.state == SettleState.SETTLE_STATE_REJECTED
    assert decode_json(request.value) == {"code": 7}


class TestAFailedAttempt:
    async def test_is_released_after_a_back_off_that_grows_with_the_failures_in_a_row(self, f: WorkerFixture) -> None:
        await f.open(fails)
        for version, delay in enumerate([1, 2, 4]):
            await f.give("t", version)
            released = await f.released_after(delay)
            assert (released.id, released.version) == ("t", version + 1)

    async def test_is_forgotten_once_the_task_has_been_suspended(self, f: WorkerFixture, runs: OpenRuns) -> None:
        await f.open(runs.handler)
        await f.give("t", 0)
        (await runs.next()).fail(RuntimeError("no"))
        await f.released_after(1)
        await f.give("t", 1)
        run = await runs.next()
        suspending = asyncio.ensure_future(run.context.await_all([pending("child")]))
        (await f.server.next("task_suspend")).reply(TaskSuspendResponse(suspended=TaskSuspended()))
        await asyncio.wait([suspending])
        await f.give("t", 2)
        (await runs.next()).fail(RuntimeError("no"))
        await f.released_after(1)

    async def test_is_forgotten_once_the_task_is_fulfilled(self, f: WorkerFixture, runs: OpenRuns) -> None:
        await f.open(runs.handler)
        await f.give("t", 0)
        (await runs.next()).fail(RuntimeError("no"))
        await f.released_after(1)
        await f.give("t", 1)
        (await runs.next()).end()
        await f.fulfilled()
        await f.give("t", 2)
        (await runs.next()).fail(RuntimeError("no"))
        await f.released_after(1)

    async def test_keeps_its_lease_renewed_while_it_waits(self, f: WorkerFixture) -> None:
        await f.open(fails, attempt_backoff=Backoff(25, 25))
        await f.give("t")
        await f.clock.armed(25)
        for _ in range(2):
            await f.clock.pass_by(TTL / 3)
            (await f.server.next("task_heartbeat")).reply(TaskHeartbeatResponse())
        f.clock.advance(5)
        await f.server.next("task_release")

    async def test_is_also_a_value_that_json_cannot_hold_and_one_that_the_server_refuses(
        self, f: WorkerFixture
    ) -> None:
        async def handler(context: AsyncContext) -> Any:
            return float("nan") if context.task.version == 1 else "much"

        await f.open(handler)
        await f.give("t", 0)
        await f.released_after(1)
        await f.give("t", 1)
        (await f.server.next("task_fulfill")).refuse(INVALID_REQUEST)
        await f.released_after(2)

    async def test_is_also_a_handler_that_is_cancelled_by_others(self, f: WorkerFixture) -> None:
        async def handler(context: AsyncContext) -> Any:
            raise asyncio.CancelledError

        await f.open(handler)
        await f.give("t")
        await f.released_after(1)


class TestAcquiring:
    async def dropped(self, f: WorkerFixture, runs: OpenRuns) -> None:
        """Gives a task after `t` was dropped, and sees that nothing has happened about `t`."""
        await f.give("marker")
        assert (await runs.next()).context.task.id == "marker"
        assert f.server.waiting("task_acquire") == 0

    @pytest.mark.parametrize(
        "answer",
        [
            pytest.param(Refusal(StatusCode.NOT_FOUND, "TASK_NOT_FOUND", status=404), id="is-not-there"),
            pytest.param(conflict("TASK_NOT_PENDING", 1, "other"), id="has-another-holder"),
            pytest.param(conflict("TASK_NOT_PENDING", 2, "w"), id="has-another-lease-of-this-pid"),
            pytest.param(conflict("TASK_NOT_PENDING", 1, None, "suspended"), id="is-suspended"),
            pytest.param(INVALID_REQUEST, id="is-not-acceptable"),
        ],
    )
    async def test_drops_a_task_that(self, f: WorkerFixture, runs: OpenRuns, answer: Refusal) -> None:
        await f.open(runs.handler, max_in_flight=1)
        f.stream.execute("t")
        (await f.server.next("task_acquire")).refuse(answer)
        await self.dropped(f, runs)

    async def test_goes_on_as_the_holder_when_only_the_answer_was_lost(self, f: WorkerFixture, runs: OpenRuns) -> None:
        await f.open(runs.handler)
        f.stream.execute("t")
        (await f.server.next("task_acquire")).lose()
        await f.clock.pass_by(0.1)
        (await f.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
        (await f.server.next("promise_get")).reply(PromiseGetResponse(promise=pending("t", "input")))
        # How much of the lease is left is not known: it is renewed at once.
        beat = await f.server.next("task_heartbeat")
        assert [(task.id, task.version) for task in beat.request.tasks] == [("t", 1)]
        run = await runs.next()
        assert (run.context.task.id, run.context.task.version) == ("t", 1)
        assert run.context.param == "input"
        run.end()
        assert (await f.fulfilled()).version == 1

    async def test_asks_again_when_it_cannot_read_the_promise_that_it_holds(
        self, f: WorkerFixture, runs: OpenRuns
    ) -> None:
        await f.open(runs.handler)
        f.stream.execute("t")
        (await f.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
        (await f.server.next("promise_get")).refuse(Refusal(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED"))
        await f.clock.pass_by(0.1)
        (await f.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
        (await f.server.next("promise_get")).reply(PromiseGetResponse(promise=pending("t")))
        assert (await runs.next()).context.task.version == 1

    async def test_drops_a_task_that_it_holds_but_whose_promise_has_settled(
        self, f: WorkerFixture, runs: OpenRuns
    ) -> None:
        await f.open(runs.handler, max_in_flight=1)
        f.stream.execute("t")
        (await f.server.next("task_acquire")).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
        (await f.server.next("promise_get")).reply(PromiseGetResponse(promise=settled("t")))
        await self.dropped(f, runs)

    async def test_gives_up_when_a_whole_ttl_has_passed_without_an_answer(
        self, f: WorkerFixture, runs: OpenRuns
    ) -> None:
        await f.open(runs.handler, max_in_flight=1, ttl=0.5)
        f.stream.execute("t")
        for delay in (0.1, 0.2):
            (await f.server.next("task_acquire")).lose()
            await f.clock.pass_by(delay)
        (await f.server.next("task_acquire")).lose()  # The next try would be at 0.7.
        await self.dropped(f, runs)


class TestPushes:
    async def test_that_come_twice_are_ignored(self, f: WorkerFixture, runs: OpenRuns) -> None:
        await f.open(runs.handler)
        f.stream.execute("t")
        acquire = await f.server.next("task_acquire")
        f.stream.execute("t")
        f.grant(acquire)
        run = await runs.next()
        f.stream.execute("t")
        await f.give("marker")
        assert (await runs.next()).context.task.id == "marker"
        assert run.context.over is None
        run.end()
        await f.fulfilled()
        await f.give("marker 2")
        assert f.server.waiting("task_acquire") == 0

    async def test_over_the_limit_wait_and_are_taken_in_order(self, f: WorkerFixture, runs: OpenRuns) -> None:
        await f.open(runs.handler, max_in_flight=1)
        await f.give("a")
        for id in ("b", "c", "b"):
            f.stream.execute(id)
        run = await runs.next()
        await f.heard()
        assert f.server.waiting("task_acquire") == 0
        run.end()
        await f.fulfilled()
        for id in ("b", "c"):
            acquire = await f.server.next("task_acquire")
            assert acquire.request.id == id
            assert f.server.waiting("task_acquire") == 0
            f.grant(acquire)
            (await runs.next()).end()
            await f.fulfilled()

    @pytest.mark.parametrize("drained", [False, True])
    async def test_that_wait_are_dropped_when_the_stream_ends_or_drains(
        self, f: WorkerFixture, runs: OpenRuns, drained: bool
    ) -> None:
        await f.open(runs.handler, max_in_flight=1)
        await f.give("a")
        run = await runs.next()
        f.stream.execute("b")
        if drained:
            f.stream.drain()
            await f.heard()
        else:
            f.stream.fail(UNAVAILABLE)
            await f.clock.pass_by(0.1)
            await f.accept("session 2")
            (await f.server.next("task_heartbeat")).reply(TaskHeartbeatResponse())  # The first thing on a new stream.
        run.end()
        await f.fulfilled()
        await f.give("c")
        assert (await runs.next()).context.task.id == "c"
        assert f.server.waiting("task_acquire") == 0

    async def test_of_a_task_that_this_worker_believes_to_hold_prove_that_it_does_not(
        self, f: WorkerFixture, runs: OpenRuns
    ) -> None:
        await f.open(runs.handler)
        await f.give("t", 0)
        run = await runs.next()
        f.stream.execute("t", 1)
        acquire = await f.server.next("task_acquire")
        assert acquire.request.version == 1
        assert run.context.over is not None
        assert run.context.over.end == "lost"
        await run.is_cancelled()
        f.grant(acquire)
        assert (await runs.next()).context.task.version == 2

    async def test_of_a_task_that_is_just_being_suspended_wait_for_the_end_of_that(
        self, f: WorkerFixture, runs: OpenRuns
    ) -> None:
        await f.open(runs.handler)
        await f.give("t", 0)
        run = await runs.next()
        suspending = asyncio.ensure_future(run.context.await_all([pending("child")]))
        suspend = await f.server.next("task_suspend")
        f.stream.execute("t", 1)
        await f.heard()
        suspend.reply(TaskSuspendResponse(suspended=TaskSuspended()))
        f.grant(await f.server.next("task_acquire"))
        again = await runs.next()
        assert (again.context.task.id, again.context.task.version) == ("t", 2)
        assert run.context.over is not None
        assert run.context.over.end == "suspended"
        await asyncio.wait([suspending])


class TestUnblocks:
    async def test_are_acknowledged_once_they_are_handled_those_of_a_frame_in_one_call(self, f: WorkerFixture) -> None:
        handled = asyncio.Event()
        seen: list[str] = []

        async def on_unblock(promise: Any, address: str) -> None:
            seen.append(f"{promise.id} {address}")
            await handled.wait()

        await f.open(fails, on_unblock=on_unblock)
        f.stream.unblock("p", "q")
        f.stream.execute("t")
        await f.server.next("task_acquire")  # So the unblocks before it have been heard.
        assert seen == ["p uni@g/p", "q uni@g/q"]
        assert f.server.waiting("dispatch_acknowledge") == 0
        handled.set()
        request = (await f.server.next("dispatch_acknowledge")).request
        assert [(ref.promise_id, ref.address) for ref in request.unblocks] == [("p", "uni@g/p"), ("q", "uni@g/q")]

    async def test_are_not_acknowledged_when_handling_them_fails(self, f: WorkerFixture) -> None:
        async def on_unblock(promise: Any, address: str) -> None:
            if promise.id == "bad":
                raise RuntimeError("no")

        await f.open(fails, on_unblock=on_unblock)
        f.stream.unblock("bad", "good")
        request = (await f.server.next("dispatch_acknowledge")).request
        assert [ref.promise_id for ref in request.unblocks] == ["good"]

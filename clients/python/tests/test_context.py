"""What a handler can do, and how its run ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from grpc import StatusCode

from resonate_grpc import (
    AsyncContext,
    PromiseState,
    ResonateError,
    RunOver,
    SettleState,
    decode_json,
    unwrap,
)
from resonate_grpc.v1.promise_pb2 import PromiseGetResponse, PromiseRecord
from resonate_grpc.v1.refusal_pb2 import Reason
from resonate_grpc.v1.refusal_pb2 import Refusal as RefusalMessage
from resonate_grpc.v1.task_pb2 import (
    TaskFenceResponse,
    TaskReady,
    TaskSuspended,
    TaskSuspendRequest,
    TaskSuspendResponse,
)
from tests.support.scripted_server import (
    INVALID_REQUEST,
    NO_PROMISE,
    Refusal,
    conflict,
    pending,
    settled,
)
from tests.support.worker_fixture import TTL, OpenRun, OpenRuns, WorkerFixture

SUSPENDED = TaskSuspendResponse(suspended=TaskSuspended())
READY = TaskSuspendResponse(ready=TaskReady())


def fenced(record: PromiseRecord) -> TaskFenceResponse:
    return TaskFenceResponse(promise=record)


def begin(call: Coroutine[Any, Any, Any]) -> asyncio.Future[Any]:
    return asyncio.ensure_future(call)


async def over(call: asyncio.Future[Any]) -> RunOver:
    with pytest.raises(RunOver) as error:
        await call
    return error.value


async def refused(call: asyncio.Future[Any]) -> ResonateError:
    with pytest.raises(ResonateError) as error:
        await call
    return error.value


class Holding:
    """A worker that holds `t` under version 1, in a handler that ends when the test says so."""

    run: OpenRun

    def __init__(self, f: WorkerFixture, runs: OpenRuns) -> None:
        self.f = f
        self.runs = runs

    async def open(self) -> None:
        await self.f.open(self.runs.handler, max_in_flight=1)
        await self.f.give("t", 0, "input")
        self.run = await self.runs.next()

    @property
    def context(self) -> AsyncContext:
        return self.run.context

    async def fence(self) -> Any:
        return await self.f.server.next("task_fence")

    async def dropped(self) -> None:
        """The place of `t` is free, and nothing has been done about it meanwhile."""
        await self.f.give("marker")
        assert (await self.runs.next()).context.task.id == "marker"
        assert self.f.server.waiting("task_fulfill") == 0
        assert self.f.server.waiting("task_release") == 0


@pytest.fixture
async def held(f: WorkerFixture, runs: OpenRuns) -> Holding:
    holding = Holding(f, runs)
    await holding.open()
    return holding


async def test_knows_its_task_and_its_promise(held: Holding) -> None:
    context = held.context
    assert (context.task.id, context.task.version) == ("t", 1)
    assert context.promise.id == "t"
    assert context.param == "input"
    assert context.over is None


class TestCreate:
    async def test_creates_a_child_through_the_fence_by_default_with_the_deadline_of_its_parent(
        self, held: Holding
    ) -> None:
        creating = begin(held.context.create("c", target="any@g", param=1))
        call = await held.fence()
        assert (call.request.id, call.request.version) == ("t", 1)
        spec = call.request.create
        assert spec.id == "c"
        assert spec.timeout_at_ms == held.context.promise.timeout_at_ms
        assert dict(spec.tags) == {"resonate:target": "any@g"}
        assert decode_json(spec.param) == 1
        call.reply(fenced(settled("c", "as it stands")))
        assert unwrap(await creating) == "as it stands"

    async def test_is_repeated_while_the_answer_is_lost_and_the_lease_stands(self, held: Holding) -> None:
        creating = begin(held.context.create("c"))
        troubles = [
            Refusal(StatusCode.UNAVAILABLE),
            Refusal(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED"),
            Refusal(StatusCode.RESOURCE_EXHAUSTED, "STORAGE_FULL"),
            Refusal(StatusCode.INTERNAL, message="stream was reset"),
            Refusal(StatusCode.UNKNOWN),
            Refusal(StatusCode.CANCELLED),
        ]
        for failures, trouble in enumerate(troubles):
            (await held.fence()).refuse(trouble)
            await held.f.clock.pass_by(min(5, 0.1 * 2**failures))
        (await held.fence()).reply(fenced(pending("c")))
        assert (await creating).id == "c"

    @pytest.mark.parametrize(
        "refusal",
        [
            INVALID_REQUEST,
            Refusal(StatusCode.INTERNAL, "FAULT"),
            Refusal(StatusCode.RESOURCE_EXHAUSTED),
            Refusal(StatusCode.PERMISSION_DENIED),
        ],
        ids=lambda refusal: refusal.code.name,
    )
    async def test_raises_what_else_the_server_refuses_and_the_run_goes_on(
        self, held: Holding, refusal: Refusal
    ) -> None:
        creating = begin(held.context.create("c"))
        (await held.fence()).refuse(refusal)
        assert (await refused(creating)).code is refusal.code
        assert held.context.over is None

    async def test_may_be_called_any_number_of_times_at_once(self, held: Holding) -> None:
        creating = begin(asyncio.wait_for(asyncio.gather(*(held.context.create(f"c{n}") for n in range(50))), 60))
        for _ in range(50):
            (await held.fence()).reply(fenced(pending("c")))
        assert len(await creating) == 50

    async def test_ends_the_run_when_the_lease_ends_before_the_server_is_back(self, held: Holding) -> None:
        creating = begin(held.context.create("c"))
        (await held.fence()).lose()
        await held.f.clock.armed(0.1)
        held.f.clock.advance(TTL)
        assert (await over(creating)).end == "lost"
        await held.dropped()

    async def test_cancels_a_call_that_is_under_way_when_the_lease_ends(self, held: Holding) -> None:
        creating = begin(held.context.create("c"))
        call = await held.fence()
        held.f.clock.advance(TTL)
        assert (await over(creating)).end == "lost"
        await call.is_cancelled()

    async def test_ends_the_run_when_another_one_holds_the_task_and_says_why(self, held: Holding) -> None:
        creating = begin(held.context.create("c"))
        (await held.fence()).refuse(conflict("TASK_VERSION_MISMATCH", 2, "other"))
        error = await over(creating)
        assert error.end == "lost"
        assert isinstance(error.__cause__, ResonateError)
        assert error.__cause__.reason == "TASK_VERSION_MISMATCH"
        assert held.context.over is error
        held.run.end("ignored")
        await held.dropped()

    @pytest.mark.parametrize(
        "refusal",
        [
            pytest.param(Refusal(StatusCode.NOT_FOUND, "TASK_NOT_FOUND", status=404), id="TASK_NOT_FOUND"),
            pytest.param(conflict("TASK_NOT_ACQUIRED", 1, None, "halted"), id="TASK_NOT_ACQUIRED"),
            pytest.param(conflict("PROMISE_NOT_LIVE", 1, "w"), id="PROMISE_NOT_LIVE"),
        ],
    )
    async def test_ends_the_run_on(self, held: Holding, refusal: Refusal) -> None:
        creating = begin(held.context.create("c"))
        (await held.fence()).refuse(refusal)
        assert (await over(creating)).end == "lost"
        await held.dropped()

    async def test_goes_on_when_a_refusal_shows_that_it_is_the_holder(self, held: Holding) -> None:
        creating = begin(held.context.create("c"))
        (await held.fence()).refuse(conflict("TASK_NOT_PENDING", 1, "w"))
        await held.f.clock.pass_by(0.1)
        (await held.fence()).reply(fenced(pending("c")))
        assert (await creating).id == "c"


class TestSettle:
    async def test_settles_a_promise_through_the_fence(self, held: Holding) -> None:
        settling = begin(held.context.settle("c", 3, SettleState.SETTLE_STATE_REJECTED_CANCELED))
        call = await held.fence()
        settlement = call.request.settle
        assert (settlement.id, settlement.state) == ("c", SettleState.SETTLE_STATE_REJECTED_CANCELED)
        assert decode_json(settlement.value) == 3
        call.reply(fenced(settled("c", "earlier")))
        assert unwrap(await settling) == "earlier"

    async def test_raises_an_inner_refusal_as_the_inner_call_would_have(self, held: Holding) -> None:
        settling = begin(held.context.settle("c"))
        refusal = RefusalMessage(
            reason=Reason.REASON_PROMISE_NOT_FOUND,
            protocol_status=404,
            message='no promise "c"',
            metadata={"id": "c"},
        )
        (await held.fence()).reply(TaskFenceResponse(refusal=refusal))
        error = await refused(settling)
        assert (error.code, error.reason, error.status) == (StatusCode.NOT_FOUND, "PROMISE_NOT_FOUND", 404)
        assert error.metadata == {"id": "c"}
        assert str(error) == 'no promise "c"'


class TestAwaitAll:
    async def reads(self, held: Holding, *records: PromiseRecord) -> None:
        for record in records:
            call = await held.f.server.next("promise_get")
            assert call.request.id == record.id
            call.reply(PromiseGetResponse(promise=record))

    async def suspends(self, held: Holding, answer: TaskSuspendResponse) -> Any:
        call = await held.f.server.next("task_suspend")
        call.reply(answer)
        return call.request

    async def test_returns_what_is_settled_in_order_and_reads_only_what_it_was_given_as_an_id(
        self, held: Holding
    ) -> None:
        awaiting = begin(held.context.await_all([settled("a", 1), "b", settled("c", 3)]))
        await self.reads(held, settled("b", 2, PromiseState.PROMISE_STATE_REJECTED))
        assert [record.id for record in await awaiting] == ["a", "b", "c"]
        assert await held.context.await_all([]) == []
        assert held.f.server.waiting("task_suspend") == 0

    async def test_raises_not_found_for_an_unknown_promise(self, held: Holding) -> None:
        awaiting = begin(held.context.await_all(["x"]))
        (await held.f.server.next("promise_get")).refuse(NO_PROMISE)
        assert (await refused(awaiting)).reason == "PROMISE_NOT_FOUND"

    async def test_suspends_the_task_on_the_first_pending_one_and_every_further_call_raises_the_same(
        self, held: Holding
    ) -> None:
        awaiting = begin(held.context.await_all([settled("a"), pending("b"), pending("c")]))
        request = await self.suspends(held, SUSPENDED)
        assert request == TaskSuspendRequest(id="t", version=1, awaited_ids=["b"])
        error = await over(awaiting)
        assert error.end == "suspended"
        context = held.context
        calls = [
            context.create("d"),
            context.settle("d"),
            context.get("d"),
            context.await_all([pending("d")]),
            context.sleep("d", 1),
        ]
        for call in calls:
            assert await over(begin(call)) is error
        assert context.over is error
        held.run.end("swallowed it")
        await held.dropped()

    async def test_goes_on_at_once_when_something_has_settled_meanwhile_for_as_long_as_it_takes(
        self, held: Holding
    ) -> None:
        awaiting = begin(held.context.await_all([pending("a"), pending("b")]))
        await self.suspends(held, READY)
        await self.reads(held, settled("a", 1), pending("b"))
        assert (await self.suspends(held, READY)).awaited_ids == ["b"]
        await self.reads(held, settled("b", 2))
        assert [unwrap(record) for record in await awaiting] == [1, 2]
        assert held.context.over is None

    async def test_runs_the_handler_again_from_its_start_when_the_task_is_resumed(self, held: Holding) -> None:
        awaiting = begin(held.context.await_all([pending("a")]))
        await self.suspends(held, SUSPENDED)
        await over(awaiting)
        await held.f.give("t", 1)
        again = await held.runs.next()
        assert (again.context.task.id, again.context.task.version) == ("t", 2)
        awaiting = begin(again.context.await_all(["a"]))
        await self.reads(held, settled("a", 1))
        again.end(unwrap((await awaiting)[0]))
        request = await held.f.fulfilled()
        assert request.version == 2
        assert decode_json(request.value) == 1

    @pytest.mark.parametrize(
        "refusal",
        [
            pytest.param(conflict("TASK_NOT_ACQUIRED", 1, None, "suspended"), id="is-suspended"),
            pytest.param(conflict("TASK_NOT_ACQUIRED", 1, None, "pending"), id="has-been-resumed"),
            pytest.param(conflict("TASK_VERSION_MISMATCH", 2, "other"), id="has-its-next-holder"),
        ],
    )
    async def test_ends_the_run_when_the_answer_was_lost_and_the_task(self, held: Holding, refusal: Refusal) -> None:
        awaiting = begin(held.context.await_all([pending("a")]))
        (await held.f.server.next("task_suspend")).lose()
        await held.f.clock.pass_by(0.1)
        (await held.f.server.next("task_suspend")).refuse(refusal)
        await over(awaiting)
        await held.dropped()

    async def test_suspends_after_all_when_the_lost_call_had_not_arrived(self, held: Holding) -> None:
        awaiting = begin(held.context.await_all([pending("a")]))
        (await held.f.server.next("task_suspend")).lose()
        await held.f.clock.pass_by(0.1)
        await self.suspends(held, SUSPENDED)
        assert (await over(awaiting)).end == "suspended"


async def test_a_handler_that_suspends_can_still_await_while_it_cleans_up(f: WorkerFixture) -> None:
    cleaned_up = asyncio.Event()

    async def handler(context: AsyncContext) -> None:
        try:
            await context.await_all([pending("child")])
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            cleaned_up.set()

    await f.open(handler)
    await f.give("t")
    (await f.server.next("task_suspend")).reply(SUSPENDED)
    await asyncio.wait_for(cleaned_up.wait(), 60)


async def test_catching_every_exception_does_not_catch_the_end_of_the_run(f: WorkerFixture) -> None:
    caught: list[Exception] = []

    async def handler(context: AsyncContext) -> str:
        try:
            await context.await_all([pending("child")])
        except Exception as error:
            caught.append(error)
        return "went on"

    await f.open(handler, max_in_flight=1)
    await f.give("t")
    (await f.server.next("task_suspend")).reply(SUSPENDED)
    await f.give("marker")
    assert caught == []


class TestSleep:
    async def test_creates_a_timer_and_waits_for_it(self, held: Holding) -> None:
        sleeping = begin(held.context.sleep("nap", 5_000))
        fence = await held.fence()
        spec = fence.request.create
        assert (spec.id, spec.timeout_at_ms, dict(spec.tags)) == ("nap", 5_000, {"resonate:timer": "true"})
        fence.reply(fenced(pending("nap")))
        suspend = await held.f.server.next("task_suspend")
        assert suspend.request.awaited_ids == ["nap"]
        suspend.reply(SUSPENDED)
        assert (await over(sleeping)).end == "suspended"

    async def test_returns_when_the_timer_has_fired(self, held: Holding) -> None:
        sleeping = begin(held.context.sleep("nap", 5_000))
        (await held.fence()).reply(fenced(settled("nap")))
        await sleeping
        assert held.f.server.waiting("task_suspend") == 0


class TestFulfilling:
    async def loses_the_answer(self, held: Holding, state: str) -> None:
        held.run.end("value")
        (await held.f.server.next("task_fulfill")).lose()
        await held.f.clock.pass_by(0.1)
        (await held.f.server.next("task_fulfill")).refuse(conflict("TASK_NOT_ACQUIRED", 1, None, state))

    async def test_looks_at_the_promise_when_an_answer_was_lost_settled_is_done(
        self, held: Holding, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG", "resonate_grpc")
        await self.loses_the_answer(held, "fulfilled")
        call = await held.f.server.next("promise_get")
        assert call.request.id == "t"
        call.refuse(Refusal(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED"))  # It looks again.
        await held.f.clock.pass_by(0.1)
        (await held.f.server.next("promise_get")).reply(PromiseGetResponse(promise=settled("t", "value")))
        await held.dropped()
        assert "task 't' fulfilled under version 1" in caplog.messages

    async def test_looks_at_the_promise_when_an_answer_was_lost_pending_is_lost(
        self, held: Holding, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG", "resonate_grpc")
        await self.loses_the_answer(held, "pending")
        (await held.f.server.next("promise_get")).reply(PromiseGetResponse(promise=pending("t")))
        await held.dropped()
        assert not any("fulfilled" in message for message in caplog.messages)
        assert any("task 't' dropped" in message for message in caplog.messages)

    async def test_does_not_look_when_no_answer_was_lost_the_task_is_dropped(self, held: Holding) -> None:
        held.run.end("value")
        (await held.f.server.next("task_fulfill")).refuse(conflict("TASK_NOT_ACQUIRED", 1, None, "pending"))
        await held.dropped()
        assert held.f.server.waiting("promise_get") == 0

    async def test_ends_what_the_handler_has_left_behind(self, held: Holding) -> None:
        held.run.end()
        await held.f.fulfilled()
        await held.f.give("marker")
        await held.runs.next()
        assert (await over(begin(held.context.create("c")))).end == "finished"

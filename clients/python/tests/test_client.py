"""The calls of a client."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from resonate_grpc import AsyncClient, ResonateError, Value
from resonate_grpc.v1.promise_pb2 import (
    PromiseCreateRequest,
    PromiseCreateResponse,
    PromiseGetRequest,
    PromiseGetResponse,
    PromiseRecord,
    PromiseSettlement,
    PromiseSettleRequest,
    PromiseSettleResponse,
    PromiseSpec,
    PromiseWaitResponse,
)
from resonate_grpc.v1.task_pb2 import TaskAcquireRequest, TaskGetRequest, TaskGetResponse, TaskReleaseRequest
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import NO_PROMISE, RPCS, Refusal, ScriptedServer, pending, settled

PROTO = Path(__file__).parents[3] / "proto/resonate_grpc/v1"
OVERLOADED = Refusal(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")


def begin(call: Awaitable[Any]) -> asyncio.Future[Any]:
    return asyncio.ensure_future(call)


async def refused(call: asyncio.Future[Any]) -> ResonateError:
    with pytest.raises(ResonateError) as error:
        await call
    return error.value


def documented() -> dict[str, str]:
    """Each unary RPC's name, as the client spells it, with its comment on one line."""
    rpc = re.compile(r"((?: {2}//.*\n)+) {2}rpc (\w+)\(\w+\) returns \((?!stream)")
    found = [match for file in PROTO.glob("*.proto") for match in rpc.finditer(file.read_text(encoding="utf-8"))]
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): re.sub(r"\s*// ?", " ", comment)
        for comment, name in (match.groups() for match in found)
    }


def test_has_every_unary_rpc_and_retries_exactly_those_whose_comment_calls_a_retry_always_safe() -> None:
    comments = documented()
    assert len(comments) == 24
    safe = {name: "a retry is always safe" in comment.lower() for name, comment in comments.items()}
    assert {name: rpc.retry_safe for name, rpc in RPCS.items()} == safe


@pytest.mark.parametrize("name", RPCS)
async def test_sends_each_call_to_the_rpc_of_its_name(client: AsyncClient, server: ScriptedServer, name: str) -> None:
    calling = begin(getattr(client, name)(RPCS[name].request()))
    (await server.next(name)).refuse(Refusal(StatusCode.NOT_FOUND, message=name))
    assert str(await refused(calling)) == name


async def test_sends_requests_and_returns_responses_whole(client: AsyncClient, server: ScriptedServer) -> None:
    request = PromiseCreateRequest(promise=PromiseSpec(id="p", tags={"__proto__": "é"}, param=Value(data=b"")))
    creating = begin(client.promise_create(request))
    call = await server.next("promise_create")
    assert call.request == request
    assert call.request.promise.param.HasField("data")
    call.reply(PromiseCreateResponse(promise=settled("p", 1)))
    assert (await creating).promise == settled("p", 1)


async def test_unpacks_a_refusal(client: AsyncClient, server: ScriptedServer) -> None:
    acquiring = begin(client.task_acquire(TaskAcquireRequest(id="t")))
    metadata = {"id": "t", "task_state": "acquired", "task_version": "3", "task_pid": "p"}
    (await server.next("task_acquire")).refuse(
        Refusal(StatusCode.ABORTED, "TASK_NOT_PENDING", status=409, metadata=metadata, message='task "t" is acquired')
    )
    error = await refused(acquiring)
    assert (error.code, error.reason, error.status) == (StatusCode.ABORTED, "TASK_NOT_PENDING", 409)
    assert error.metadata == {**metadata, "status": "409"}
    assert str(error) == 'task "t" is acquired'


async def test_has_no_reason_for_an_error_that_is_not_from_the_server_itself(
    client: AsyncClient, server: ScriptedServer
) -> None:
    garbled = Refusal(StatusCode.ABORTED)
    garbled.trailers.append(("grpc-status-details-bin", b"\xff"))
    for refusal in (
        Refusal(StatusCode.INTERNAL, message="a proxy says"),
        Refusal(StatusCode.ABORTED, "TASK_NOT_PENDING", status=409, domain="example.com"),
        garbled,
    ):
        acquiring = begin(client.task_acquire(TaskAcquireRequest(id="t")))
        (await server.next("task_acquire")).refuse(refusal)
        error = await refused(acquiring)
        assert (error.code, error.reason, error.status, error.metadata) == (refusal.code, None, None, {})


async def test_receives_messages_over_the_default_limit_of_grpc(client: AsyncClient, server: ScriptedServer) -> None:
    getting = begin(client.promise_get(PromiseGetRequest(id="p")))
    record = PromiseRecord(id="p", value=Value(data=bytes(6 << 20)))
    (await server.next("promise_get")).reply(PromiseGetResponse(promise=record))
    assert len((await getting).promise.value.data) == 6 << 20


async def test_repeats_a_safe_call_on_unavailable_with_a_growing_delay(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    settling = begin(client.promise_settle(PromiseSettleRequest(settlement=PromiseSettlement(id="p"))))
    for delay in (0.1, 0.2, 0.4):
        (await server.next("promise_settle")).lose()
        await clock.pass_by(delay)
    (await server.next("promise_settle")).reply(PromiseSettleResponse(promise=settled("p")))
    assert (await settling).promise.id == "p"


async def test_gives_up_when_the_timeout_would_pass_before_the_next_try(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    getting = begin(client.promise_get(PromiseGetRequest(id="p"), timeout=600))
    call = await server.next("promise_get")
    clock.advance(599.95)
    call.lose()
    assert (await refused(getting)).code is StatusCode.UNAVAILABLE
    assert clock.lengths == []


async def test_never_repeats_another_call_nor_another_error(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    releasing = begin(client.task_release(TaskReleaseRequest(id="t")))
    (await server.next("task_release")).lose()
    assert (await refused(releasing)).code is StatusCode.UNAVAILABLE
    getting = begin(client.promise_get(PromiseGetRequest(id="p")))
    (await server.next("promise_get")).refuse(OVERLOADED)
    assert (await refused(getting)).reason == "OVERLOADED"
    assert clock.lengths == []


async def test_reaches_a_server_that_comes_back(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    await server.kill()
    getting = begin(client.promise_get(PromiseGetRequest(id="p"), timeout=math.inf))
    await clock.armed(0.1)
    await server.start()
    answering = begin(server.next("promise_get"))
    while not answering.done():
        # The channel has a back-off of its own, in real time: whether the second try meets it is open.
        clock.advance(0.1)
        await asyncio.sleep(0.01)
    answering.result().reply(PromiseGetResponse(promise=settled("p")))
    assert (await getting).promise.id == "p"


async def test_ends_a_call_at_its_timeout(client: AsyncClient) -> None:
    error = await refused(begin(client.task_get(TaskGetRequest(id="t"), timeout=0.02)))
    assert error.code is StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize(("days", "has_timeout"), [(23, True), (40, False), (math.inf, False)])
async def test_takes_a_timeout_of_more_than_24_days_for_none(
    client: AsyncClient, server: ScriptedServer, days: float, has_timeout: bool
) -> None:
    getting = begin(client.task_get(TaskGetRequest(id="t"), timeout=days * 86_400))
    call = await server.next("task_get")
    assert call.has_timeout is has_timeout
    call.reply(TaskGetResponse())
    assert await getting == TaskGetResponse()


async def test_cancels_a_call_when_its_caller_is_cancelled(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    getting = begin(client.promise_get(PromiseGetRequest(id="p")))
    call = await server.next("promise_get")
    getting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await getting
    await call.is_cancelled()

    between = begin(client.promise_get(PromiseGetRequest(id="p")))
    (await server.next("promise_get")).lose()
    await clock.armed(0.1)
    between.cancel()
    with pytest.raises(asyncio.CancelledError):
        await between
    assert clock.lengths == []


async def test_fails_calls_once_it_is_closed_and_those_that_are_under_way(
    client: AsyncClient, server: ScriptedServer
) -> None:
    getting = begin(client.promise_get(PromiseGetRequest(id="p")))
    await server.next("promise_get")
    await client.close()
    assert (await refused(getting)).code is StatusCode.CANCELLED
    assert (await refused(begin(client.promise_get(PromiseGetRequest(id="p"))))).code is StatusCode.CANCELLED
    assert (await refused(begin(client.wait("p")))).code is StatusCode.CANCELLED


async def test_repeats_safe_calls_over_a_new_connection_when_it_reconnects(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    getting = begin(client.promise_get(PromiseGetRequest(id="p")))
    releasing = begin(client.task_release(TaskReleaseRequest(id="t")))
    for name in ("promise_get", "task_release"):
        await server.next(name)
    await client.reconnect()
    assert (await refused(releasing)).code is StatusCode.UNAVAILABLE
    await clock.pass_by(0.1)
    (await server.next("promise_get")).reply(PromiseGetResponse(promise=settled("p")))
    assert (await getting).promise.id == "p"


def test_may_be_made_before_an_event_loop_runs() -> None:
    async def use(client: AsyncClient) -> None:
        server = ScriptedServer()
        server.port = port
        await server.start()
        getting = begin(client.task_get(TaskGetRequest(id="t")))
        (await server.next("task_get")).reply(TaskGetResponse())
        await getting
        await client.close()
        await server.kill()

    async def find_port() -> int:
        server = ScriptedServer()
        await server.start()
        await server.kill()
        return server.port

    port = run(find_port())
    run(use(AsyncClient(f"127.0.0.1:{port}")))


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """As `asyncio.run`, which would leave pytest's own event loop forgotten."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


class TestWait:
    async def test_returns_the_settled_promise(self, client: AsyncClient, server: ScriptedServer) -> None:
        waiting = begin(client.wait("p"))
        call = await server.next("promise_wait")
        assert call.request.id == "p"
        call.reply(PromiseWaitResponse(promise=settled("p", 7)))
        assert await waiting == settled("p", 7)

    async def test_asks_again_for_as_long_as_it_takes(
        self, client: AsyncClient, server: ScriptedServer, clock: ManualClock
    ) -> None:
        waiting = begin(client.wait("p"))
        (await server.next("promise_wait")).refuse(Refusal(StatusCode.UNAVAILABLE, "DRAINING"))
        await clock.pass_by(0.1)
        for _ in range(3):
            (await server.next("promise_wait")).refuse(Refusal(StatusCode.DEADLINE_EXCEEDED))
            await clock.pass_by(0.1)  # A slice that passed quietly is no failure: the delay does not grow.
        (await server.next("promise_wait")).reply(PromiseWaitResponse(promise=settled("p")))
        assert (await waiting).id == "p"

    async def test_ends_at_its_own_timeout(self, client: AsyncClient) -> None:
        assert (await refused(begin(client.wait("p", timeout=0.02)))).code is StatusCode.DEADLINE_EXCEEDED

    async def test_ends_at_once_for_an_unknown_promise(self, client: AsyncClient, server: ScriptedServer) -> None:
        waiting = begin(client.wait("p"))
        (await server.next("promise_wait")).refuse(NO_PROMISE)
        assert (await refused(waiting)).reason == "PROMISE_NOT_FOUND"


async def test_create_creates_the_work_or_finds_it(client: AsyncClient, server: ScriptedServer) -> None:
    creating = begin(client.create("p", target="any@g", param={"n": 1}, timeout_at_ms=5_000))
    call = await server.next("promise_create")
    assert (call.request.promise.id, call.request.promise.timeout_at_ms) == ("p", 5_000)
    assert dict(call.request.promise.tags) == {"resonate:target": "any@g"}
    call.reply(PromiseCreateResponse(promise=pending("p")))
    assert await creating == pending("p")
    with pytest.raises(TypeError, match="timeout"):
        await client.create("p")


async def test_invoke_creates_the_work_and_waits_for_its_outcome(client: AsyncClient, server: ScriptedServer) -> None:
    invoking = begin(client.invoke("p", timeout=5))
    (await server.next("promise_create")).reply(PromiseCreateResponse(promise=pending("p")))
    (await server.next("promise_wait")).reply(PromiseWaitResponse(promise=settled("p", 2)))
    assert await invoking == settled("p", 2)

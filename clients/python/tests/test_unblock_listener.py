"""Waiting for many promises over one stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from grpc import StatusCode

from resonate_grpc import AsyncClient, AsyncUnblockListener, PromiseRecord, ResonateError
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeResponse, DispatchRequest, DispatchUnblock
from resonate_grpc.v1.promise_pb2 import PromiseRegisterListenerResponse
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import (
    NO_PROMISE,
    SESSION_REPLACED,
    ScriptedServer,
    ScriptedStream,
    pending,
    settled,
)


class Listening:
    """A listener with an open stream."""

    stream: ScriptedStream

    def __init__(self, server: ScriptedServer, client: AsyncClient) -> None:
        self.server = server
        self.listener = AsyncUnblockListener(client, group="callers", pid="c/1")

    async def register(self, id: str, answer: PromiseRecord | None = None) -> None:
        """See that it registers for this promise, and answer."""
        call = await self.server.next("promise_register_listener")
        assert (call.request.awaited_id, call.request.address) == (id, "uni@callers/c/1")
        call.reply(PromiseRegisterListenerResponse(promise=answer or pending(id)))

    async def listen(self, id: str, **options: Any) -> asyncio.Future[PromiseRecord]:
        """To a promise that is pending."""
        listening = asyncio.ensure_future(self.listener.listen(id, **options))
        await self.register(id)
        await self.heard()
        return listening

    async def acknowledged(self) -> list[str]:
        call = await self.server.next("dispatch_acknowledge")
        call.reply(DispatchAcknowledgeResponse())
        return [f"{ref.promise_id} {ref.address}" for ref in call.request.unblocks]

    async def heard(self) -> None:
        """Wait until what was sent, and answered, before this has been heard."""
        self.stream.unblock("other")
        assert await self.acknowledged() == ["other uni@g/other"]


@pytest.fixture
async def f(server: ScriptedServer, client: AsyncClient) -> AsyncIterator[Listening]:
    f = Listening(server, client)
    async with f.listener:
        f.stream = await server.streams.next()
        f.stream.hello()
        yield f


async def refused(call: asyncio.Future[Any]) -> ResonateError:
    with pytest.raises(ResonateError) as error:
        await call
    return error.value


async def test_takes_no_tasks_and_acknowledges_for_itself(f: Listening, client: AsyncClient) -> None:
    assert f.stream.request == DispatchRequest(group="callers", pid="c/1", max_in_flight=0)
    assert f.stream.request.HasField("max_in_flight")
    assert f.listener.address == "uni@callers/c/1"
    with pytest.raises(ValueError, match="slash"):
        AsyncUnblockListener(client, group="a/b")


async def test_returns_at_once_when_the_promise_is_settled_already(f: Listening) -> None:
    listening = asyncio.ensure_future(f.listener.listen("p"))
    await f.register("p", settled("p", 4))
    assert await listening == settled("p", 4)


async def test_returns_with_the_unblock_and_acknowledges_it(f: Listening) -> None:
    listening = await f.listen("p")
    f.stream.unblock("p")
    assert await listening == settled("p")
    assert await f.acknowledged() == ["p uni@g/p"]


async def test_returns_with_an_unblock_that_overtakes_the_answer(f: Listening) -> None:
    listening = asyncio.ensure_future(f.listener.listen("p"))
    call = await f.server.next("promise_register_listener")
    f.stream.unblock("p")
    assert (await listening).id == "p"
    await call.is_cancelled()
    await f.acknowledged()


async def test_returns_to_everyone_who_waits_and_acknowledges_a_double_again(f: Listening) -> None:
    first, second = await f.listen("p"), await f.listen("p")
    f.stream.unblock("p", "p")
    assert (await first).id == (await second).id == "p"
    assert await f.acknowledged() == ["p uni@g/p", "p uni@g/p"]


async def test_yields_each_as_it_is_settled(f: Listening) -> None:
    records = f.listener.as_settled(["p", "q", "r"])
    following = asyncio.ensure_future(records.__anext__())
    for _ in range(3):
        call = await f.server.next("promise_register_listener")
        call.reply(PromiseRegisterListenerResponse(promise=pending(call.request.awaited_id)))
    for id in ("q", "r"):
        f.stream.unblock(id)
        assert (await following).id == id
        await f.acknowledged()
        following = asyncio.ensure_future(records.__anext__())
    f.stream.unblock("p")
    assert (await following).id == "p"
    await f.acknowledged()
    with pytest.raises(StopAsyncIteration):
        await records.__anext__()


async def test_listens_to_the_rest_no_more_when_the_iteration_ends_early(f: Listening) -> None:
    records = f.listener.as_settled(["p", "q"])
    following = asyncio.ensure_future(records.__anext__())
    for _ in range(2):
        call = await f.server.next("promise_register_listener")
        answer = settled("p") if call.request.awaited_id == "p" else pending("q")
        call.reply(PromiseRegisterListenerResponse(promise=answer))
    assert (await following).id == "p"
    await records.aclose()
    await f.heard()
    assert f.listener._waiters == {}


async def test_raises_not_found_for_an_unknown_promise(f: Listening) -> None:
    listening = asyncio.ensure_future(f.listener.listen("p"))
    (await f.server.next("promise_register_listener")).refuse(NO_PROMISE)
    assert (await refused(listening)).reason == "PROMISE_NOT_FOUND"


async def test_gives_up_at_its_timeout(f: Listening, clock: ManualClock) -> None:
    listening = await f.listen("p", timeout=7)
    await clock.pass_by(7)
    assert (await refused(listening)).code is StatusCode.DEADLINE_EXCEEDED


async def test_gives_up_when_it_is_cancelled(f: Listening) -> None:
    listening = await f.listen("p")
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert f.listener._waiters == {}


async def test_fails_whoever_waits_now_and_later_when_another_process_has_its_pid(f: Listening) -> None:
    listening = await f.listen("p")
    f.stream.fail(SESSION_REPLACED)
    assert (await refused(listening)).reason == "SESSION_REPLACED"
    assert (await refused(asyncio.ensure_future(f.listener.listen("q")))).reason == "SESSION_REPLACED"


async def test_fails_whoever_waits_when_it_is_stopped(f: Listening) -> None:
    listening = await f.listen("p")
    await f.listener.stop()
    assert "stopped" in str(await refused(listening))
    await f.stream.is_cancelled()


async def test_stops_once_its_last_acknowledgement_has_arrived_or_after_a_moment(
    f: Listening, clock: ManualClock
) -> None:
    listening = await f.listen("p")
    f.stream.unblock("p")
    await listening
    call = await f.server.next("dispatch_acknowledge")
    stopping = asyncio.ensure_future(f.listener.stop())
    await clock.armed(2)
    assert not stopping.done()
    call.reply(DispatchAcknowledgeResponse())
    await stopping

    f.listener._acknowledger.acknowledge(DispatchUnblock(address="x"))
    call = await f.server.next("dispatch_acknowledge")
    stopping = asyncio.ensure_future(f.listener.stop())
    await clock.pass_by(2)
    await stopping
    call.reply(DispatchAcknowledgeResponse())

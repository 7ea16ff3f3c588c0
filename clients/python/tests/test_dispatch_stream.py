"""How a Dispatch stream is kept open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from grpc import StatusCode

from resonate_grpc import AsyncClient, ResonateError
from resonate_grpc.dispatch_stream import DispatchStream
from resonate_grpc.v1.dispatch_pb2 import (
    DispatchEvent,
    DispatchExecute,
    DispatchHello,
    DispatchPing,
    DispatchRequest,
    DispatchUnblock,
)
from resonate_grpc.v1.task_pb2 import TaskGetRequest
from tests.support.inbox import PATIENCE, Inbox
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import (
    INVALID_REQUEST,
    SESSION_REPLACED,
    Refusal,
    ScriptedServer,
    ScriptedStream,
    settled,
)

DRAINING = Refusal(StatusCode.UNAVAILABLE, "DRAINING")
STALLED = Refusal(StatusCode.RESOURCE_EXHAUSTED, "SESSION_STALLED")
REQUEST = DispatchRequest(group="g", pid="p", max_in_flight=3)


class Ears:
    """Hears a stream, and stops it at the task `stop`."""

    def __init__(self, server: ScriptedServer, clock: ManualClock, client: AsyncClient) -> None:
        self.server = server
        self.clock = clock
        self.heard: Inbox[str] = Inbox("an event")
        self.failure: ResonateError | None = None
        self.stopping: asyncio.Future[None] | None = None
        self.stream = DispatchStream(client, REQUEST, self)

    def hello(self, hello: DispatchHello) -> None:
        self.heard.put(f"hello {hello.session_id}")

    def execute(self, execute: DispatchExecute) -> None:
        self.heard.put(f"execute {execute.task_id} {execute.version}")
        if execute.task_id == "stop":
            # As far as it goes at once, which is all that counts here.
            self.stopping = asyncio.ensure_future(self.stream.stop())
            self.stream._stopped.set()

    def unblock(self, unblock: DispatchUnblock) -> None:
        self.heard.put(f"unblock {unblock.address}")

    def lapsed(self) -> None:
        self.heard.put("lapsed")

    def failed(self, error: ResonateError) -> None:
        self.failure = error
        self.heard.put("failed")

    async def opened(self, session_id: str, ping_interval_ms: int = 15_000) -> ScriptedStream:
        stream = await self.server.streams.next()
        stream.hello(session_id, ping_interval_ms)
        assert await self.heard.next() == f"hello {session_id}"
        return stream

    async def reconnects_after(self, delay: float) -> None:
        assert await self.heard.next() == "lapsed"
        await self.clock.armed(delay)
        assert self.clock.lengths == [pytest.approx(delay)]
        self.clock.advance(delay)


@pytest.fixture
async def ears(server: ScriptedServer, clock: ManualClock, client: AsyncClient) -> AsyncIterator[Ears]:
    ears = Ears(server, clock, client)
    ears.stream.start()
    yield ears
    await ears.stream.stop()


async def test_opens_as_asked_and_tells_each_event_in_order_unknown_ones_are_passed_over(ears: Ears) -> None:
    stream = await ears.opened("s1")
    assert stream.request == REQUEST
    stream.send(
        DispatchEvent(execute=DispatchExecute(task_id="t", version=2)),
        DispatchEvent(),
        DispatchEvent(unblock=DispatchUnblock(promise=settled("p"), address="a")),
        DispatchEvent(execute=DispatchExecute(task_id="u", version=0)),
    )
    assert [await ears.heard.next() for _ in range(3)] == ["execute t 2", "unblock a", "execute u 0"]


async def test_reconnects_after_any_end_each_time_later_up_to_five_seconds(ears: Ears) -> None:
    for failures, delay in enumerate([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]):
        stream = await ears.opened(f"s{failures}")
        stream.fail(STALLED if failures % 2 else DRAINING)
        await ears.reconnects_after(delay)
    await ears.opened("last")


async def test_counts_the_end_of_a_stream_that_lasted_as_the_first_one(ears: Ears) -> None:
    for delay in (0.1, 0.2):
        (await ears.opened(f"before {delay}")).fail(DRAINING)
        await ears.reconnects_after(delay)
    stream = await ears.opened("s3")
    ears.clock.advance(10)
    stream.fail(DRAINING)
    await ears.reconnects_after(0.1)


async def test_reconnects_after_an_end_with_ok(ears: Ears) -> None:
    stream = await ears.opened("s1")
    stream.end()
    await ears.reconnects_after(0.1)
    assert (await ears.opened("s2")).peer == stream.peer


async def test_reconnects_over_a_new_connection_after_three_ping_intervals_of_silence(ears: Ears) -> None:
    stream = await ears.opened("s1", 1_000)
    bystander = asyncio.ensure_future(AsyncClient(ears.server.address).task_get(TaskGetRequest()))
    peers = {stream.peer, (await ears.server.next("task_get")).peer}
    await ears.clock.armed(3)
    ears.clock.advance(2.999)
    stream.send(DispatchEvent(ping=DispatchPing()), DispatchEvent(execute=DispatchExecute(task_id="t")))
    await ears.heard.next()
    await ears.clock.armed(3)
    ears.clock.advance(2.999)
    assert ears.heard.size == 0
    ears.clock.advance(0.001)
    await stream.is_cancelled()
    await ears.reconnects_after(0.1)
    assert (await ears.opened("s2")).peer not in peers
    bystander.cancel()


async def test_reconnects_when_no_hello_comes(ears: Ears) -> None:
    await ears.server.streams.next()
    await ears.clock.pass_by(15)
    await ears.reconnects_after(0.1)
    await ears.opened("s1")


async def test_does_not_hear_a_stream_that_it_has_let_go_of(ears: Ears) -> None:
    old = await ears.opened("s1", 1_000)
    await ears.clock.pass_by(3)
    await ears.reconnects_after(0.1)
    old.fail(SESSION_REPLACED)
    stream = await ears.opened("s2")
    stream.execute("t")
    assert await ears.heard.next() == "execute t 0"
    assert ears.failure is None


async def test_spreads_the_reconnect_after_a_drain(ears: Ears) -> None:
    stream = await ears.opened("s1")
    stream.drain()
    assert await ears.heard.next() == "lapsed"
    stream.fail(DRAINING)
    await ears.reconnects_after(2)
    (await ears.opened("s2")).fail(DRAINING)
    await ears.reconnects_after(0.2)


@pytest.mark.parametrize("final", [SESSION_REPLACED, INVALID_REQUEST], ids=lambda refusal: refusal.code.name)
async def test_ends_for_good_with(ears: Ears, final: Refusal) -> None:
    (await ears.opened("s1")).fail(final)
    assert await ears.heard.next() == "lapsed"
    assert await ears.heard.next() == "failed"
    assert ears.failure is not None
    assert ears.failure.code is final.code
    assert ears.clock.lengths == []


async def test_ends_for_good_when_the_client_is_closed(ears: Ears, client: AsyncClient) -> None:
    await ears.opened("s1")
    await client.close()
    assert await ears.heard.next() == "lapsed"
    assert await ears.heard.next() == "failed"
    assert ears.clock.lengths == []


async def test_stops_and_does_not_start_again(ears: Ears) -> None:
    stream = await ears.opened("s1")
    await ears.stream.stop()
    await stream.is_cancelled()
    assert ears.clock.lengths == []
    assert ears.heard.size == 0
    ears.stream.start()
    assert ears.clock.lengths == []


async def test_hears_nothing_more_once_it_was_stopped_in_the_same_frame_or_the_next(ears: Ears) -> None:
    stream = await ears.opened("s1")
    stream.send(
        DispatchEvent(execute=DispatchExecute(task_id="stop")), DispatchEvent(execute=DispatchExecute(task_id="t"))
    )
    stream.execute("u")
    await stream.is_cancelled()
    assert await ears.heard.next() == "execute stop 0"
    assert ears.heard.size == 0


async def test_finds_the_server_again_after_it_was_killed(ears: Ears) -> None:
    await ears.opened("s1")
    await ears.server.kill()
    await ears.reconnects_after(0.1)
    await ears.server.start()

    async def wait_for_the_channel() -> None:
        # It has a back-off of its own, in real time: whether the next tries come too early for it is open.
        while True:
            ears.clock.advance(1)
            await asyncio.sleep(0.01)

    stepping = asyncio.ensure_future(wait_for_the_channel())
    stream = await ears.server.streams.next()
    stepping.cancel()
    stream.hello("s2")

    async def hears() -> None:
        while await ears.heard.next() != "hello s2":
            pass

    await asyncio.wait_for(hears(), PATIENCE)

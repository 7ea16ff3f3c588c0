from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from resonate_grpc import AsyncClient
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import ScriptedServer
from tests.support.worker_fixture import OpenRuns, WorkerFixture


@pytest.fixture
async def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    server = ScriptedServer()
    await server.start()
    yield server
    await server.kill()


@pytest.fixture
async def client(server: ScriptedServer, clock: ManualClock) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server.address, clock=clock) as client:
        yield client


@pytest.fixture
async def f(server: ScriptedServer, clock: ManualClock, client: AsyncClient) -> WorkerFixture:
    return WorkerFixture(server, clock, client)


@pytest.fixture
async def runs() -> OpenRuns:
    return OpenRuns()

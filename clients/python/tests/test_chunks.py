"""Calls that name many things stay within the limit of a request."""

from __future__ import annotations

import asyncio

from resonate_grpc import AsyncClient
from resonate_grpc.acknowledger import Acknowledger
from resonate_grpc.heartbeats import Heartbeats
from resonate_grpc.lease import Lease
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeResponse, DispatchUnblock
from resonate_grpc.v1.promise_pb2 import PromiseRecord
from resonate_grpc.v1.task_pb2 import TaskHeartbeatResponse, TaskRef
from tests.support.manual_clock import ManualClock
from tests.support.scripted_server import ScriptedServer
from tests.support.worker_fixture import TTL


async def test_leases_are_renewed_a_thousand_in_a_call(
    client: AsyncClient, server: ScriptedServer, clock: ManualClock
) -> None:
    heartbeats = Heartbeats(client, "w", TTL)
    leases = [Lease(TaskRef(id=f"t{i}", version=1), TTL, clock, clock.now() - 1) for i in range(2_001)]
    for lease in leases:
        heartbeats.add(lease)
    beating = asyncio.ensure_future(heartbeats.beat())
    renewed: list[list[str]] = []
    for _ in range(3):
        call = await server.next("task_heartbeat")
        renewed.append([task.id for task in call.request.tasks])
        call.reply(TaskHeartbeatResponse())
    await beating
    assert sorted(map(len, renewed)) == [1, 1_000, 1_000]
    assert {id for ids in renewed for id in ids} == {f"t{i}" for i in range(2_001)}
    assert all(lease.left == TTL for lease in leases)


async def test_unblocks_are_acknowledged_a_thousand_in_a_call(client: AsyncClient, server: ScriptedServer) -> None:
    acknowledger = Acknowledger(client)
    for i in range(1_001):
        acknowledger.acknowledge(DispatchUnblock(promise=PromiseRecord(id=f"p{i}"), address="uni@g/w"))
    acknowledged: list[list[str]] = []
    for _ in range(2):
        call = await server.next("dispatch_acknowledge")
        acknowledged.append([ref.promise_id for ref in call.request.unblocks])
        call.reply(DispatchAcknowledgeResponse())
    assert acknowledged == [[f"p{i}" for i in range(1_000)], ["p1000"]]
    await acknowledger.finish()

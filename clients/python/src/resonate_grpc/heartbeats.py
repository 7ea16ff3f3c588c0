"""Keeping leases alive."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from resonate_grpc.background import log, spawn
from resonate_grpc.chunks import chunks
from resonate_grpc.client import AsyncClient
from resonate_grpc.clock import Timer
from resonate_grpc.errors import ResonateError
from resonate_grpc.lease import Lease
from resonate_grpc.v1.task_pb2 import TaskHeartbeatRequest


class Heartbeats:
    """Renews all leases of this process together, three times within each ttl."""

    def __init__(self, client: AsyncClient, pid: str, ttl: float) -> None:
        """Begin with no lease."""
        self._client = client
        self._pid = pid
        self._interval = ttl / 3
        self._leases: dict[Lease, None] = {}
        self._timer: Timer | None = None

    def add(self, lease: Lease) -> None:
        """Renew this one from now on."""
        self._leases[lease] = None
        if self._timer is None:
            self._arm()

    def remove(self, lease: Lease) -> None:
        """Leave this one alone from now on."""
        self._leases.pop(lease, None)
        if not self._leases and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def beat(self) -> None:
        """Renew now. Raises no error: a lease that cannot be renewed ends by itself."""
        await asyncio.gather(*(self._renew(chunk) for chunk in chunks(list(self._leases))))

    async def _renew(self, leases: Sequence[Lease]) -> None:
        sent_at = self._client.clock.now()
        request = TaskHeartbeatRequest(pid=self._pid, tasks=[lease.task for lease in leases])
        try:
            await self._client.task_heartbeat(request, timeout=self._interval)
        except ResonateError as error:
            log.warning("heartbeat of %d tasks failed: %s", len(leases), error)
            return
        for lease in leases:
            lease.renew(sent_at)

    def _arm(self) -> None:
        # Not only once the last one is answered: that may take a whole interval.
        self._timer = self._client.clock.call_later(self._interval, self._tick)

    def _tick(self) -> None:
        self._arm()
        spawn(self.beat())

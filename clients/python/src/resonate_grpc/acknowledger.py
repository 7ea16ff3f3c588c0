"""Acknowledging unblocks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from resonate_grpc.background import log, spawn
from resonate_grpc.chunks import chunks
from resonate_grpc.client import AsyncClient
from resonate_grpc.errors import ResonateError
from resonate_grpc.latch import all_done
from resonate_grpc.v1.dispatch_pb2 import DispatchAcknowledgeRequest, DispatchUnblock, UnblockRef

_FINISH = 2.0
"""How long the last acknowledgements may take, in seconds."""


class Acknowledger:
    """Acknowledges unblocks, all those of one turn of the event loop together.

    If that fails, the server sends them again on the next stream, and they are acknowledged then.
    """

    def __init__(self, client: AsyncClient) -> None:
        """Begin with none."""
        self._client = client
        self._waiting: list[UnblockRef] = []
        self._calls: set[asyncio.Task[None]] = set()

    def acknowledge(self, unblock: DispatchUnblock) -> None:
        """Return at once."""
        self._waiting.append(UnblockRef(promise_id=unblock.promise.id, address=unblock.address))
        if len(self._waiting) == 1:
            call = spawn(self._flush())
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def finish(self) -> None:
        """Wait until what was acknowledged has arrived, for a moment: whoever calls this is about to close the client."""
        await all_done(self._client.clock, _FINISH, list(self._calls))

    async def _flush(self) -> None:
        unblocks, self._waiting = self._waiting, []
        for chunk in chunks(unblocks):
            await self._send(chunk)

    async def _send(self, unblocks: Sequence[UnblockRef]) -> None:
        try:
            await self._client.dispatch_acknowledge(DispatchAcknowledgeRequest(unblocks=unblocks))
        except ResonateError as error:
            log.warning("%d unblocks were not acknowledged: %s", len(unblocks), error)

"""Waiting for many promises over one stream, for threads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from resonate_grpc.sync.client import Client
from resonate_grpc.sync.loop_thread import shared_loop
from resonate_grpc.unblock_listener import AsyncUnblockListener
from resonate_grpc.v1.promise_pb2 import PromiseRecord

if TYPE_CHECKING:
    from typing_extensions import Self


class UnblockListener:
    """`AsyncUnblockListener` for threads: any number of them may listen. It is a context manager, which starts and stops it."""

    def __init__(self, client: Client, *, group: str, pid: str | None = None) -> None:
        """Get ready; `start` begins. See `AsyncUnblockListener` for the arguments."""
        self._listener = AsyncUnblockListener(client.asynchronous, group=group, pid=pid)

    @property
    def address(self) -> str:
        """Where unblocks are sent."""
        return self._listener.address

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

    def start(self) -> None:
        """Open the stream. `listen` may be called before."""
        shared_loop().loop.call_soon_threadsafe(self._listener.start)

    def stop(self) -> None:
        """End the stream. Who still waits gets an error; what was registered stays registered."""
        shared_loop().run(self._listener.stop())

    def listen(self, id: str, *, timeout: float = math.inf) -> PromiseRecord:
        """Register for the promise and return it once it is settled, at once if it is already.

        Raises NOT_FOUND for an unknown promise, DEADLINE_EXCEEDED when `timeout` seconds have passed, and the stream's error if it
        has ended for good.
        """
        return shared_loop().run(self._listener.listen(id, timeout=timeout))

    def as_settled(self, ids: Iterable[str]) -> Iterator[PromiseRecord]:
        """Listen to all of them, and yield each when it is settled: `for record in listener.as_settled(ids)`."""
        records = self._listener.as_settled(ids)

        async def following() -> PromiseRecord | None:
            async for record in records:
                return record
            return None

        try:
            while True:
                record = shared_loop().run(following())
                if record is None:
                    return
                yield record
        finally:
            shared_loop().run(records.aclose())

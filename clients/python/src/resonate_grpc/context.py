"""What a handler for asyncio gets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable

from resonate_grpc.holder import Holder
from resonate_grpc.outcomes import RunOver
from resonate_grpc.records import is_settled
from resonate_grpc.v1.promise_pb2 import PromiseRecord, PromiseSettlement, SettleState
from resonate_grpc.v1.task_pb2 import TaskRef
from resonate_grpc.values import decode_json, to_value
from resonate_grpc.work import Work, to_promise_spec

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncContext:
    """What a handler gets. Its writes are fenced: they happen only while this process holds the task.

    Every call raises `RunOver` once the run is over (see there), a `ResonateError` when the server refuses it, and otherwise waits
    out troubles of the server and the network for as long as the lease lasts. When the run is ended from outside (the lease is
    lost, or the worker stops) the handler is cancelled, as asyncio cancels tasks: where it awaits something,
    `asyncio.CancelledError` is raised.
    """

    def __init__(self, holder: Holder, promise: PromiseRecord) -> None:
        """Act for the holder of this promise's task."""
        self.promise = promise
        """The promise that the handler is to fulfil, as it was when the task was acquired."""
        self._holder = holder

    @property
    def task(self) -> TaskRef:
        """The task, with the version that it is held under."""
        return self._holder.lease.task

    @property
    def over(self) -> RunOver | None:
        """Why the run is over; None while it is not."""
        return self._holder.lease.over

    def watch_end(self, callback: Callable[[], object]) -> None:
        """Call back in the event loop when the run is over."""
        self._holder.lease.ended.watch(callback, callback)

    @property
    def param(self) -> Any:
        """The promise's input, decoded from JSON. Raises a ValueError if it is not JSON: see `promise.param` then."""
        return decode_json(self.promise.param)

    async def create(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create a promise, and its task if the work has a target; or find it under its id, as it stands.

        See `Work` for the keywords. Without a deadline it gets this task's own.
        """
        return await self._holder.create(to_promise_spec(id, fallback_at_ms=self.promise.timeout_at_ms, **work))

    async def settle(
        self, id: str, value: Any = None, state: SettleState = SettleState.SETTLE_STATE_RESOLVED
    ) -> PromiseRecord:
        """Settle a promise and return it with the outcome that stands, which may be an earlier one.

        Raises NOT_FOUND for an unknown promise.
        """
        return await self._holder.settle(PromiseSettlement(id=id, state=state, value=to_value(value)))

    async def get(self, id: str) -> PromiseRecord:
        """Read a promise. Raises NOT_FOUND for an unknown one."""
        return await self._holder.get(id)

    async def await_all(self, awaited: Iterable[str | PromiseRecord]) -> list[PromiseRecord]:
        """Return the promises, settled, in order.

        If one is pending, the task is suspended and the run is over: the handler is called again from its start, and then finds the
        outcomes that it waited for. Of records only those that are pending are read again.
        """

        async def read(each: str | PromiseRecord) -> PromiseRecord:
            return await self.get(each) if isinstance(each, str) else each

        records = await asyncio.gather(*map(read, awaited))
        while True:
            # The task waits for the first pending one only. All must settle, so none is missed; and being resumed for each of a
            # hundred children would run the handler a hundred times.
            pending = next((record for record in records if not is_settled(record)), None)
            if pending is None:
                return records
            await self._holder.suspend([pending.id])
            records = await asyncio.gather(*(read(each if is_settled(each) else each.id) for each in records))

    async def sleep(self, id: str, until_ms: int) -> None:
        """Wait until an instant, in ms since the Unix epoch, on a timer promise with this id: the task is suspended meanwhile."""
        await self.await_all([await self.create(id, timeout_at_ms=until_ms, tags={"resonate:timer": "true"})])

"""What a handler for threads gets."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from resonate_grpc.context import AsyncContext
from resonate_grpc.outcomes import RunOver
from resonate_grpc.sync.loop_thread import shared_loop
from resonate_grpc.v1.promise_pb2 import PromiseRecord, SettleState
from resonate_grpc.v1.task_pb2 import TaskRef
from resonate_grpc.work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Context:
    """What a handler gets. Its writes are fenced: they happen only while this process holds the task.

    Every call raises `RunOver` once the run is over (see there), a `ResonateError` when the server refuses it, and otherwise waits
    out troubles of the server and the network for as long as the lease lasts. A thread cannot be cancelled: a handler that works
    for long between its calls looks at `cancelled`. The handler's own threads may use it too.
    """

    def __init__(self, context: AsyncContext) -> None:
        """Act through this one."""
        self.cancelled = threading.Event()
        """Is set when the run is over: stop what you are doing."""
        self._context = context
        context.watch_end(self.cancelled.set)

    @property
    def promise(self) -> PromiseRecord:
        """The promise that the handler is to fulfil, as it was when the task was acquired."""
        return self._context.promise

    @property
    def task(self) -> TaskRef:
        """The task, with the version that it is held under."""
        return self._context.task

    @property
    def over(self) -> RunOver | None:
        """Why the run is over; None while it is not."""
        return self._context.over

    @property
    def param(self) -> Any:
        """The promise's input, decoded from JSON. Raises a ValueError if it is not JSON: see `promise.param` then."""
        return self._context.param

    def create(self, id: str, **work: Unpack[Work]) -> PromiseRecord:
        """Create a promise, and its task if the work has a target; or find it under its id, as it stands.

        See `Work` for the keywords. Without a deadline it gets this task's own.
        """
        return shared_loop().run(self._context.create(id, **work))

    def settle(
        self, id: str, value: Any = None, state: SettleState = SettleState.SETTLE_STATE_RESOLVED
    ) -> PromiseRecord:
        """Settle a promise and return it with the outcome that stands, which may be an earlier one.

        Raises NOT_FOUND for an unknown promise.
        """
        return shared_loop().run(self._context.settle(id, value, state))

    def get(self, id: str) -> PromiseRecord:
        """Read a promise. Raises NOT_FOUND for an unknown one."""
        return shared_loop().run(self._context.get(id))

    def await_all(self, awaited: Iterable[str | PromiseRecord]) -> list[PromiseRecord]:
        """Return the promises, settled, in order.

        If one is pending, the task is suspended and the run is over: the handler is called again from its start, and then finds the
        outcomes that it waited for. Of records only those that are pending are read again.
        """
        return shared_loop().run(self._context.await_all(awaited))

    def sleep(self, id: str, until_ms: int) -> None:
        """Wait until an instant, in ms since the Unix epoch, on a timer promise with this id: the task is suspended meanwhile."""
        shared_loop().run(self._context.sleep(id, until_ms))

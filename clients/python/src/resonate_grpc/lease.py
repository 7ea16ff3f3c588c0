"""What a process may believe about a task that it has acquired."""

from __future__ import annotations

from resonate_grpc.clock import Clock, Timer
from resonate_grpc.latch import Latch
from resonate_grpc.outcomes import RunOver
from resonate_grpc.v1.task_pb2 import TaskRef

_LONGEST_ANSWER = 10.0


def answer_timeout(ttl: float) -> float:
    """Return how long a call on behalf of a task gets for its answer: then it is taken for lost, and there is time to ask again."""
    return min(ttl / 3, _LONGEST_ANSWER)


class Lease:
    """One task held under one version, for as long as this process may believe so.

    That is until `ttl` seconds after the sending of the last call that renewed it. The server counts from later, so the belief
    ends first.
    """

    def __init__(self, task: TaskRef, ttl: float, clock: Clock, sent_at: float) -> None:
        """Hold the task since a call that was sent at `sent_at`."""
        self.task = task
        self.ttl = ttl
        self.over: RunOver | None = None
        """Why the run is over; None while it is not."""
        self.ended = Latch()
        """Happens when the run is over."""
        self.broken_off = False
        """The run was ended from outside, while its handler knew nothing of it."""
        self.giving_up = False
        """The task is being suspended, fulfilled or released: an offer of it is then no sign of loss."""
        self._clock = clock
        self._ends_at = sent_at
        self._timer: Timer | None = None
        self.renew(sent_at)

    @property
    def left(self) -> float:
        """How much longer the lease may be relied on, in seconds."""
        return self._ends_at - self._clock.now()

    def check(self) -> None:
        """Raise the `RunOver` if the run is over."""
        if self.over is None and self.left <= 0:
            self.break_off(RunOver("lost"))
        if self.over is not None:
            raise self.over.with_traceback(None)

    def renew(self, sent_at: float) -> None:
        """Note that the server has renewed the lease, with a call sent at `sent_at`."""
        if self.over is not None:
            return
        self._ends_at = max(self._ends_at, sent_at + self.ttl)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_later(max(0.0, self.left), lambda: self.break_off(RunOver("lost")))

    def end(self, over: RunOver) -> RunOver:
        """End the run. The first reason stands, and is returned."""
        if self.over is None:
            self.over = over
            if self._timer is not None:
                self._timer.cancel()
            self.ended.set()
        return self.over

    def break_off(self, over: RunOver) -> None:
        """End the run, and have its handler cancelled."""
        if self.over is None:
            self.broken_off = True
            self.end(over)

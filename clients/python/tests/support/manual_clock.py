"""A clock that tests move."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Callable

import pytest

from resonate_grpc.clock import Clock
from tests.support.inbox import PATIENCE


@dataclass(eq=False)
class _Armed:
    clock: ManualClock
    due_at: float
    seconds: float
    callback: Callable[[], object]

    def cancel(self) -> None:
        self.clock.timers.pop(self, None)


class ManualClock(Clock):
    """Time stands still until a test moves it; every roll is 0, so that back-off is its longest."""

    def __init__(self) -> None:
        self.timers: dict[_Armed, None] = {}
        self._now = 0.0
        self._changed = asyncio.Event()

    def now(self) -> float:
        return self._now

    def random(self) -> float:
        return 0.0

    def call_later(self, seconds: float, callback: Callable[[], object]) -> _Armed:
        timer = _Armed(self, self._now + seconds, seconds, callback)
        self.timers[timer] = None
        self._changed.set()
        return timer

    def advance(self, seconds: float) -> None:
        """Move time, firing what falls due on the way, in order."""
        until = self._now + seconds
        while True:
            due = min(
                (timer for timer in self.timers if timer.due_at <= until + 1e-9),
                key=lambda each: each.due_at,
                default=None,
            )
            if due is None:
                break
            del self.timers[due]
            self._now = max(self._now, due.due_at)
            due.callback()
        self._now = until

    async def armed(self, seconds: float) -> None:
        """Wait until a timer of this length is armed."""

        async def watch() -> None:
            while not any(timer.seconds == pytest.approx(seconds) for timer in self.timers):
                self._changed.clear()
                await self._changed.wait()

        await asyncio.wait_for(watch(), PATIENCE)

    async def pass_by(self, seconds: float) -> None:
        """Wait until a timer of this length is armed, and let that time pass."""
        await self.armed(seconds)
        self.advance(seconds)

    @property
    def lengths(self) -> list[float]:
        """The lengths of the timers that are armed, shortest first."""
        return sorted(timer.seconds for timer in self.timers)

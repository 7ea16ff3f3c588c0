"""Time and chance, apart so that tests can hold them. All times are in seconds."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Callable, Protocol


class Timer(Protocol):
    """What `Clock.call_later` returns."""

    def cancel(self) -> None:
        """Keep the callback from being called; harmless once it was."""


class Clock:
    """The machine's clock."""

    def now(self) -> float:
        """Read a monotonic time; only differences mean anything."""
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call back once, on the running event loop."""
        return asyncio.get_running_loop().call_later(seconds, callback)

    def random(self) -> float:
        """Roll from 0 (inclusive) to 1 (exclusive)."""
        return random.random()

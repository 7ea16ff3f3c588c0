"""Doing something once when the process is asked to end."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable


@contextmanager
def once_on_signals(loop: asyncio.AbstractEventLoop, callback: Callable[[], object]) -> Iterator[None]:
    """Call back in the loop at the first SIGTERM or SIGINT; a second one ends the process as it would without this.

    Python knows signals only in its main thread: elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier: dict[int, Any] = {}

    def restore() -> None:
        while earlier:
            number, handler = earlier.popitem()
            signal.signal(number, handler)

    def on_signal(number: int, frame: Any) -> None:
        restore()
        loop.call_soon_threadsafe(callback)

    for number in (signal.SIGTERM, signal.SIGINT):
        earlier[number] = signal.signal(number, on_signal)
    try:
        yield
    finally:
        restore()

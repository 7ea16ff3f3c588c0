"""Coroutines that nobody awaits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

log = logging.getLogger("resonate_grpc")
"""Where the runtime reports what it does: ids, never payloads."""

_running: set[asyncio.Task[Any]] = set()


def keep(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Run it as a task. The event loop alone would let the garbage collector have it, and complain of an error nobody asks for."""
    task = asyncio.ensure_future(coroutine)
    _running.add(task)
    task.add_done_callback(_running.discard)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


def spawn(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Run it beside everything else, as `keep` does; an error is reported."""
    task = keep(coroutine)
    task.add_done_callback(_report)
    return task


def _report(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("a background task failed", exc_info=task.exception())

"""Waiting for a thing that happens once, beside other things."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from typing import Any, Callable, TypeVar

from resonate_grpc.clock import Clock

T = TypeVar("T")


class Latch:
    """Something that happens once. Unlike `asyncio.Event` in Python 3.9, it may be made before the event loop runs."""

    def __init__(self) -> None:
        """Make one that has not happened."""
        self.is_set = False
        self._callbacks: dict[object, Callable[[], object]] = {}

    def set(self) -> bool:
        """Let it happen: callbacks are called at once. True if it had not happened before."""
        if self.is_set:
            return False
        self.is_set = True
        callbacks, self._callbacks = self._callbacks, {}
        for callback in callbacks.values():
            callback()
        return True

    def watch(self, key: object, callback: Callable[[], object]) -> None:
        """Call back when it happens, once; at once if it has."""
        if self.is_set:
            callback()
        else:
            self._callbacks[key] = callback

    def unwatch(self, key: object) -> None:
        """Do not call back."""
        self._callbacks.pop(key, None)

    async def wait(self) -> None:
        """Wait until it has happened."""
        await any_of(self)


async def any_of(*latches: Latch) -> None:
    """Wait until one of them has happened."""
    woken = asyncio.get_running_loop().create_future()

    def wake() -> None:
        if not woken.done():
            woken.set_result(None)

    try:
        for latch in latches:
            latch.watch(woken, wake)
        await woken
    finally:
        for latch in latches:
            latch.unwatch(woken)


async def sleep(clock: Clock, seconds: float, *latches: Latch) -> None:
    """Wait so long, or until one of the latches has happened: callers look at them themselves."""
    expired = Latch()
    timer = clock.call_later(max(0.0, seconds), expired.set)
    try:
        await any_of(expired, *latches)
    finally:
        timer.cancel()


async def all_done(clock: Clock, seconds: float, tasks: Collection[asyncio.Task[Any]]) -> None:
    """Wait until all these tasks are done, or so long."""
    if not tasks:
        return
    done = Latch()
    waiting = asyncio.ensure_future(asyncio.wait(tasks))
    waiting.add_done_callback(lambda _: done.set())
    try:
        await sleep(clock, seconds, done)
    finally:
        waiting.cancel()


class Interrupted(Exception):
    """The latch has happened before the awaitable had a result."""


async def settle(task: asyncio.Future[Any]) -> None:
    """Wait until the task is done, and look at nothing else; if the caller is cancelled meanwhile, so is the task.

    Awaiting the task itself would not tell one cancellation from the other.
    """
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()


async def unless(latch: Latch, awaitable: Awaitable[T]) -> T:
    """Return the awaitable's result; if the latch happens first, cancel it and raise `Interrupted`."""
    task = asyncio.ensure_future(awaitable)
    latch.watch(task, task.cancel)
    try:
        await settle(task)
        if task.cancelled() and latch.is_set:
            raise Interrupted
        return task.result()
    finally:
        latch.unwatch(task)
        del task  # It holds the error that it raised, and that holds this frame: a circle.

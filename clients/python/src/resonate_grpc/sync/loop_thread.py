"""An event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import atexit
import functools
import threading
from collections.abc import Coroutine
from typing import Any, Callable, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread of its own, for callers in other threads."""

    def __init__(self) -> None:
        """Start the thread."""
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="resonate-grpc", daemon=True)
        self._thread.start()
        # gRPC must not be at work any more while the interpreter is taken down.
        atexit.register(self._stop)

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run it there, and wait here for what comes of it."""
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("this call would wait for its own thread")
        future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        try:
            return future.result()
        except BaseException:
            # Such as KeyboardInterrupt, in this thread: nobody waits any more.
            future.cancel()
            raise

    def _stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()


@functools.cache
def shared_loop() -> LoopThread:
    """Return the one that all clients and workers of this process share."""
    return LoopThread()


async def in_daemon_thread(function: Callable[[], T]) -> T:
    """Run it in a thread of its own, and wait here for what comes of it.

    Not in a pool: its threads hold up the end of the process, and a function that hangs would keep one of them for ever.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()

    def settle(act: Callable[[Any], None], result: Any) -> None:
        if not outcome.done():
            act(result)

    def work() -> None:
        act: Callable[[Any], None] = outcome.set_result
        result: Any
        try:
            result = function()
        except (StopIteration, SystemExit, KeyboardInterrupt) as error:
            # These mean something else to the event loop.
            act, result = outcome.set_exception, RuntimeError(f"raised {type(error).__name__}: {error}")
        except BaseException as error:
            act, result = outcome.set_exception, error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, act, result)

    threading.Thread(target=work, name="resonate-grpc-handler", daemon=True).start()
    try:
        return await asyncio.shield(outcome)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: this ends when it does.
        await asyncio.wait([outcome])
        outcome.exception()
        raise

"""What a handler may raise on purpose, and what it must let pass."""

from __future__ import annotations

from typing import Any, Literal

RunEnd = Literal["suspended", "lost", "stopped", "finished"]
"""Why a run of a handler is over.

- `suspended`: the task waits for a promise. Its handler is called again, from its start, when that has settled.
- `lost`: the lease is lost, or must be taken for lost: somebody else may hold the task.
- `stopped`: the worker stops and gives the task back.
- `finished`: the handler has returned or raised.
"""


class Reject(Exception):
    """Raised by a handler: its promise is rejected with this value. Any other error is a failed attempt, and is retried."""

    def __init__(self, value: Any = None, message: str = "rejected") -> None:
        """Take what the promise is rejected with: JSON, or a `Value` as it is."""
        super().__init__(message)
        self.value = value


class RunOver(BaseException):
    """Raised by every call of a context whose run is over: let it pass.

    Like `asyncio.CancelledError` it is no `Exception`, so `except Exception` does not catch it. Whatever a handler does after it
    has no effect on the task.
    """

    def __init__(self, end: RunEnd) -> None:
        """Take why the run is over."""
        super().__init__(f"this run of the handler is over: {end}")
        self.end: RunEnd = end

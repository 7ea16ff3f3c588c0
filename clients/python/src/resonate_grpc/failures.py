"""How often tasks have failed."""

from __future__ import annotations

_REMEMBERED = 10_000
"""More than this many failing tasks are not told apart for ever: the oldest are forgotten."""


class Failures:
    """How often each task has failed in a row, in this process."""

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: dict[str, int] = {}

    def add(self, task_id: str) -> int:
        """Count one more failure and return how many there were before."""
        earlier = self._counts.pop(task_id, 0)
        self._counts[task_id] = earlier + 1
        if len(self._counts) > _REMEMBERED:
            del self._counts[next(iter(self._counts))]
        return earlier

    def clear(self, task_id: str) -> None:
        """Note that it made progress."""
        self._counts.pop(task_id, None)

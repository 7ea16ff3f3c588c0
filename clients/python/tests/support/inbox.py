"""Handing out, in order, what has come and what will come."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""How long a test waits for what must come, in seconds: long, so that a slow machine makes no test fail."""


class Inbox(Generic[T]):
    def __init__(self, name: str) -> None:
        self._name = name
        self._come: asyncio.Queue[T] = asyncio.Queue()

    @property
    def size(self) -> int:
        """How many have come and have not been taken."""
        return self._come.qsize()

    def put(self, item: T) -> None:
        self._come.put_nowait(item)

    async def next(self) -> T:
        try:
            return await asyncio.wait_for(self._come.get(), PATIENCE)
        except asyncio.TimeoutError:
            raise AssertionError(f"{self._name} did not come") from None

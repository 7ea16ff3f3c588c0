"""Calls that name many things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

MOST_IN_A_CALL = 1_000
"""So many tasks or unblocks one call names at the most: with the longest ids it is still within the limit of a request."""


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items, as many at a time as one call may name."""
    for start in range(0, len(items), MOST_IN_A_CALL):
        yield items[start : start + MOST_IN_A_CALL]

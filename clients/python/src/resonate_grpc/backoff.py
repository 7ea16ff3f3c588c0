"""How long to wait before trying again."""

from __future__ import annotations

from typing import NamedTuple

from resonate_grpc.clock import Clock


class Backoff(NamedTuple):
    """Delays that grow with each failure in a row, in seconds."""

    initial: float
    """The longest first delay."""
    longest: float
    """The longest delay of all."""


CALL_BACKOFF = Backoff(0.1, 5)
"""For calls and streams that met a server or a network in trouble."""

ATTEMPT_BACKOFF = Backoff(1, 60)
"""For a task whose handler failed."""


def backoff_delay(backoff: Backoff, failures: int, clock: Clock) -> float:
    """Return the delay after `failures` earlier failures (from 0).

    It is doubled each time up to the longest, then cut by up to half at random, so that many clients do not come back at the same
    instant, and none at once.
    """
    longest = min(backoff.longest, backoff.initial * 2.0 ** min(failures, 60))
    return longest * (1 - clock.random() / 2)

"""Work to be done: a promise, and with a target the task that fulfils it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, TypedDict

from resonate_grpc.v1.promise_pb2 import PromiseSpec
from resonate_grpc.values import to_value

_LATEST_MS = 2**53 - 1


class Work(TypedDict, total=False):
    """What work is made of, beside its id; each of it may be left out.

    - `target`: the address that gets the task, such as `any@group`. Absent: no task; somebody settles the promise by its id.
    - `param`: the input: JSON, or a `Value` as it is.
    - `timeout`: how long it may take, in seconds from now by this machine's clock.
    - `timeout_at_ms`: instead of `timeout`: the deadline, in ms since the Unix epoch.
    - `tags`: more tags.
    """

    target: str | None
    param: Any
    timeout: float | None
    timeout_at_ms: int | None
    tags: Mapping[str, str] | None


def to_promise_spec(
    id: str,
    *,
    target: str | None = None,
    param: Any = None,
    timeout: float | None = None,
    timeout_at_ms: int | None = None,
    tags: Mapping[str, str] | None = None,
    fallback_at_ms: int | None = None,
) -> PromiseSpec:
    """Spell work as a promise. `fallback_at_ms` is the deadline if it has none. Raises a TypeError without any."""
    if timeout_at_ms is None:
        timeout_at_ms = fallback_at_ms if timeout is None else _from_now(timeout)
    if timeout_at_ms is None:
        raise TypeError("work needs timeout or timeout_at_ms")
    spec = PromiseSpec(id=id, timeout_at_ms=timeout_at_ms, param=to_value(param), tags=tags or {})
    if target is not None:
        spec.tags["resonate:target"] = target
    return spec


def _from_now(seconds: float) -> int:
    at_ms = (time.time() + seconds) * 1000
    return _LATEST_MS if at_ms >= _LATEST_MS else math.ceil(at_ms)

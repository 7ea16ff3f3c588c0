"""Reading promises."""

from __future__ import annotations

from typing import Any

from resonate_grpc.outcomes import Reject
from resonate_grpc.v1.promise_pb2 import PromiseRecord, PromiseState
from resonate_grpc.values import decode_json


def is_settled(record: PromiseRecord) -> bool:
    """Tell whether the promise has its outcome, which never changes."""
    return record.HasField("settled_at_ms")


def unwrap(record: PromiseRecord) -> Any:
    """Return what the promise resolved with, decoded from JSON.

    Raises a `Reject` with what it was rejected with, so that a handler which lets it pass rejects its own promise in turn; and a
    ValueError if the promise is pending.
    """
    if not is_settled(record):
        raise ValueError(f"promise {record.id!r} is pending")
    value = decode_json(record.value)
    if record.state == PromiseState.PROMISE_STATE_RESOLVED:
        return value
    state = PromiseState.Name(record.state).replace("PROMISE_STATE_", "", 1)
    raise Reject(value, f"promise {record.id!r} is {state}")

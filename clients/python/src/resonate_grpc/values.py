"""Payloads: bytes with headers, and JSON on top of them."""

from __future__ import annotations

import json
from typing import Any

from resonate_grpc.v1.value_pb2 import Value

_JSON_TYPE = "application/json"


def encode_json(payload: Any) -> Value:
    """Encode as JSON, labelled as such. `None` is the empty value. Raises a TypeError or ValueError on what JSON cannot hold."""
    if payload is None:
        return Value()
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Value(headers={"content-type": _JSON_TYPE}, data=text.encode())


def decode_json(value: Value | None) -> Any:
    """Decode what `encode_json` was given. A value without data is `None`. Raises a ValueError on data that is not JSON."""
    if value is None or not value.data:
        return None
    return json.loads(value.data.decode(), parse_constant=_refuse_constant)


def to_value(payload: Any) -> Value:
    """Take payloads of any kind: a `Value` goes as it is, everything else as JSON."""
    return payload if isinstance(payload, Value) else encode_json(payload)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")

"""Payloads, promises and work in Python's own terms."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest

from resonate_grpc import PromiseState, Reject, Value, decode_json, encode_json, is_settled, unwrap
from resonate_grpc.values import to_value
from resonate_grpc.work import to_promise_spec
from tests.support.scripted_server import pending, settled


@pytest.mark.parametrize("payload", [False, 0, "", "é\0𝄞", [1, [2]], {"a": {"b": None}}, 2**60, 0.1])
def test_gives_back_what_json_can_hold_labelled(payload: Any) -> None:
    encoded = encode_json(payload)
    assert dict(encoded.headers) == {"content-type": "application/json"}
    assert decode_json(encoded) == payload


def test_takes_none_for_the_empty_value_and_back() -> None:
    assert encode_json(None) == Value()
    assert not encode_json(None).HasField("data")
    for empty in (None, Value(), Value(data=b""), Value(data=b"null")):
        assert decode_json(empty) is None


def test_raises_on_what_is_not_json() -> None:
    for payload in (object(), b"bytes"):
        with pytest.raises(TypeError):
            encode_json(payload)
    for payload in (math.nan, math.inf, "\ud800"):
        with pytest.raises(ValueError):  # noqa: PT011
            encode_json(payload)
    for data in (b"{", b'"\xff"', b"NaN", '"é"'.encode("utf-16")):
        with pytest.raises(ValueError):  # noqa: PT011
            decode_json(Value(data=data))


def test_lets_a_value_through_as_it_is() -> None:
    value = Value(headers={"content-type": "image/png"}, data=b"\x01\x02")
    assert to_value(value) is value
    assert to_value({"data": 1}) == encode_json({"data": 1})


def test_unwraps_a_resolved_promise_and_raises_what_a_rejected_one_holds() -> None:
    assert is_settled(settled("p"))
    assert not is_settled(pending("p"))
    assert unwrap(settled("p", {"n": 1})) == {"n": 1}
    with pytest.raises(ValueError, match="'p' is pending"):
        unwrap(pending("p"))
    with pytest.raises(Reject, match="promise 'p' is REJECTED_CANCELED") as error:
        unwrap(settled("p", "why", PromiseState.PROMISE_STATE_REJECTED_CANCELED))
    assert error.value.value == "why"


def test_spells_work_as_a_promise() -> None:
    spec = to_promise_spec("p", target="any@g", param=[1], timeout_at_ms=5, tags={"__proto__": "y"})
    assert (spec.id, spec.timeout_at_ms, decode_json(spec.param)) == ("p", 5, [1])
    assert dict(spec.tags) == {"__proto__": "y", "resonate:target": "any@g"}
    assert to_promise_spec("p", fallback_at_ms=7).timeout_at_ms == 7
    assert dict(to_promise_spec("p", fallback_at_ms=7).tags) == {}
    assert not to_promise_spec("p", timeout=1).param.HasField("data")
    for forever in (math.inf, 1e300):
        assert to_promise_spec("p", timeout=forever).timeout_at_ms == 2**53 - 1
    with pytest.raises(TypeError, match="timeout"):
        to_promise_spec("p")


def test_counts_the_timeout_from_now() -> None:
    before = time.time() * 1000
    at_ms = to_promise_spec("p", timeout=1, fallback_at_ms=7).timeout_at_ms
    assert before + 1_000 <= at_ms <= time.time() * 1000 + 1_001

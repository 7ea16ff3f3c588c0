"""What the package promises about itself."""

from __future__ import annotations

import re
from pathlib import Path

import resonate_grpc

ROOT = Path(__file__).parents[1]


def pinned(requirements: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / requirements).read_text().splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_allows_no_version_that_is_too_old_for_the_generated_code_and_is_tested_on_the_oldest_that_it_allows() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    oldest = dict(re.findall(r'"([\w-]+)>=([\d.]+),<\d+"', project))
    assert {name: pinned("test.txt")[name] for name in oldest} == oldest
    generated = pinned("generate.txt")
    assert (generated["grpcio-tools"], generated["grpcio"]) == (oldest["grpcio"], oldest["grpcio"])
    assert generated["protobuf"] == oldest["protobuf"]


def test_every_exported_class_and_function_is_documented() -> None:
    exported = [getattr(resonate_grpc, name) for name in resonate_grpc.__all__]
    # Those of `v1` are documented in the proto.
    ours = [each for each in exported if re.match(r"resonate_grpc\.(?!v1)", getattr(each, "__module__", ""))]
    assert len(ours) > 10
    assert [each.__name__ for each in ours if not each.__doc__] == []

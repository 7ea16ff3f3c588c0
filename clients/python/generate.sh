#!/usr/bin/env bash
# Generates src/resonate_grpc/v1 from proto/resonate_grpc/v1, with pinned local plugins. Exits with 3 if there is no Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

venv=$(./venv.sh generate)
protos=../../proto
files=("$protos"/resonate_grpc/v1/*.proto)
services=($(grep -l '^service ' "${files[@]}"))
protoc=("$venv/bin/python" -m grpc_tools.protoc -I "$protos")

rm -f src/resonate_grpc/v1/*_pb2*.py src/resonate_grpc/v1/*_pb2*.pyi
"${protoc[@]}" --python_out=src --pyi_out=src "${files[@]}"
"${protoc[@]}" --plugin=protoc-gen-mypy_grpc="$venv/bin/protoc-gen-mypy_grpc" \
  --grpc_python_out=src --mypy_grpc_out=quiet:src "${services[@]}"

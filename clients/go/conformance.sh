#!/bin/sh
# Builds the worker of the conformance test if its sources are newer, and becomes it. --build only builds.
set -eu
cd "$(dirname "$0")"
worker=target/conformance
if ! command -v go >/dev/null; then
  echo 'clients/go: no Go toolchain, no worker' >&2
  exit 3
fi
if [ ! -x $worker ] || [ -n "$(find . -name '*.go' -newer $worker -o -name 'go.*' -newer $worker)" ]; then
  mkdir -p target
  # To a name of its own first: another one may be running, or building.
  go build -buildvcs=false -o $worker.$$ ./conformance >&2
  mv $worker.$$ $worker
fi
[ "${1:-}" = --build ] || exec $worker

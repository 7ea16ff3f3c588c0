#!/bin/sh
# Checks the form of the sources, and runs the tests.
set -eu
cd "$(dirname "$0")"
if ! command -v go >/dev/null; then
  echo 'clients/go: no Go toolchain, nothing tested' >&2
  exit 3
fi
export GOFLAGS=-buildvcs=false
badly_formatted=$(gofmt -l .)
if [ -n "$badly_formatted" ]; then
  echo "gofmt -w is due for:
$badly_formatted" >&2
  exit 1
fi
go vet ./...
# The race detector needs a C compiler.
race=
if [ "$(go env CGO_ENABLED)" = 1 ]; then race=-race; fi
go test $race ./...

#!/bin/sh
# Checks the format, compiles with all warnings as errors, and runs the unit tests.
set -eu
cd "$(dirname "$0")"
if ! command -v mvn >/dev/null || ! command -v javac >/dev/null; then
  echo 'clients/java: no Java toolchain, nothing tested' >&2
  exit 3
fi
exec mvn --batch-mode --no-transfer-progress -Dstyle.color=never spotless:check test

#!/bin/sh
# Writes resonategrpcv1/ from proto/. The plugins come into the Go toolchain's own caches.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v go >/dev/null; then
  echo 'clients/go: no Go toolchain, stubs not generated' >&2
  exit 3
fi
GOFLAGS=-buildvcs=false exec npx buf generate --template clients/go/buf.gen.yaml

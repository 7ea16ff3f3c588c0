#!/bin/sh
# Writes src/gen from proto/. The generator's libraries come into cargo's own cache, at the versions that generate/Cargo.toml pins.
set -eu
cd "$(dirname "$0")"
if ! command -v cargo >/dev/null; then
  echo 'clients/rust: no Rust toolchain, stubs not generated' >&2
  exit 3
fi
mkdir -p target
descriptors=$(mktemp -d target/descriptors.XXXXXX)
trap 'rm -rf "$descriptors"' EXIT
(cd ../.. && npx buf build --path proto/resonate_grpc/v1 -o "clients/rust/$descriptors/v1.binpb")
cargo run --quiet --manifest-path generate/Cargo.toml --target-dir target/generate -- "$descriptors/v1.binpb" src/gen

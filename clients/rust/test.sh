#!/bin/sh
# Checks the form of the sources, and runs the tests.
set -eu
cd "$(dirname "$0")"
if ! command -v cargo >/dev/null; then
  echo 'clients/rust: no Rust toolchain, nothing tested' >&2
  exit 3
fi
cargo fmt --check
cargo fmt --check --manifest-path generate/Cargo.toml
cargo clippy --quiet --all-targets -- -D warnings
cargo test --quiet

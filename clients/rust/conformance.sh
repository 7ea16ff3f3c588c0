#!/bin/sh
# Builds the worker of the conformance test if its sources are newer, and becomes it. --build only builds.
set -eu
cd "$(dirname "$0")/../.."
worker=clients/rust/target/debug/examples/conformance
if ! command -v cargo >/dev/null; then
  echo 'clients/rust: no Rust toolchain, no worker' >&2
  exit 3
fi
sources='clients/rust/Cargo.toml clients/rust/src clients/rust/conformance'
if [ ! -x $worker ] || [ -n "$(find $sources -type f -newer $worker)" ]; then
  cargo build --quiet --manifest-path clients/rust/Cargo.toml --example conformance >&2
  touch $worker
fi
[ "${1:-}" = --build ] || exec $worker

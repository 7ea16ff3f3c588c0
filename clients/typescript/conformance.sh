#!/usr/bin/env bash
# The worker of the conformance test (test/conformance/README.md), as this very process. `--build` builds it, and no more.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
worker=$top/dist/clients/typescript/conformance/worker.js

if ! command -v node >/dev/null; then
  echo "there is no Node" >&2
  exit 3
fi
# tsc writes all of it each time.
if [ ! -e "$worker" ] || [ -n "$(find "$top/clients/typescript" -name '*.ts' -newer "$worker" -print -quit)" ]; then
  (cd "$top" && npx tsc) >&2
fi
[ "${1:-}" = --build ] || exec node --enable-source-maps "$worker"

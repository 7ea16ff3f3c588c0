#!/usr/bin/env bash
# Becomes the conformance worker, so that signals reach it. --build only makes ready for that. Exits with 3 if there is no Python.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

venv=$("$here/venv.sh" run)
if [[ ${1:-} == --build ]]; then exit 0; fi
exec "$venv/bin/python" "$here/conformance/main.py"

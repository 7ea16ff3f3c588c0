#!/usr/bin/env bash
# Lints, checks the types, and runs the unit tests, on the oldest dependencies that pyproject.toml allows. Arguments go to pytest.
# Exits with 3 if there is no Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

venv=$(./venv.sh test)
"$venv/bin/ruff" check --quiet .
"$venv/bin/ruff" format --quiet --check .
"$venv/bin/mypy" --no-error-summary
"$venv/bin/python" -m pytest "$@"

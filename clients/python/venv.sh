#!/usr/bin/env bash
# venv.sh <name>: makes the virtual environment .venv/<name> from requirements/<name>.txt, unless it is there and up to date, and
# prints its directory. PYTHON is the interpreter to do it with: python3, unless it says otherwise. Exits with 3 if there is none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

name=$1
requirements=requirements/$name.txt
venv=.venv/$name
python=${PYTHON:-python3}

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  echo "python: left out, since there is no Python 3.9 or later with venv and pip here" >&2
  exit 3
fi

# Whoever comes second waits, and then finds it made.
mkdir -p .venv
exec 9>"$venv.lock"
if command -v flock >/dev/null; then flock 9; fi
if ! cmp -s "$requirements" "$venv/made-from.txt"; then
  rm -rf "$venv"
  "$python" -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir -r "$requirements" >&2
  # The sources themselves, as an editable install would add them, without a build.
  echo ../../../../../src >"$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/resonate_grpc.pth"
  cp "$requirements" "$venv/made-from.txt"
fi
echo "$PWD/$venv"

#!/usr/bin/env bash
# Makes the stubs of every language from proto/. One whose toolchain is absent (its script ends with 3) is left out, and named;
# with REQUIRE_ALL_LANGUAGES=1 that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

npx buf generate

for script in clients/*/generate.sh; do
  language=$(basename "$(dirname "$script")")
  status=0
  "$script" || status=$?
  if ((status == 3)) && [[ ${REQUIRE_ALL_LANGUAGES:-} != 1 ]]; then
    printf 'left out: %s\n' "$language"
  elif ((status != 0)); then
    printf 'the stubs of %s could not be made\n' "$language" >&2
    exit "$status"
  fi
done

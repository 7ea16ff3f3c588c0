#!/bin/sh
# Builds the worker of the conformance test if its sources are newer, and becomes it. --build only builds.
set -eu
cd "$(dirname "$0")"
if ! command -v mvn >/dev/null || ! command -v javac >/dev/null; then
  echo 'clients/java: no Java toolchain, no worker' >&2
  exit 3
fi
built=target/conformance-built
if [ ! -e $built ] || [ -n "$(find pom.xml src/main conformance -type f -newer $built)" ]; then
  mkdir -p target
  touch $built.new
  mvn --quiet --batch-mode -Dstyle.color=never test-compile >&2
  mv $built.new $built
fi
[ "${1:-}" != --build ] || exit 0
# The virtual machine reads its environment as the locale says.
export LC_ALL=C.UTF-8
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp 'target/classes:target/test-classes:target/lib/*' ConformanceWorker

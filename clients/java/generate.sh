#!/bin/sh
# Writes src/main/java-gen from proto/. The plugins come into target/, through Maven, at the versions of pom.xml.
set -eu
cd "$(dirname "$0")"
if ! command -v mvn >/dev/null; then
  echo 'clients/java: no Maven, stubs not generated' >&2
  exit 3
fi
version() { sed -n "s|.*<$1.version>\(.*\)</$1.version>.*|\1|p" pom.xml; }
case $(uname -s) in Darwin) os=osx ;; *) os=linux ;; esac
case $(uname -m) in arm64 | aarch64) machine=aarch_64 ;; *) machine=x86_64 ;; esac

# fetch <artifact> <target>: the program of this artifact, under a name that has no version in it.
fetch() {
  kept=target/generate/$(echo "$1" | tr : -)
  if [ ! -e "$kept" ]; then
    mvn -q -B -Dstyle.color=never dependency:copy -Dartifact="$1:exe:$os-$machine" -DoutputDirectory=target/generate/new -Dmdep.stripVersion=true >&2
    chmod +x target/generate/new/*
    mv target/generate/new/* "$kept"
  fi
  ln -sf "$(basename "$kept")" "target/generate/$2"
}
mkdir -p target/generate
fetch "com.google.protobuf:protoc:$(version protobuf)" protoc
fetch "io.grpc:protoc-gen-grpc-java:$(version grpc)" protoc-gen-grpc-java
cd ../..
exec npx buf generate --template clients/java/buf.gen.yaml

"""The conformance worker: see test/conformance/README.md."""

import logging
import os
import sys
import threading
from typing import Any

from handler import handler

from resonate_grpc import PromiseRecord, ResonateError, Worker

_speaking = threading.Lock()
_seen: set[str] = set()


def say(*words: object) -> None:
    with _speaking:
        sys.stdout.buffer.write((" ".join(map(str, words)) + "\n").encode())
        sys.stdout.buffer.flush()


def on_unblock(promise: PromiseRecord, address: str) -> Any:
    say("unblocked", promise.id, address)
    first = promise.id not in _seen
    _seen.add(promise.id)
    if first and promise.tags.get("conformance:unblock") == "twice":
        raise RuntimeError("failed as asked")


def main() -> int:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    env = os.environ
    worker = Worker(
        env["RESONATE_ADDRESS"],
        group=env["RESONATE_GROUP"],
        pid=env["RESONATE_PID"],
        max_in_flight=int(env["RESONATE_MAX_IN_FLIGHT"]),
        ttl=int(env["RESONATE_TTL_MS"]) / 1000,
        grace=int(env["RESONATE_GRACE_MS"]) / 1000,
        handler=handler(env["RESONATE_PID"], say),
        on_unblock=on_unblock,
        on_hello=lambda _: say("ready"),
    )
    try:
        worker.run()
    except ResonateError as error:
        say("fatal", error.reason or error.code.name)
        return 1
    say("stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())

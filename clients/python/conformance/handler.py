"""What the conformance worker's handler does, by the tag `conformance:do`."""

import time
from typing import Any, Callable

from resonate_grpc import Context, Reject, RunOver, Value, is_settled

Say = Callable[..., None]


def text(value: str) -> Value:
    return Value(data=value.encode())


def lines(context: Context) -> list[str]:
    return context.promise.param.data.decode().split("\n")


def echo(context: Context) -> Value:
    return context.promise.param


def tags(context: Context) -> Value:
    pairs = sorted(context.promise.tags.items(), key=lambda pair: pair[0].encode())
    return text("\n".join(f"{key}={value}" for key, value in pairs))


def reject(context: Context) -> Value:
    raise Reject(text("no"))


def fail(context: Context) -> Value:
    if context.task.version == 1:
        raise RuntimeError("failed as asked")
    return text(f"version {context.task.version}")


def fan_out(context: Context) -> Value:
    children = []
    for line in lines(context):
        child, target = line.split(" ")
        children.append(context.create(child, target=target, param=text(child), tags={"conformance:do": "echo"}))
    return Value(data=b"\n".join(each.value.data for each in context.await_all(children)))


def sleep(context: Context) -> Value:
    until_ms = context.promise.created_at_ms + int(context.promise.param.data)
    context.sleep(f"{context.promise.id}.timer", until_ms)
    return text("slept")


def settle(context: Context) -> Value:
    record = context.settle(context.promise.param.data.decode(), text(context.promise.id))
    return Value(data=record.value.data)


def hold(context: Context, pid: str) -> Value:
    while not is_settled(context.get(f"{context.promise.id}.go")):
        time.sleep(0.05)
    return text(f"held by {pid}")


HANDLERS = {each.__name__.replace("_", "-"): each for each in (echo, tags, reject, fail, fan_out, sleep, settle)}


def handler(pid: str, say: Say) -> Callable[[Context], Any]:
    """Does what is asked, and says when it begins and how it ends."""

    def handle(context: Context) -> Value:
        task = context.task
        say("started", task.id, task.version)
        how = "failed"
        try:
            what = context.promise.tags["conformance:do"]
            outcome = hold(context, pid) if what == "hold" else HANDLERS[what](context)
            how = "returned"
            return outcome
        except Reject:
            how = "rejected"
            raise
        except RunOver as over:
            how = over.end
            raise
        finally:
            say("ended", task.id, task.version, how)

    return handle

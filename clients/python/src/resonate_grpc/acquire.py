"""Taking a task that was pushed."""

from __future__ import annotations

from typing import NamedTuple

from resonate_grpc.background import log
from resonate_grpc.backoff import CALL_BACKOFF, backoff_delay
from resonate_grpc.client import AsyncClient
from resonate_grpc.errors import ResonateError, is_transient, shows_holder
from resonate_grpc.latch import Latch, sleep
from resonate_grpc.lease import Lease, answer_timeout
from resonate_grpc.records import is_settled
from resonate_grpc.v1.dispatch_pb2 import DispatchExecute
from resonate_grpc.v1.promise_pb2 import PromiseGetRequest, PromiseRecord
from resonate_grpc.v1.task_pb2 import TaskAcquireRequest, TaskRef


class Acquired(NamedTuple):
    """A task that this process holds, and its promise."""

    lease: Lease
    promise: PromiseRecord
    adopted: bool
    """Found to be held already: how much of the lease is left is not known."""


async def acquire(
    client: AsyncClient, pid: str, ttl: float, execute: DispatchExecute, stopping: Latch
) -> Acquired | None:
    """Take the task that was pushed. None: it is not to be had, and is dropped."""
    clock = client.clock
    started_at = clock.now()
    task = TaskRef(id=execute.task_id, version=execute.version + 1)
    timeout = answer_timeout(ttl)
    failures = 0
    while True:
        sent_at = clock.now()
        request = TaskAcquireRequest(id=task.id, version=execute.version, pid=pid, ttl_ms=round(ttl * 1000))
        try:
            try:
                promise = (await client.task_acquire(request, timeout=timeout)).promise
                return Acquired(Lease(task, ttl, clock, sent_at), promise, adopted=False)
            except ResonateError as error:
                if not shows_holder(error, pid, task.version):
                    raise
            log.info("task %r is held already under version %d: an answer was lost", task.id, task.version)
            promise = (await client.promise_get(PromiseGetRequest(id=task.id), timeout=timeout)).promise
            return None if is_settled(promise) else Acquired(Lease(task, ttl, clock, started_at), promise, adopted=True)
        except ResonateError as error:
            delay = backoff_delay(CALL_BACKOFF, failures, clock)
            too_late = clock.now() + delay - started_at >= ttl
            if not is_transient(error) or stopping.is_set or too_late:
                log.debug("task %r was not acquired under version %d: %s", task.id, task.version, error)
                return None
        await sleep(clock, delay, stopping)
        failures += 1

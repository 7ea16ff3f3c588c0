"""The calls of a task's holder."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Callable, TypeVar

from grpc import StatusCode

from resonate_grpc.background import log
from resonate_grpc.backoff import CALL_BACKOFF, backoff_delay
from resonate_grpc.client import AsyncClient
from resonate_grpc.errors import ResonateError, from_refusal, is_transient, shows_holder
from resonate_grpc.latch import Interrupted, sleep, unless
from resonate_grpc.lease import Lease, answer_timeout
from resonate_grpc.outcomes import RunOver
from resonate_grpc.records import is_settled
from resonate_grpc.v1.promise_pb2 import PromiseGetRequest, PromiseRecord, PromiseSettlement, PromiseSpec, SettleState
from resonate_grpc.v1.task_pb2 import TaskFenceRequest, TaskFulfillRequest, TaskReleaseRequest, TaskSuspendRequest
from resonate_grpc.v1.value_pb2 import Value

T = TypeVar("T")

_ABANDON = 2.0
"""How long a task that the worker does not finish may take to be given back, in seconds."""


class Holder:
    """The calls of a task's holder.

    While the server or the network is in trouble they are repeated with back-off, for as long as the lease may be relied on. A
    refusal that shows another holder, or none, ends the run as lost; any other error is the caller's.
    """

    def __init__(self, client: AsyncClient, pid: str, lease: Lease) -> None:
        """Call on behalf of this lease."""
        self.lease = lease
        self._client = client
        self._pid = pid
        self._id = lease.task.id
        self._version = lease.task.version

    async def get(self, id: str) -> PromiseRecord:
        """Read a promise."""
        request = PromiseGetRequest(id=id)
        return (await self._call(lambda timeout: self._client.promise_get(request, timeout=timeout))).promise

    async def create(self, spec: PromiseSpec) -> PromiseRecord:
        """Create a promise if the task is still held."""
        return await self._fence(TaskFenceRequest(id=self._id, version=self._version, create=spec))

    async def settle(self, settlement: PromiseSettlement) -> PromiseRecord:
        """Settle a promise if the task is still held."""
        return await self._fence(TaskFenceRequest(id=self._id, version=self._version, settle=settlement))

    async def suspend(self, awaited_ids: list[str]) -> None:
        """Park the task until one of the promises settles, which ends the run; or return because one is settled already."""
        request = TaskSuspendRequest(id=self._id, version=self._version, awaited_ids=awaited_ids)
        response = await self._giving_up(lambda timeout: self._client.task_suspend(request, timeout=timeout))
        if response.WhichOneof("outcome") != "ready":
            raise self.lease.end(RunOver("suspended"))

    async def fulfill(self, state: SettleState, value: Value) -> None:
        """Settle the task's own promise."""
        request = TaskFulfillRequest(id=self._id, version=self._version, state=state, value=value)

        repeated = False

        async def attempt(timeout: float) -> None:
            nonlocal repeated
            try:
                await self._client.task_fulfill(request, timeout=timeout)
            except ResonateError as error:
                # An earlier answer was lost: if the promise is settled, the task is done, whoever settled it.
                if not (repeated and self._is_refused(error) and is_settled(await self.get(self._id))):
                    raise
            finally:
                repeated = True

        await self._giving_up(attempt)

    async def release(self) -> None:
        """Give the task back, to be pushed again at once."""
        request = TaskReleaseRequest(id=self._id, version=self._version)
        await self._giving_up(lambda timeout: self._client.task_release(request, timeout=timeout))

    async def abandon(self) -> None:
        """Give the task back after the end of the run: one try, and no harm if it fails, since the lease runs out."""
        try:
            await self._client.task_release(TaskReleaseRequest(id=self._id, version=self._version), timeout=_ABANDON)
        except ResonateError as error:
            log.warning("task %r was not given back: %s", self._id, error)

    async def _fence(self, request: TaskFenceRequest) -> PromiseRecord:
        response = await self._call(lambda timeout: self._client.task_fence(request, timeout=timeout))
        if response.HasField("refusal"):
            raise from_refusal(response.refusal)
        return response.promise

    async def _giving_up(self, attempt: Callable[[float], Awaitable[T]]) -> T:
        self.lease.giving_up = True
        try:
            return await self._call(attempt)
        finally:
            self.lease.giving_up = False

    async def _call(self, attempt: Callable[[float], Awaitable[T]]) -> T:
        lease, clock = self.lease, self._client.clock
        failures = 0
        while True:
            lease.check()
            try:
                return await unless(lease.ended, attempt(min(answer_timeout(lease.ttl), lease.left)))
            except Interrupted:
                continue  # To the check, which raises.
            except ResonateError as error:
                lease.check()
                if self._is_refused(error):
                    raise lease.end(RunOver("lost")) from error
                if not is_transient(error) and not self._is_holder(error):
                    raise
                log.debug("call about task %r will be repeated: %s", lease.task.id, error)
            await sleep(clock, backoff_delay(CALL_BACKOFF, failures, clock), lease.ended)
            failures += 1

    def _is_refused(self, error: ResonateError) -> bool:
        """The task is no longer ours to write. A promise that is not live will not be again, whoever holds its task."""
        if error.reason in ("TASK_NOT_FOUND", "PROMISE_NOT_LIVE"):
            return True
        return error.code is StatusCode.ABORTED and not self._is_holder(error)

    def _is_holder(self, error: ResonateError) -> bool:
        return shows_holder(error, self._pid, self.lease.task.version)

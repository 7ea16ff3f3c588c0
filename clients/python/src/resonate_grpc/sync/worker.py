"""The worker for threads."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable

from resonate_grpc.backoff import ATTEMPT_BACKOFF, Backoff
from resonate_grpc.context import AsyncContext
from resonate_grpc.signals import once_on_signals
from resonate_grpc.sync.client import Client
from resonate_grpc.sync.context import Context
from resonate_grpc.sync.loop_thread import in_daemon_thread, shared_loop
from resonate_grpc.v1.dispatch_pb2 import DispatchHello
from resonate_grpc.v1.promise_pb2 import PromiseRecord
from resonate_grpc.worker import AsyncWorker

if TYPE_CHECKING:
    from typing_extensions import Self

Handler = Callable[[Context], Any]
"""Does a task's work: what it returns resolves the promise, a `Reject` that it raises rejects it, anything else is retried."""

OnUnblock = Callable[[PromiseRecord, str], Any]
"""Called for promises that settled and that an address of the worker listens to."""


class Worker:
    """`AsyncWorker` for threads: each run of the handler, and each other function that it is given, has a thread of its own.

    It is a context manager: entering it is `start`, leaving it is `stop`. `run` is all that a process needs which does
    nothing else.
    """

    def __init__(
        self,
        client: Client | str,
        *,
        group: str,
        handler: Handler,
        pid: str | None = None,
        max_in_flight: int = 16,
        ttl: float = 30.0,
        grace: float = 10.0,
        attempt_backoff: Backoff = ATTEMPT_BACKOFF,
        on_unblock: OnUnblock | None = None,
        on_hello: Callable[[DispatchHello], object] | None = None,
    ) -> None:
        """Get ready; `start` begins. See `AsyncWorker` for the arguments."""

        async def handle(context: AsyncContext) -> Any:
            blocking = Context(context)
            return await in_daemon_thread(lambda: handler(blocking))

        async def unblocked(promise: PromiseRecord, address: str) -> None:
            if on_unblock is not None:
                await in_daemon_thread(lambda: on_unblock(promise, address))

        async def hello(hello: DispatchHello) -> None:
            if on_hello is not None:
                await in_daemon_thread(lambda: on_hello(hello))

        self._worker = AsyncWorker(
            client if isinstance(client, str) else client.asynchronous,
            group=group,
            handler=handle,
            pid=pid,
            max_in_flight=max_in_flight,
            ttl=ttl,
            grace=grace,
            attempt_backoff=attempt_backoff,
            on_unblock=unblocked,
            on_hello=hello,
        )

    @property
    def group(self) -> str:
        """Whose tasks it does."""
        return self._worker.group

    @property
    def pid(self) -> str:
        """As whom."""
        return self._worker.pid

    def start(self) -> None:
        """Open the stream, and return once the server has said hello, however long that takes.

        Raises a `ResonateError` if the worker had to stop.
        """
        shared_loop().run(self._worker.start())

    def wait(self) -> None:
        """Return when the worker has stopped.

        Raises a `ResonateError` if it had to: another process has its pid, or its options are refused.
        """
        shared_loop().run(self._worker.wait())

    def stop(self, grace: float | None = None) -> None:
        """Drain: take nothing new, let the handlers that run go on, give back what is left, and close. Safe to call twice.

        `grace` is how long they may go on, in seconds. None: what the worker was made with.
        """
        shared_loop().run(self._worker.stop(grace))

    def run(self) -> None:
        """Start, stop on SIGTERM or SIGINT, and return when the worker has stopped. A second signal ends the process at once.

        Raises a `ResonateError` if it had to stop: another process has its pid, or its options are refused. Signals count only if
        this is called in the main thread.
        """
        with once_on_signals(shared_loop().loop, self._worker.begin_stop), self:
            self.wait()

    def __enter__(self) -> Self:
        """Start."""
        shared_loop().run(self._worker.__aenter__())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

"""A client of resonate-grpc: typed calls, a worker runtime, and the caller's side, for threads and for asyncio. See the README."""

from grpc import StatusCode

from resonate_grpc.backoff import Backoff
from resonate_grpc.client import AsyncClient
from resonate_grpc.context import AsyncContext
from resonate_grpc.errors import ResonateError
from resonate_grpc.outcomes import Reject, RunEnd, RunOver
from resonate_grpc.records import is_settled, unwrap
from resonate_grpc.run import AsyncHandler
from resonate_grpc.sync.client import Client
from resonate_grpc.sync.context import Context
from resonate_grpc.sync.unblock_listener import UnblockListener
from resonate_grpc.sync.worker import Handler, Worker
from resonate_grpc.unblock_listener import AsyncUnblockListener
from resonate_grpc.v1.promise_pb2 import PromiseRecord, PromiseState, SettleState
from resonate_grpc.v1.task_pb2 import TaskRef
from resonate_grpc.v1.value_pb2 import Value
from resonate_grpc.values import decode_json, encode_json
from resonate_grpc.work import Work
from resonate_grpc.worker import AsyncWorker

__all__ = [
    "AsyncClient",
    "AsyncContext",
    "AsyncHandler",
    "AsyncUnblockListener",
    "AsyncWorker",
    "Backoff",
    "Client",
    "Context",
    "Handler",
    "PromiseRecord",
    "PromiseState",
    "Reject",
    "ResonateError",
    "RunEnd",
    "RunOver",
    "SettleState",
    "StatusCode",
    "TaskRef",
    "UnblockListener",
    "Value",
    "Work",
    "Worker",
    "decode_json",
    "encode_json",
    "is_settled",
    "unwrap",
]

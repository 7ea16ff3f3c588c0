"""Errors of calls, and what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from resonate_grpc.v1.refusal_pb2 import Reason, Refusal

_DOMAIN = "resonate-grpc"
_CODE_OF_STATUS = {
    404: StatusCode.NOT_FOUND,
    409: StatusCode.ABORTED,
    422: StatusCode.FAILED_PRECONDITION,
    501: StatusCode.UNIMPLEMENTED,
}


class ResonateError(Exception):
    """Why a call failed: refused by the server, cut off by the network, past its deadline, or cancelled by its caller.

    - `code`: the gRPC status code.
    - `reason`: why, for programs: a name of the enum `Reason` without its prefix. None when the error is not from the server
      itself but from the network, a proxy or gRPC.
    - `status`: the protocol's number: 404, 409, 422 or 501. None when the protocol has none for it.
    - `metadata`: the facts behind the reason, as `refusal.proto` lists them.
    """

    def __init__(
        self,
        message: str,
        code: StatusCode,
        reason: str | None = None,
        status: int | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Take what the error is made of."""
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.status = status
        self.metadata: Mapping[str, str] = dict(metadata or {})


def from_rpc_error(error: grpc.aio.AioRpcError) -> ResonateError:
    """Unpack the server's `ErrorInfo` from what gRPC reports."""
    info = _error_info(error)
    status = info.metadata.get("status", "") if info else ""
    return ResonateError(
        error.details() or error.code().name,
        error.code(),
        info.reason if info else None,
        int(status) if status.isdecimal() else None,
        info.metadata if info else None,
    )


def from_refusal(refusal: Refusal) -> ResonateError:
    """Turn the inner refusal of a fence into the error that the inner call would have met."""
    return ResonateError(
        refusal.message,
        _CODE_OF_STATUS.get(refusal.protocol_status, StatusCode.UNKNOWN),
        _reason_name(refusal.reason),
        refusal.protocol_status,
        refusal.metadata,
    )


def is_transient(error: ResonateError) -> bool:
    """Tell whether the server or the network is in trouble, so that the call may do better later. It may have taken effect."""
    if error.code in (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED):
        return True
    if error.code is StatusCode.RESOURCE_EXHAUSTED:
        return error.reason in ("OVERLOADED", "STORAGE_FULL")
    # Without a reason it is not from our server: a stream that was reset on the way.
    return error.code in (StatusCode.CANCELLED, StatusCode.INTERNAL, StatusCode.UNKNOWN) and error.reason is None


def shows_holder(error: ResonateError, pid: str, version: int) -> bool:
    """Tell whether the refusal says that `pid` holds the task under `version`: an earlier answer to that holder was lost."""
    # Versions are text in metadata.
    return (
        error.code is StatusCode.ABORTED
        and error.metadata.get("task_pid") == pid
        and error.metadata.get("task_version") == str(version)
    )


def _error_info(error: grpc.aio.AioRpcError) -> ErrorInfo | None:
    trailers: Any = error.trailing_metadata() or ()
    for key, packed in trailers:
        if key != "grpc-status-details-bin":
            continue
        try:
            for detail in Status.FromString(packed).details:
                info = ErrorInfo()
                if detail.Unpack(info) and info.domain == _DOMAIN:
                    return info
        except DecodeError:
            pass  # Whatever a proxy wrote there, the status itself still stands.
    return None


def _reason_name(reason: int) -> str:
    known = reason in Reason.values()
    return Reason.Name(reason).replace("REASON_", "", 1) if known else str(reason)

//! Promises as the real server shows them.

use resonate_grpc::v1::task_fence_response::Outcome as Fenced;
use resonate_grpc::v1::task_suspend_response::Outcome as Suspension;
use resonate_grpc::v1::{
    PromiseGetResponse, TaskFenceResponse, TaskFulfillResponse, TaskReady, TaskSuspendResponse, TaskSuspended,
};
use resonate_grpc::{PromiseRecord, PromiseState, Value};

pub fn pending(id: &str) -> PromiseRecord {
    PromiseRecord {
        id: id.to_owned(),
        state: PromiseState::Pending.into(),
        param: Some(Value::default()),
        value: Some(Value::default()),
        timeout_at_ms: 9_000_000_000_000,
        created_at_ms: 1_000,
        ..PromiseRecord::default()
    }
}

pub fn settled(id: &str, state: PromiseState, value: impl Into<Value>) -> PromiseRecord {
    PromiseRecord {
        state: state.into(),
        value: Some(value.into()),
        settled_at_ms: Some(2_000),
        ..pending(id)
    }
}

pub fn resolved(id: &str, value: impl Into<Value>) -> PromiseRecord {
    settled(id, PromiseState::Resolved, value)
}

pub fn found(promise: PromiseRecord) -> PromiseGetResponse {
    PromiseGetResponse { promise: Some(promise) }
}

pub fn fenced(promise: PromiseRecord) -> TaskFenceResponse {
    TaskFenceResponse {
        outcome: Some(Fenced::Promise(promise)),
    }
}

pub fn fulfilled(promise: PromiseRecord) -> TaskFulfillResponse {
    TaskFulfillResponse { promise: Some(promise) }
}

pub fn suspended() -> TaskSuspendResponse {
    TaskSuspendResponse {
        outcome: Some(Suspension::Suspended(TaskSuspended {})),
    }
}

pub fn ready() -> TaskSuspendResponse {
    TaskSuspendResponse {
        outcome: Some(Suspension::Ready(TaskReady {})),
    }
}

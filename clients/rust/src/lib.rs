#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod acknowledge;
mod acquire;
mod awaited;
mod backoff;
mod call;
mod client;
mod context;
mod dispatch;
mod error;
mod error_details;
mod failures;
mod handler;
mod heartbeats;
mod holder;
mod lease;
mod outcome;
mod random;
mod record;
mod run;
mod session;
#[cfg(unix)]
mod signals;
mod task_error;
mod unblocks;
mod value;
mod work;
mod worker;

/// The stubs, generated from the proto: every message, and a plain tonic client of each service.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    include!("gen/resonate_grpc.v1.rs");
}

pub use awaited::Awaited;
pub use backoff::Backoff;
pub use call::Call;
pub use client::Client;
pub use context::TaskContext;
pub use error::Error;
pub use handler::{BoxError, BoxFuture, HandlerResult};
pub use outcome::{Reject, RunEnd, RunOver};
#[cfg(unix)]
pub use signals::shutdown_signal;
pub use task_error::TaskError;
pub use tonic::{self, Code};
pub use unblocks::UnblockListener;
pub use v1::{PromiseRecord, PromiseState, Reason, SettleState, TaskRef, Value};
pub use work::Work;
pub use worker::Worker;

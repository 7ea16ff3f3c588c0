use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;

use crate::context::TaskContext;
use crate::v1::{PromiseRecord, Value};

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What a handler comes to: a value that resolves its promise, a [`Reject`](crate::Reject) that rejects it, or any other error,
/// which is a failed attempt.
pub type HandlerResult<T = Value> = Result<T, BoxError>;

/// A future of any kind. What a generic function returns so says nothing of its arguments: their lifetimes are not the caller's trouble.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// Does a task's work.
pub(crate) type Handler = Box<dyn Fn(TaskContext) -> BoxFuture<HandlerResult> + Send + Sync>;
/// Hears of promises that have settled.
pub(crate) type UnblockHandler = Box<dyn Fn(PromiseRecord, String) -> BoxFuture<HandlerResult<()>> + Send + Sync>;

/// Takes a panic for a failure, so that it costs an attempt and not the worker.
pub(crate) async fn caught<T>(future: impl Future<Output = HandlerResult<T>>) -> HandlerResult<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.unwrap_or_else(|panic| Poll::Ready(Err(describe(panic.as_ref()).into())))
    })
    .await
}

fn describe(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", message.unwrap_or("for a reason that is no text"))
}

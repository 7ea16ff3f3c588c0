use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
use crate::client::Client;
use crate::context::TaskContext;
use crate::dispatch::keep_open;
use crate::error::Error;
use crate::failures::Failures;
use crate::handler::{Handler, HandlerResult, UnblockHandler};
use crate::heartbeats::Heartbeats;
use crate::random;
use crate::run::Environment;
use crate::session::{ConnectedHandler, Session};
use crate::v1::{DispatchRequest, PromiseRecord, Value};

const DEFAULT_MAX_IN_FLIGHT: usize = 16;
const DEFAULT_TTL: Duration = Duration::from_secs(30);
const DEFAULT_GRACE: Duration = Duration::from_secs(10);

/// Does the tasks of a group as the server pushes them. Made with its options, and then [run](Worker::run_until).
#[must_use = "a worker does nothing until it is run"]
pub struct Worker {
    client: Client,
    group: String,
    pid: String,
    handler: Handler,
    max_in_flight: usize,
    ttl: Duration,
    grace: Duration,
    attempt_backoff: Backoff,
    on_unblock: Option<UnblockHandler>,
    on_connected: Option<ConnectedHandler>,
}

impl Worker {
    /// A worker for the tasks whose target is in this group. The handler gets every one of them: what it returns resolves the
    /// promise, a [`Reject`](crate::Reject) rejects it, and any other error is retried.
    pub fn new<F, Fut, V>(client: &Client, group: impl Into<String>, handler: F) -> Self
    where
        F: Fn(TaskContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = HandlerResult<V>> + Send + 'static,
        V: Into<Value>,
    {
        Self {
            client: client.clone(),
            group: group.into(),
            pid: random::pid(),
            handler: Box::new(move |context| {
                let handled = handler(context);
                Box::pin(async move { handled.await.map(Into::into) })
            }),
            max_in_flight: DEFAULT_MAX_IN_FLIGHT,
            ttl: DEFAULT_TTL,
            grace: DEFAULT_GRACE,
            attempt_backoff: Backoff::ATTEMPT,
            on_unblock: None,
            on_connected: None,
        }
    }

    /// The name of this process: unique among all, and the same for the life of this one. By default a new one.
    pub fn pid(mut self, pid: impl Into<String>) -> Self {
        self.pid = pid.into();
        self
    }

    /// How many tasks to hold at one time. By default 16.
    ///
    /// # Panics
    ///
    /// If that is none, or more than an `i32` can count.
    pub fn max_in_flight(mut self, tasks: usize) -> Self {
        assert!(tasks > 0 && i32::try_from(tasks).is_ok(), "max_in_flight must be at least 1");
        self.max_in_flight = tasks;
        self
    }

    /// How long the server leaves a task with a worker that it does not hear from. By default 30 s.
    ///
    /// # Panics
    ///
    /// If that is less than a millisecond.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        assert!(ttl.as_millis() > 0, "ttl must be at least 1 ms");
        self.ttl = ttl;
        self
    }

    /// How long the handlers that run may go on once the worker stops. By default 10 s.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// How long to hold a task whose handler failed before giving it back. By default 1 s, doubled up to 60 s.
    pub fn attempt_backoff(mut self, backoff: Backoff) -> Self {
        self.attempt_backoff = backoff;
        self
    }

    /// Called for promises that have settled and that an address of this worker listens to, with that address; acknowledged unless
    /// it fails. The same one may come twice. By default they are just acknowledged.
    pub fn on_unblock<F, Fut>(mut self, handler: F) -> Self
    where
        F: Fn(PromiseRecord, String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = HandlerResult<()>> + Send + 'static,
    {
        self.on_unblock = Some(Box::new(move |promise, address| Box::pin(handler(promise, address))));
        self
    }

    /// Called each time the server has said hello: the first time the worker has started.
    pub fn on_connected(mut self, call: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_connected = Some(Box::new(call));
        self
    }

    /// Works until the process ends, or it has to stop.
    ///
    /// # Errors
    ///
    /// SESSION_REPLACED if another process has its pid, INVALID_ARGUMENT if the server refuses its options.
    pub async fn run(self) -> Result<(), Error> {
        self.run_until(pending()).await
    }

    /// Works until `shutdown` completes, and then drains: takes nothing new, lets the handlers that run go on for the grace period,
    /// gives back what is left, and closes. Dropping the future instead ends all at once: what was held is pushed again when its
    /// lease has run out.
    ///
    /// # Errors
    ///
    /// SESSION_REPLACED if another process has its pid, INVALID_ARGUMENT if the server refuses its options.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let env = Arc::new(Environment {
            heartbeats: Heartbeats::new(self.client.clone(), self.pid.clone(), self.ttl),
            client: self.client,
            pid: self.pid,
            ttl: self.ttl,
            handler: self.handler,
            attempt_backoff: self.attempt_backoff,
            failures: Failures::default(),
            stopping: CancellationToken::new(),
        });
        let request = DispatchRequest {
            group: self.group,
            pid: env.pid.clone(),
            max_in_flight: Some(self.max_in_flight.try_into().unwrap_or(i32::MAX)),
            auto_acknowledge_unblocks: false,
        };
        let (events, heard) = mpsc::unbounded_channel();
        // Ends with this future, whatever ends it.
        let mut background = JoinSet::new();
        background.spawn(keep_open(env.client.clone(), request, events));
        let beating = Arc::clone(&env);
        background.spawn(async move { beating.heartbeats.keep_beating().await });
        let mut session = Session::new(env, self.max_in_flight, heard, self.on_unblock, self.on_connected);
        let outcome = session.serve(shutdown).await;
        let grace = if outcome.is_ok() { self.grace } else { Duration::ZERO };
        session.drain(grace).await;
        outcome
    }
}

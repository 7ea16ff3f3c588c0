use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, warn};

use crate::acquire::{Acquired, acquire};
use crate::backoff::Backoff;
use crate::client::Client;
use crate::context::TaskContext;
use crate::failures::Failures;
use crate::handler::{BoxError, Handler, caught};
use crate::heartbeats::Heartbeats;
use crate::holder::Holder;
use crate::lease::Lease;
use crate::outcome::{Reject, RunEnd, RunOver};
use crate::task_error::TaskError;
use crate::v1::{DispatchExecute, SettleState, Value};

/// What all runs of a worker share.
pub(crate) struct Environment {
    pub(crate) client: Client,
    pub(crate) pid: String,
    pub(crate) ttl: Duration,
    pub(crate) handler: Handler,
    pub(crate) attempt_backoff: Backoff,
    pub(crate) heartbeats: Heartbeats,
    pub(crate) failures: Failures,
    /// Cancelled when the worker begins to drain: nothing new is begun.
    pub(crate) stopping: CancellationToken,
}

impl Environment {
    pub(crate) fn ttl_ms(&self) -> i64 {
        self.ttl.as_millis().try_into().unwrap_or(i64::MAX)
    }
}

/// One run of the handler for one task: acquire, work, and fulfil, suspend or release.
pub(crate) struct Run {
    env: Arc<Environment>,
    execute: DispatchExecute,
    lease: OnceLock<Arc<Lease>>,
}

/// What the handler came to.
enum Attempt {
    Settled(SettleState, Value),
    Failed(BoxError),
}

impl Run {
    pub(crate) fn new(env: Arc<Environment>, execute: DispatchExecute) -> Arc<Self> {
        let lease = OnceLock::new();
        Arc::new(Self { env, execute, lease })
    }

    /// The version that the task is held under, once it is acquired.
    pub(crate) fn version(&self) -> i64 {
        self.execute.version + 1
    }

    /// Ends the handler and gives the task back.
    pub(crate) fn stop(&self) {
        if let Some(lease) = self.lease.get() {
            lease.end(RunEnd::Stopped);
        }
    }

    /// The server offers the task again under the version that this run holds: unless it is giving it up, it has lost it.
    pub(crate) fn offered_again(&self) {
        if let Some(lease) = self.lease.get() {
            lease.offered();
        }
    }

    /// From the push to the end.
    pub(crate) async fn perform(self: Arc<Self>) {
        let env = &*self.env;
        let Some(Acquired { lease, promise, adopted }) = acquire(env, &self.execute).await else {
            return;
        };
        let _held = Held(Arc::clone(self.lease.get_or_init(|| Arc::clone(&lease))));
        let kept = env.heartbeats.add(Arc::clone(&lease));
        let holder = Holder::new(env.client.clone(), env.pid.clone(), Arc::clone(&lease));
        let context = TaskContext::new(holder, promise);
        if adopted {
            // How much of the lease is left is not known: it is renewed at once.
            let env = Arc::clone(&self.env);
            tokio::spawn(async move { env.heartbeats.beat().await });
        }
        let result = self.work(&context).await;
        if lease.over().is_some_and(|over| over.end == RunEnd::Stopped) {
            context.holder().abandon().await;
        }
        drop(kept);
        lease.end(RunEnd::Finished);
        if let Err(problem) = result {
            self.report(problem);
        }
    }

    async fn work(&self, context: &TaskContext) -> Result<(), TaskError> {
        let env = &*self.env;
        let holder = context.holder();
        if env.stopping.is_cancelled() {
            return holder.release().await;
        }
        let failure: BoxError = match self.attempt(context).await? {
            Attempt::Settled(state, value) => match holder.fulfill(state, value).await {
                Ok(()) => {
                    env.failures.clear(context.id());
                    debug!(task_id = context.id(), version = self.version(), "task fulfilled");
                    return Ok(());
                }
                // The server does not take the outcome.
                Err(TaskError::Call(refusal)) => refusal.into(),
                Err(over) => return Err(over),
            },
            Attempt::Failed(failure) => failure,
        };
        let delay = env.attempt_backoff.delay(env.failures.add(context.id()));
        warn!(task_id = context.id(), version = self.version(), error = %failure, ?delay, "attempt failed");
        tokio::select! {
            over = holder.lease.ended() => return Err(over.into()),
            () = env.stopping.cancelled() => {}
            () = sleep(delay) => {}
        }
        holder.release().await
    }

    async fn attempt(&self, context: &TaskContext) -> Result<Attempt, RunOver> {
        let lease = &context.holder().lease;
        let handled = caught(async { (self.env.handler)(context.clone()).await });
        let result = tokio::select! {
            biased;
            over = lease.ended() => return Err(over),
            result = handled => result,
        };
        lease.check()?;
        Ok(match result {
            Ok(value) => Attempt::Settled(SettleState::Resolved, value),
            Err(error) => match error.downcast::<Reject>() {
                Ok(reject) => Attempt::Settled(SettleState::Rejected, reject.value),
                Err(error) => Attempt::Failed(error),
            },
        })
    }

    fn report(&self, problem: TaskError) {
        let (task_id, version) = (&self.execute.task_id, self.version());
        match problem {
            TaskError::Over(RunOver {
                end: RunEnd::Suspended, ..
            }) => {
                self.env.failures.clear(task_id);
                debug!(task_id, version, "task suspended");
            }
            TaskError::Over(RunOver { end, cause }) => warn!(task_id, version, ?end, ?cause, "task dropped"),
            TaskError::Call(error) => error!(task_id, version, %error, "task dropped"),
        }
    }
}

/// Ends the run, too, when the worker's future is dropped.
struct Held(Arc<Lease>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.end(RunEnd::Stopped);
    }
}

use std::sync::Arc;

use tokio::time::{Instant, sleep};
use tracing::{debug, info};

use crate::backoff::Backoff;
use crate::error::Error;
use crate::lease::{Lease, answer_deadline};
use crate::record::present;
use crate::run::Environment;
use crate::v1::{DispatchExecute, PromiseGetRequest, PromiseRecord, TaskAcquireRequest, TaskRef};

/// A task that this process holds, and its promise.
pub(crate) struct Acquired {
    pub(crate) lease: Arc<Lease>,
    pub(crate) promise: PromiseRecord,
    /// Found to be held already: how much of the lease is left is not known.
    pub(crate) adopted: bool,
}

/// Takes the task that was pushed. None: it is not to be had, and is dropped.
pub(crate) async fn acquire(env: &Environment, execute: &DispatchExecute) -> Option<Acquired> {
    let DispatchExecute { task_id, version } = execute;
    match take(env, execute).await {
        Ok(acquired) => acquired,
        Err(error) => {
            debug!(task_id, version, %error, "task was not acquired");
            None
        }
    }
}

async fn take(env: &Environment, execute: &DispatchExecute) -> Result<Option<Acquired>, Error> {
    let held = execute.version + 1;
    let acquired = |promise, sent_at, adopted| {
        let task = TaskRef {
            id: execute.task_id.clone(),
            version: held,
        };
        Acquired {
            lease: Lease::new(task, env.ttl, sent_at),
            promise,
            adopted,
        }
    };
    let request = TaskAcquireRequest {
        id: execute.task_id.clone(),
        version: execute.version,
        pid: env.pid.clone(),
        ttl_ms: env.ttl_ms(),
    };
    let deadline = answer_deadline(env.ttl);
    let begun = Instant::now();
    let mut failures = 0;
    loop {
        let sent_at = Instant::now();
        let error = match env.client.call_within(deadline, request.clone()).await {
            Ok(response) => return Ok(Some(acquired(present(response.promise)?, sent_at, false))),
            Err(error) => error,
        };
        if error.shows_holder(&env.pid, held) {
            info!(
                task_id = execute.task_id,
                version = held,
                "task is held already: an answer was lost"
            );
            let id = execute.task_id.clone();
            let response = env.client.call_within(deadline, PromiseGetRequest { id }).await?;
            let promise = present(response.promise)?;
            return Ok((!promise.is_settled()).then(|| acquired(promise, begun, true)));
        }
        let delay = Backoff::CALL.delay(failures);
        let too_late = begun.elapsed() + delay >= env.ttl;
        if !error.is_transient() || env.stopping.is_cancelled() || too_late {
            return Err(error);
        }
        tokio::select! {
            () = env.stopping.cancelled() => {}
            () = sleep(delay) => {}
        }
        failures += 1;
    }
}

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tonic::Code;
use tracing::{debug, warn};

use crate::backoff::Backoff;
use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::lease::{Lease, answer_deadline};
use crate::outcome::{RunEnd, RunOver};
use crate::record::present;
use crate::task_error::TaskError;
use crate::v1::task_fence_request::Action;
use crate::v1::task_fence_response::Outcome as Fenced;
use crate::v1::task_suspend_response::Outcome as Suspension;
use crate::v1::{
    PromiseGetRequest, PromiseRecord, Reason, SettleState, TaskFenceRequest, TaskFulfillRequest, TaskReleaseRequest,
    TaskSuspendRequest, Value,
};

/// How long a task that the worker does not finish may take to be given back.
const ABANDON_DEADLINE: Duration = Duration::from_secs(2);

/// The calls of a task's holder. While the server or the network is in trouble they are repeated with back-off, for as long as the
/// lease may be relied on. A refusal that shows another holder, or none, ends the run as lost; any other error is the caller's.
pub(crate) struct Holder {
    client: Client,
    pid: String,
    pub(crate) lease: Arc<Lease>,
}

/// What came of a call.
enum Answer<T> {
    Given(T),
    /// The task is no longer ours to write; after an answer that was lost, perhaps because of this very call.
    Refused {
        error: Error,
        repeated: bool,
    },
}

impl Holder {
    pub(crate) fn new(client: Client, pid: String, lease: Arc<Lease>) -> Self {
        Self { client, pid, lease }
    }

    /// Reads a promise.
    pub(crate) async fn get(&self, id: String) -> Result<PromiseRecord, TaskError> {
        let response = self.ask(PromiseGetRequest { id }).await?;
        Ok(present(self.held(response)?.promise)?)
    }

    /// Creates or settles a promise if the task is still held.
    pub(crate) async fn fence(&self, action: Action) -> Result<PromiseRecord, TaskError> {
        let (id, version) = self.task();
        let action = Some(action);
        let response = self.ask(TaskFenceRequest { id, version, action }).await?;
        match self.held(response)?.outcome {
            Some(Fenced::Refusal(refusal)) => Err(Error::from(refusal).into()),
            Some(Fenced::Promise(promise)) => Ok(promise),
            None => Ok(present(None)?),
        }
    }

    /// Parks the task until one of the promises settles, which ends the run; or returns because one is settled already.
    pub(crate) async fn suspend(&self, awaited_ids: Vec<String>) -> Result<(), TaskError> {
        let _giving_up = self.lease.give_up();
        let (id, version) = self.task();
        let response = self
            .ask(TaskSuspendRequest {
                id,
                version,
                awaited_ids,
            })
            .await?;
        match self.held(response)?.outcome {
            Some(Suspension::Ready(_)) => Ok(()),
            _ => Err(self.lease.end(RunEnd::Suspended).into()),
        }
    }

    /// Settles the task's own promise, which ends the run.
    pub(crate) async fn fulfill(&self, state: SettleState, value: Value) -> Result<(), TaskError> {
        let _giving_up = self.lease.give_up();
        let (id, version) = self.task();
        let request = TaskFulfillRequest {
            id: id.clone(),
            version,
            state: state.into(),
            value: Some(value),
        };
        match self.ask(request).await? {
            // An earlier answer was lost: if the promise is settled, the task is done, whoever settled it.
            Answer::Refused { repeated: true, .. } if self.get(id).await?.is_settled() => {}
            answer => drop(self.held(answer)?),
        }
        self.lease.end(RunEnd::Finished);
        Ok(())
    }

    /// Gives the task back, to be pushed again at once, which ends the run.
    pub(crate) async fn release(&self) -> Result<(), TaskError> {
        let _giving_up = self.lease.give_up();
        let (id, version) = self.task();
        let response = self.ask(TaskReleaseRequest { id, version }).await?;
        self.held(response)?;
        self.lease.end(RunEnd::Finished);
        Ok(())
    }

    /// Gives the task back after the end of the run: one try, and no harm if it fails, since the lease runs out.
    pub(crate) async fn abandon(&self) {
        let (id, version) = self.task();
        let request = TaskReleaseRequest { id, version };
        if let Err(error) = self.client.call_within(ABANDON_DEADLINE, request).await {
            warn!(task_id = self.lease.task.id, %error, "task was not given back");
        }
    }

    fn task(&self) -> (String, i64) {
        (self.lease.task.id.clone(), self.lease.task.version)
    }

    async fn ask<R: Call>(&self, request: R) -> Result<Answer<R::Response>, TaskError> {
        let mut failures = 0;
        loop {
            self.lease.check()?;
            let deadline = answer_deadline(self.lease.ttl).min(self.lease.left());
            let error = match self.while_held(self.client.call_within(deadline, request.clone())).await? {
                Ok(response) => return Ok(Answer::Given(response)),
                Err(error) => error,
            };
            self.lease.check()?;
            if self.is_refusal(&error) {
                let repeated = failures > 0;
                return Ok(Answer::Refused { error, repeated });
            }
            if !error.is_transient() && !self.is_holder(&error) {
                return Err(error.into());
            }
            debug!(task_id = self.lease.task.id, %error, "call will be repeated");
            self.while_held(sleep(Backoff::CALL.delay(failures))).await?;
            failures += 1;
        }
    }

    /// Gives up what it waits for when the run is over.
    async fn while_held<T>(&self, future: impl Future<Output = T>) -> Result<T, RunOver> {
        tokio::select! {
            biased;
            over = self.lease.ended() => Err(over),
            output = future => Ok(output),
        }
    }

    fn held<T>(&self, answer: Answer<T>) -> Result<T, RunOver> {
        match answer {
            Answer::Given(response) => Ok(response),
            Answer::Refused { error, .. } => {
                let (end, cause) = (RunEnd::Lost, Some(error));
                Err(self.lease.end(RunOver { end, cause }))
            }
        }
    }

    /// The task is no longer ours to write. A promise that is not live will not be again, whoever holds its task.
    fn is_refusal(&self, error: &Error) -> bool {
        error.is(Reason::TaskNotFound)
            || error.is(Reason::PromiseNotLive)
            || error.code == Code::Aborted && !self.is_holder(error)
    }

    fn is_holder(&self, error: &Error) -> bool {
        error.shows_holder(&self.pid, self.lease.task.version)
    }
}

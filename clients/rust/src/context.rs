use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use tokio_util::sync::CancellationToken;

use crate::awaited::{Awaited, all};
use crate::handler::BoxFuture;
use crate::holder::Holder;
use crate::outcome::RunOver;
use crate::task_error::TaskError;
use crate::v1::task_fence_request::Action;
use crate::v1::{PromiseRecord, PromiseSettlement, SettleState, TaskRef, Value};
use crate::work::Work;

/// What a handler gets. Its writes are fenced: they happen only while this process holds the task. Every call fails with
/// [`TaskError::Over`] once the run is over, with [`TaskError::Call`] when the server refuses it, and otherwise waits out troubles of
/// the server and the network for as long as the lease lasts. Cheap to clone, for the futures and tasks that a handler begins.
#[derive(Clone)]
pub struct TaskContext(Arc<Inner>);

struct Inner {
    holder: Holder,
    promise: PromiseRecord,
}

/// What an absent value means.
static EMPTY: Value = Value {
    headers: BTreeMap::new(),
    data: None,
};

impl TaskContext {
    pub(crate) fn new(holder: Holder, promise: PromiseRecord) -> Self {
        Self(Arc::new(Inner { holder, promise }))
    }

    pub(crate) fn holder(&self) -> &Holder {
        &self.0.holder
    }

    /// The task, with the version that it is held under.
    pub fn task(&self) -> &TaskRef {
        &self.0.holder.lease.task
    }

    /// The id of the task, and of its promise.
    pub fn id(&self) -> &str {
        &self.task().id
    }

    /// The promise that the handler is to fulfil, as it was when the task was acquired.
    pub fn promise(&self) -> &PromiseRecord {
        &self.0.promise
    }

    /// The promise's input.
    pub fn param(&self) -> &Value {
        self.0.promise.param.as_ref().unwrap_or(&EMPTY)
    }

    /// A tag of the promise.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.0.promise.tags.get(key).map(String::as_str)
    }

    /// Cancelled when the run is over: for what the handler has spawned. Its own future is dropped then.
    pub fn cancellation(&self) -> &CancellationToken {
        self.0.holder.lease.token()
    }

    /// Why the run is over. None while it is not.
    pub fn over(&self) -> Option<RunOver> {
        self.0.holder.lease.over()
    }

    /// Creates a promise, and its task if the work has a target; or finds it under its id, as it stands. Without a deadline it gets
    /// this task's own.
    ///
    /// # Errors
    ///
    /// As of all calls.
    pub async fn create(&self, work: Work) -> Result<PromiseRecord, TaskError> {
        let spec = work.into_spec(Some(self.0.promise.timeout_at_ms))?;
        self.0.holder.fence(Action::Create(spec)).await
    }

    /// Creates all of it at the same time, and returns the promises in the same order.
    ///
    /// # Errors
    ///
    /// As of all calls.
    pub fn create_all(&self, works: impl IntoIterator<Item = Work>) -> BoxFuture<Result<Vec<PromiseRecord>, TaskError>> {
        let create = |work| {
            let context = self.clone();
            async move { context.create(work).await }
        };
        let created = works.into_iter().map(create).collect();
        Box::pin(all(created))
    }

    /// Settles a promise and returns it with the outcome that stands, which may be an earlier one.
    ///
    /// # Errors
    ///
    /// NOT_FOUND for an unknown promise.
    pub async fn settle(
        &self,
        id: impl Into<String>,
        state: SettleState,
        value: impl Into<Value>,
    ) -> Result<PromiseRecord, TaskError> {
        let settlement = PromiseSettlement {
            id: id.into(),
            state: state.into(),
            value: Some(value.into()),
        };
        self.0.holder.fence(Action::Settle(settlement)).await
    }

    /// Reads a promise.
    ///
    /// # Errors
    ///
    /// NOT_FOUND for an unknown promise.
    pub async fn get(&self, id: impl Into<String>) -> Result<PromiseRecord, TaskError> {
        self.0.holder.get(id.into()).await
    }

    /// The promises, settled, in order. If one is pending, the task is suspended and the run is over: the handler is called again
    /// from its start, and then finds the outcomes that it waited for. Give it everything that you wait for in one call, and do not
    /// drop its future half way: of two that run at the same time only one can suspend the task.
    ///
    /// # Errors
    ///
    /// NOT_FOUND for an unknown promise.
    pub fn await_all<I>(&self, awaited: I) -> BoxFuture<Result<Vec<PromiseRecord>, TaskError>>
    where
        I: IntoIterator,
        I::Item: Into<Awaited>,
    {
        let awaited = awaited.into_iter().map(Into::into).collect();
        Box::pin(self.clone().await_each(awaited))
    }

    /// Waits until an instant, on a timer promise with this id: the task is suspended meanwhile, so it may be months. The first
    /// instant stands: a later run finds the timer under its id, whatever instant it names.
    ///
    /// # Errors
    ///
    /// As of all calls.
    pub async fn sleep_until(&self, id: impl Into<String>, instant: SystemTime) -> Result<(), TaskError> {
        let timer = Work::new(id).deadline(instant).tag("resonate:timer", "true");
        self.await_all([self.create(timer).await?]).await.map(drop)
    }

    async fn await_each(self, awaited: Vec<Awaited>) -> Result<Vec<PromiseRecord>, TaskError> {
        let take = |each| self.clone().take(each);
        let mut records = all(awaited.into_iter().map(take).collect()).await?;
        // The task waits for the first pending one only. All must settle, so none is missed; and being resumed for each of a hundred
        // children would run the handler a hundred times.
        while let Some(pending) = records.iter().find(|record| !record.is_settled()) {
            self.0.holder.suspend(vec![pending.id.clone()]).await?;
            let read_again = |record| self.clone().read_again(record);
            records = all(records.into_iter().map(read_again).collect()).await?;
        }
        // Without a call, too, a run that is over goes no further.
        self.0.holder.lease.check()?;
        Ok(records)
    }

    async fn take(self, awaited: Awaited) -> Result<PromiseRecord, TaskError> {
        match awaited {
            Awaited::Id(id) => self.get(id).await,
            Awaited::Record(record) => Ok(record),
        }
    }

    async fn read_again(self, record: PromiseRecord) -> Result<PromiseRecord, TaskError> {
        match record.is_settled() {
            true => Ok(record),
            false => self.get(record.id).await,
        }
    }
}

impl fmt::Debug for TaskContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskContext")
            .field("task", self.task())
            .finish_non_exhaustive()
    }
}

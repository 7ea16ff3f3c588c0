use std::future::Future;

use tokio::task::JoinSet;

use crate::task_error::TaskError;
use crate::v1::PromiseRecord;

/// A promise to wait for, by its id or by a record of it. A record that is settled is not read again.
#[derive(Clone, Debug, PartialEq)]
pub enum Awaited {
    /// Its id.
    Id(String),
    /// As it stood.
    Record(PromiseRecord),
}

impl From<&str> for Awaited {
    fn from(id: &str) -> Self {
        Self::Id(id.to_owned())
    }
}

impl From<&String> for Awaited {
    fn from(id: &String) -> Self {
        Self::Id(id.clone())
    }
}

impl From<String> for Awaited {
    fn from(id: String) -> Self {
        Self::Id(id)
    }
}

impl From<PromiseRecord> for Awaited {
    fn from(record: PromiseRecord) -> Self {
        Self::Record(record)
    }
}

/// What all of them come to, run at the same time, in their order; or the first error, and then the rest is dropped.
pub(crate) async fn all<T, F>(futures: Vec<F>) -> Result<Vec<T>, TaskError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, TaskError>> + Send + 'static,
{
    let mut running = JoinSet::new();
    for (index, future) in futures.into_iter().enumerate() {
        running.spawn(async move { future.await.map(|output| (index, output)) });
    }
    let mut outputs = Vec::with_capacity(running.len());
    while let Some(output) = running.join_next().await {
        outputs.push(output.expect("a call neither panics nor is aborted")?);
    }
    outputs.sort_unstable_by_key(|(index, _)| *index);
    Ok(outputs.into_iter().map(|(_, output)| output).collect())
}

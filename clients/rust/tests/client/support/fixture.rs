//! A worker `w` of the group `g`, on a scripted server.

use std::future::Future;
use std::time::Duration;

use resonate_grpc::v1::{TaskAcquireRequest, TaskAcquireResponse, TaskRecord, TaskState};
use resonate_grpc::{Error, HandlerResult, PromiseRecord, TaskContext, Value, Worker};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::records::pending;
use super::runs::{OpenRun, Runs, runs};
use super::server::{ScriptedCall, Server};
use super::stream::ScriptedStream;

/// Longer than a worker takes to stop.
const PATIENCE: Duration = Duration::from_secs(600);
pub const TTL: Duration = Duration::from_secs(30);

pub struct Fixture {
    pub server: Server,
    pub stream: ScriptedStream,
    /// Has the worker drain.
    pub stop: CancellationToken,
    pub worker: JoinHandle<Result<(), Error>>,
}

/// With a worker whose runs the test ends.
pub async fn open(options: impl FnOnce(Worker) -> Worker) -> (Fixture, Runs) {
    let (handler, runs) = runs();
    (
        Fixture::open(move |context| handler.clone().handle(context), options).await,
        runs,
    )
}

/// The same, which holds `t` under version 1.
pub async fn open_with_task(options: impl FnOnce(Worker) -> Worker) -> (Fixture, Runs, OpenRun) {
    let (mut fixture, mut runs) = open(options).await;
    fixture.give("t", 0).await;
    let run = runs.next().await;
    (fixture, runs, run)
}

impl Fixture {
    /// With an open stream.
    pub async fn open<F, Fut, V>(handler: F, options: impl FnOnce(Worker) -> Worker) -> Self
    where
        F: Fn(TaskContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = HandlerResult<V>> + Send + 'static,
        V: Into<Value>,
    {
        let server = Server::default();
        let client = server.client();
        let worker = options(Worker::new(&client, "g", handler).pid("w").ttl(TTL));
        let stop = CancellationToken::new();
        let worker = tokio::spawn(worker.run_until(stop.clone().cancelled_owned()));
        let mut stream = server.stream().await;
        stream.hello("session");
        Self {
            server,
            stream,
            stop,
            worker,
        }
    }

    /// Pushes a task and lets the worker have it.
    pub async fn give(&mut self, id: &str, version: i64) {
        self.stream.execute(id, version);
        grant(self.server.next().await, pending(id));
    }

    /// The next stream, after one that has ended.
    pub async fn reopened(&mut self) {
        self.stream = self.server.stream().await;
        self.stream.hello("session 2");
    }

    /// Waits until the worker has stopped.
    pub async fn stopped(self) -> Result<(), Error> {
        timeout(PATIENCE, self.worker).await.expect("the worker goes on").unwrap()
    }
}

/// Answers an acquire.
pub fn grant(acquire: ScriptedCall<TaskAcquireRequest>, promise: PromiseRecord) {
    let TaskAcquireRequest {
        id,
        version,
        pid,
        ttl_ms,
    } = acquire.request.clone();
    let task = TaskRecord {
        id,
        state: TaskState::Acquired.into(),
        version: version + 1,
        resumes: 0,
        ttl_ms: Some(ttl_ms),
        pid: Some(pid),
    };
    acquire.reply(TaskAcquireResponse {
        task: Some(task),
        promise: Some(promise),
    });
}

/// The place of a task that was the only one is free, and nothing has been done about it meanwhile.
pub async fn assert_dropped(fixture: &mut Fixture, runs: &mut Runs) {
    use resonate_grpc::v1::{TaskFulfillRequest, TaskReleaseRequest};
    fixture.give("marker", 0).await;
    assert_eq!(runs.next().await.id(), "marker");
    assert_eq!(fixture.server.waiting::<TaskAcquireRequest>(), 0);
    assert_eq!(fixture.server.waiting::<TaskFulfillRequest>(), 0);
    assert_eq!(fixture.server.waiting::<TaskReleaseRequest>(), 0);
}

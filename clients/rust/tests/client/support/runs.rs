//! A handler whose runs the test ends.

use resonate_grpc::{BoxError, HandlerResult, TaskContext, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::{Duration, timeout};

const PATIENCE: Duration = Duration::from_secs(600);

/// The runs as they come.
pub struct Runs(UnboundedReceiver<OpenRun>);

/// What a worker is given.
#[derive(Clone)]
pub struct RunsHandler(UnboundedSender<OpenRun>);

/// One run, which the test ends.
pub struct OpenRun {
    pub context: TaskContext,
    end: oneshot::Sender<HandlerResult>,
}

pub fn runs() -> (RunsHandler, Runs) {
    let (put, runs) = unbounded_channel();
    (RunsHandler(put), Runs(runs))
}

impl RunsHandler {
    pub async fn handle(self, context: TaskContext) -> HandlerResult {
        let (end, ended) = oneshot::channel();
        let _ = self.0.send(OpenRun { context, end });
        ended.await.expect("the test ends its runs, or they are dropped")
    }
}

impl Runs {
    pub async fn next(&mut self) -> OpenRun {
        timeout(PATIENCE, self.0.recv()).await.expect("no run came").unwrap()
    }

    /// How many have begun and have not been taken.
    pub fn waiting(&self) -> usize {
        self.0.len()
    }
}

impl OpenRun {
    pub fn id(&self) -> &str {
        self.context.id()
    }

    pub fn finish(self, value: impl Into<Value>) {
        self.end_with(Ok(value.into()));
    }

    pub fn fail(self, error: impl Into<BoxError>) {
        self.end_with(Err(error.into()));
    }

    fn end_with(self, result: HandlerResult) {
        self.end.send(result).expect("the run is over already");
    }

    /// Waits until the handler's future has been dropped.
    pub async fn dropped(&mut self) {
        timeout(PATIENCE, self.end.closed()).await.expect("the handler goes on");
    }
}

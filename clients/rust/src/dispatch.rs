use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, sleep, timeout};
use tonic::Code;
use tracing::{error, warn};

use crate::backoff::Backoff;
use crate::client::Client;
use crate::error::Error;
use crate::v1::dispatch_event::Event;
use crate::v1::{DispatchExecute, DispatchHello, DispatchRequest, DispatchUnblock, Reason};

/// How long the server may take to say hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(15);
/// A stream is dead after this many ping intervals of silence.
const SILENT_INTERVALS: u32 = 3;
/// A stream that lasted this long was a good one: the next reconnect is a first one again.
const STABLE: Duration = Duration::from_secs(10);

/// What happens on a stream.
#[derive(Debug)]
pub(crate) enum StreamEvent {
    /// The stream is open: the first time, or again.
    Hello(DispatchHello),
    /// A task can be acquired.
    Execute(DispatchExecute),
    /// A promise has settled. The same one may come twice.
    Unblock(DispatchUnblock),
    /// What was pushed and not acquired goes to others: the server is about to stop, or the stream has ended.
    Lapsed,
    /// The stream has ended for good: another process has this pid, or the request is wrong. Nothing comes after it.
    Failed(Error),
}

/// Keeps one Dispatch stream open, and tells what it says: reconnects with jittered back-off after any end but a final one, and
/// after three ping intervals of silence. Goes on until its future is dropped, or nobody listens.
pub(crate) async fn keep_open(client: Client, request: DispatchRequest, events: UnboundedSender<StreamEvent>) {
    let mut failures = 0;
    loop {
        let mut stream = Stream {
            events: &events,
            silence: HELLO_TIMEOUT,
            hello_at: None,
            draining: false,
        };
        let problem = stream.hear(&client, request.clone()).await;
        let Stream { hello_at, draining, .. } = stream;
        if events.send(StreamEvent::Lapsed).is_err() {
            return;
        }
        if is_final(&problem) {
            error!(error = %problem, "dispatch stream has ended for good");
            let _ = events.send(StreamEvent::Failed(problem));
            return;
        }
        warn!(error = %problem, "dispatch stream has ended");
        if hello_at.is_some_and(|at| at.elapsed() >= STABLE) {
            failures = 0;
        }
        let backoff = if draining { Backoff::DRAIN } else { Backoff::CALL };
        sleep(backoff.delay(failures)).await;
        failures += 1;
    }
}

/// One stream, from its opening to its end.
struct Stream<'a> {
    events: &'a UnboundedSender<StreamEvent>,
    silence: Duration,
    hello_at: Option<Instant>,
    draining: bool,
}

impl Stream<'_> {
    /// Returns how it ended.
    async fn hear(&mut self, client: &Client, request: DispatchRequest) -> Error {
        let mut messages = match timeout(self.silence, client.dispatch(request)).await {
            Ok(Ok(messages)) => messages,
            Ok(Err(problem)) => return problem,
            Err(_) => return self.silent(),
        };
        loop {
            match timeout(self.silence, messages.message()).await {
                Ok(Ok(Some(frame))) => {
                    let events = frame.events.into_iter().filter_map(|event| event.event);
                    events.for_each(|event| self.tell(event));
                }
                // Something between us and the server ended the stream with OK, which the server never does.
                Ok(Ok(None)) => return Error::new(Code::Unavailable, "the stream has ended"),
                Ok(Err(status)) => return status.into(),
                Err(_) => return self.silent(),
            }
        }
    }

    fn tell(&mut self, event: Event) {
        let heard = match event {
            Event::Hello(hello) => {
                self.hello_at = Some(Instant::now());
                let interval = hello.ping_interval_ms.try_into().unwrap_or_default();
                if interval > 0 {
                    self.silence = Duration::from_millis(interval) * SILENT_INTERVALS;
                }
                StreamEvent::Hello(hello)
            }
            Event::Execute(execute) => StreamEvent::Execute(execute),
            Event::Unblock(unblock) => StreamEvent::Unblock(unblock),
            Event::Drain(_) => {
                self.draining = true;
                StreamEvent::Lapsed
            }
            Event::Ping(_) => return,
        };
        // If nobody listens, that shows at the end.
        let _ = self.events.send(heard);
    }

    fn silent(&self) -> Error {
        Error::new(
            Code::Unavailable,
            format!("the stream has been silent for {:?}", self.silence),
        )
    }
}

/// Coming back would meet the same end.
fn is_final(problem: &Error) -> bool {
    problem.is(Reason::SessionReplaced) || problem.code == Code::InvalidArgument
}

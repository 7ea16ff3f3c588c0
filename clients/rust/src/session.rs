use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::timeout;
use tracing::{error, info, warn};

use crate::acknowledge::acknowledge;
use crate::dispatch::StreamEvent;
use crate::error::Error;
use crate::handler::{UnblockHandler, caught};
use crate::run::{Environment, Run};
use crate::v1::{DispatchDrainRequest, DispatchExecute, DispatchHello, DispatchUnblock, UnblockRef};

/// The server learns of a drain at once or not at all.
const DRAIN_DEADLINE: Duration = Duration::from_secs(2);

/// Hears that the stream is open.
pub(crate) type ConnectedHandler = Box<dyn Fn() + Send + Sync>;

/// A worker at work: what it hears, what it runs, and what waits for its turn. All of it happens in one future, an event after the
/// other; only runs, unblocks and calls go on beside it.
pub(crate) struct Session {
    env: Arc<Environment>,
    max_in_flight: usize,
    heard: UnboundedReceiver<StreamEvent>,
    on_unblock: Option<Arc<UnblockHandler>>,
    on_connected: Option<ConnectedHandler>,
    session_id: Option<String>,
    /// By the task's id.
    running: HashMap<String, (Id, Arc<Run>)>,
    /// What was pushed and waits for a free place, or for the end of an earlier run of the same task, oldest first.
    offers: Vec<DispatchExecute>,
    runs: JoinSet<()>,
    unblocks: JoinSet<Option<UnblockRef>>,
    /// Calls that nobody waits for.
    calls: JoinSet<()>,
}

impl Session {
    pub(crate) fn new(
        env: Arc<Environment>,
        max_in_flight: usize,
        heard: UnboundedReceiver<StreamEvent>,
        on_unblock: Option<UnblockHandler>,
        on_connected: Option<ConnectedHandler>,
    ) -> Self {
        Self {
            env,
            max_in_flight,
            heard,
            on_unblock: on_unblock.map(Arc::new),
            on_connected,
            session_id: None,
            running: HashMap::new(),
            offers: Vec::new(),
            runs: JoinSet::new(),
            unblocks: JoinSet::new(),
            calls: JoinSet::new(),
        }
    }

    /// Until it is to stop; or has to, which is the error.
    pub(crate) async fn serve(&mut self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => return Ok(()),
                turn = self.turn() => turn?,
            }
        }
    }

    /// Takes nothing new, lets go on what runs for the grace period, and gives back what is left.
    pub(crate) async fn drain(&mut self, grace: Duration) {
        self.env.stopping.cancel();
        self.offers.clear();
        self.announce_drain();
        let _ = timeout(grace, self.finish(|session| session.runs.len() + session.unblocks.len())).await;
        for (_, run) in self.running.values() {
            run.stop();
        }
        self.finish(|session| session.runs.len()).await;
        let _ = timeout(DRAIN_DEADLINE, self.finish(|session| session.calls.len())).await;
        info!(pid = self.env.pid, "worker stopped");
    }

    async fn finish(&mut self, left: impl Fn(&Self) -> usize) {
        while left(self) > 0 {
            // That the stream fails now changes nothing.
            let _ = self.turn().await;
        }
    }

    /// One event. Its future may be dropped at any time: nothing is lost.
    async fn turn(&mut self) -> Result<(), Error> {
        tokio::select! {
            Some(event) = self.heard.recv() => return self.hear(event),
            Some(ended) = self.runs.join_next_with_id() => self.ended(ended),
            Some(handled) = self.unblocks.join_next() => self.handled(handled),
            Some(_) = self.calls.join_next() => {}
        }
        Ok(())
    }

    fn hear(&mut self, event: StreamEvent) -> Result<(), Error> {
        match event {
            StreamEvent::Hello(hello) => self.hello(hello),
            StreamEvent::Execute(execute) => self.offer(execute),
            StreamEvent::Unblock(unblock) => self.unblock(unblock),
            StreamEvent::Lapsed => {
                self.session_id = None;
                self.offers.clear();
            }
            StreamEvent::Failed(error) => return Err(error),
        }
        Ok(())
    }

    fn hello(&mut self, hello: DispatchHello) {
        info!(pid = self.env.pid, session_id = hello.session_id, "worker connected");
        self.session_id = Some(hello.session_id);
        if let Some(call) = &self.on_connected {
            call();
        }
        if self.env.stopping.is_cancelled() {
            self.announce_drain();
        }
        // The server may have been away for most of a lease.
        let env = Arc::clone(&self.env);
        self.calls.spawn(async move { env.heartbeats.beat().await });
    }

    fn offer(&mut self, execute: DispatchExecute) {
        if self.env.stopping.is_cancelled() {
            return;
        }
        if let Some((_, run)) = self.running.get(&execute.task_id) {
            if execute.version < run.version() {
                return; // The push that this run came from, once more.
            }
            run.offered_again();
        }
        match self.offers.iter_mut().find(|offer| offer.task_id == execute.task_id) {
            Some(offer) => offer.version = execute.version,
            None => self.offers.push(execute),
        }
        self.begin();
    }

    /// Begins what there is room for, oldest first.
    fn begin(&mut self) {
        while self.running.len() < self.max_in_flight {
            let free = |offer: &DispatchExecute| !self.running.contains_key(&offer.task_id);
            let Some(next) = self.offers.iter().position(free) else {
                return;
            };
            let execute = self.offers.remove(next);
            let task_id = execute.task_id.clone();
            let run = Run::new(Arc::clone(&self.env), execute);
            let task = self.runs.spawn(Arc::clone(&run).perform());
            self.running.insert(task_id, (task.id(), run));
        }
    }

    fn ended(&mut self, ended: Result<(Id, ()), JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(problem) => {
                // What a handler does when it is dropped, say.
                error!(error = %problem, "a run has ended in a panic");
                problem.id()
            }
        };
        self.running.retain(|_, (running, _)| *running != id);
        self.begin();
    }

    fn unblock(&mut self, unblock: DispatchUnblock) {
        let DispatchUnblock {
            promise: Some(promise),
            address,
        } = unblock
        else {
            return;
        };
        let on_unblock = self.on_unblock.clone();
        self.unblocks.spawn(async move {
            let promise_id = promise.id.clone();
            if let Some(handler) = on_unblock {
                let handled = caught(async { handler(promise, address.clone()).await }).await;
                if let Err(error) = handled {
                    // Not acknowledged: the server sends it again on the next stream.
                    warn!(promise_id, %error, "unblock was not handled");
                    return None;
                }
            }
            Some(UnblockRef { promise_id, address })
        });
    }

    /// Acknowledges all that are handled by now in one call.
    fn handled(&mut self, first: Result<Option<UnblockRef>, JoinError>) {
        let mut refs: Vec<_> = first.ok().flatten().into_iter().collect();
        while let Some(next) = self.unblocks.try_join_next() {
            refs.extend(next.ok().flatten());
        }
        if !refs.is_empty() {
            self.calls.spawn(acknowledge(self.env.client.clone(), refs));
        }
    }

    fn announce_drain(&mut self) {
        let Some(session_id) = self.session_id.clone() else {
            return;
        };
        let client = self.env.client.clone();
        self.calls.spawn(async move {
            let request = DispatchDrainRequest { session_id };
            if let Err(error) = client.call_within(DRAIN_DEADLINE, request).await {
                warn!(%error, "drain was not announced");
            }
        });
    }
}

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::task::JoinSet;
use tonic::Code;

use crate::acknowledge::acknowledge;
use crate::client::Client;
use crate::dispatch::{StreamEvent, keep_open};
use crate::error::Error;
use crate::random;
use crate::record::present;
use crate::v1::{DispatchRequest, DispatchUnblock, PromiseRecord, PromiseRegisterListenerRequest, UnblockRef};

/// Waits for many promises over one stream. The registration is durable: an unblock is sent until it is acknowledged, over
/// reconnects and restarts of the server; this acknowledges it once the waiting callers have it. Dropping it ends the stream; what
/// was registered stays registered.
#[derive(Debug)]
pub struct UnblockListener {
    address: String,
    client: Client,
    waiting: Arc<Mutex<Waiting>>,
    _background: JoinSet<()>,
}

type Outcome = Result<PromiseRecord, Error>;

/// Who waits for what.
#[derive(Debug, Default)]
struct Waiting {
    /// By the promise's id.
    waiters: HashMap<String, Vec<Sender<Outcome>>>,
    /// Why the stream has ended for good.
    failure: Option<Error>,
}

impl UnblockListener {
    /// For unblocks that are sent to this process alone, under a new name.
    ///
    /// # Panics
    ///
    /// If the group has a slash in it: then there is no address of one process.
    pub fn new(client: &Client, group: &str) -> Self {
        Self::with_pid(client, group, &random::pid())
    }

    /// As a process with this name: what was registered before a restart of the process comes to it, too. The name is unique among
    /// the processes that run.
    ///
    /// # Panics
    ///
    /// If the group has a slash in it: then there is no address of one process.
    pub fn with_pid(client: &Client, group: &str, pid: &str) -> Self {
        assert!(!group.contains('/'), "a group with a slash has no uni address: {group:?}");
        let request = DispatchRequest {
            group: group.to_owned(),
            pid: pid.to_owned(),
            max_in_flight: Some(0),
            auto_acknowledge_unblocks: false,
        };
        let waiting = Arc::default();
        let (events, heard) = mpsc::unbounded_channel();
        let mut background = JoinSet::new();
        background.spawn(keep_open(client.clone(), request, events));
        background.spawn(distribute(client.clone(), heard, Arc::clone(&waiting)));
        Self {
            address: format!("uni@{group}/{pid}"),
            client: client.clone(),
            waiting,
            _background: background,
        }
    }

    /// Where unblocks are sent.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Registers for the promise and returns it once it is settled, at once if it is already.
    ///
    /// # Errors
    ///
    /// NOT_FOUND for an unknown promise; SESSION_REPLACED if another process has the pid of this one.
    pub async fn listen(&self, id: impl Into<String>) -> Result<PromiseRecord, Error> {
        let id = id.into();
        // Before registering: the unblock can overtake the answer.
        let mut waiter = Waiter::new(&self.waiting, &id)?;
        let request = PromiseRegisterListenerRequest {
            awaited_id: id,
            address: self.address.clone(),
        };
        let registered = async {
            match self.client.call(request).await.and_then(|response| present(response.promise)) {
                Ok(promise) if !promise.is_settled() => std::future::pending().await,
                outcome => outcome,
            }
        };
        tokio::select! {
            outcome = waiter.outcome() => outcome,
            outcome = registered => outcome,
        }
    }
}

impl Waiting {
    /// One that nobody waits for is acknowledged as well: whoever asks again gets the outcome as the answer to registering.
    fn tell(&mut self, unblock: DispatchUnblock) -> Option<UnblockRef> {
        let DispatchUnblock {
            promise: Some(promise),
            address,
        } = unblock
        else {
            return None;
        };
        for waiter in self.waiters.remove(&promise.id).unwrap_or_default() {
            // It may have left by now.
            let _ = waiter.send(Ok(promise.clone()));
        }
        Some(UnblockRef {
            promise_id: promise.id,
            address,
        })
    }

    fn fail(&mut self, error: &Error) {
        for waiter in self.waiters.drain().flat_map(|(_, waiters)| waiters) {
            let _ = waiter.send(Err(error.clone()));
        }
        self.failure = Some(error.clone());
    }
}

/// One caller's wait. Leaves nothing behind when it is dropped.
struct Waiter {
    waiting: Arc<Mutex<Waiting>>,
    id: String,
    outcome: Receiver<Outcome>,
}

impl Waiter {
    fn new(waiting: &Arc<Mutex<Waiting>>, id: &str) -> Result<Self, Error> {
        let (sender, outcome) = oneshot::channel();
        let mut all = lock(waiting);
        if let Some(failure) = &all.failure {
            return Err(failure.clone());
        }
        all.waiters.entry(id.to_owned()).or_default().push(sender);
        drop(all);
        Ok(Self {
            waiting: Arc::clone(waiting),
            id: id.to_owned(),
            outcome,
        })
    }

    async fn outcome(&mut self) -> Outcome {
        let gone = |_| Err(Error::new(Code::Cancelled, "the listener has ended"));
        (&mut self.outcome).await.unwrap_or_else(gone)
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.outcome.close();
        let mut all = lock(&self.waiting);
        if let Some(waiters) = all.waiters.get_mut(&self.id) {
            waiters.retain(|waiter| !waiter.is_closed());
            if waiters.is_empty() {
                all.waiters.remove(&self.id);
            }
        }
    }
}

/// Gives what is heard to whoever waits for it, and acknowledges it, all of one frame in one call.
async fn distribute(client: Client, mut heard: UnboundedReceiver<StreamEvent>, waiting: Arc<Mutex<Waiting>>) {
    let mut calls = JoinSet::new();
    let mut events = Vec::new();
    while heard.recv_many(&mut events, usize::MAX).await > 0 {
        let mut refs = Vec::new();
        for event in events.drain(..) {
            match event {
                StreamEvent::Unblock(unblock) => refs.extend(lock(&waiting).tell(unblock)),
                StreamEvent::Failed(error) => lock(&waiting).fail(&error),
                StreamEvent::Hello(_) | StreamEvent::Execute(_) | StreamEvent::Lapsed => {}
            }
        }
        if !refs.is_empty() {
            calls.spawn(acknowledge(client.clone(), refs));
        }
        while calls.try_join_next().is_some() {}
    }
    while calls.join_next().await.is_some() {}
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

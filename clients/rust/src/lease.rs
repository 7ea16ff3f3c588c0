use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::outcome::{RunEnd, RunOver};
use crate::v1::TaskRef;

/// A call on behalf of a task gets this long for its answer: then it is taken for lost, and there is time to ask again.
pub(crate) fn answer_deadline(ttl: Duration) -> Duration {
    const LONGEST: Duration = Duration::from_secs(10);
    (ttl / 3).min(LONGEST)
}

/// One task held under one version, for as long as this process may believe so: until `ttl` after the sending of the last call
/// that renewed it. The server counts from later, so the belief ends first.
pub(crate) struct Lease {
    pub(crate) task: TaskRef,
    pub(crate) ttl: Duration,
    ended: CancellationToken,
    giving_up: AtomicBool,
    belief: Mutex<Belief>,
}

struct Belief {
    ends_at: Instant,
    over: Option<RunOver>,
}

impl Lease {
    /// Of a task that was acquired with a call sent at `sent_at`.
    pub(crate) fn new(task: TaskRef, ttl: Duration, sent_at: Instant) -> Arc<Self> {
        let belief = Belief {
            ends_at: sent_at + ttl,
            over: None,
        };
        let lease = Arc::new(Self {
            task,
            ttl,
            ended: CancellationToken::new(),
            giving_up: AtomicBool::new(false),
            belief: Mutex::new(belief),
        });
        tokio::spawn(Arc::clone(&lease).watch());
        lease
    }

    /// Cancelled when the run is over.
    pub(crate) fn token(&self) -> &CancellationToken {
        &self.ended
    }

    /// Why the run is over. None while it is not.
    pub(crate) fn over(&self) -> Option<RunOver> {
        let mut belief = self.belief();
        // By the clock, not by a timer: after a pause of the whole process the timers come late.
        if belief.over.is_none() && Instant::now() >= belief.ends_at {
            self.end_as(&mut belief, RunEnd::Lost.into());
        }
        belief.over.clone()
    }

    /// Fails if the run is over.
    pub(crate) fn check(&self) -> Result<(), RunOver> {
        self.over().map_or(Ok(()), Err)
    }

    /// Waits until the run is over.
    pub(crate) async fn ended(&self) -> RunOver {
        self.ended.cancelled().await;
        self.over().unwrap_or(RunEnd::Lost.into())
    }

    /// How much longer the lease may be relied on.
    pub(crate) fn left(&self) -> Duration {
        self.belief().ends_at.saturating_duration_since(Instant::now())
    }

    /// The server has renewed the lease, with a call sent at `sent_at`.
    pub(crate) fn renew(&self, sent_at: Instant) {
        if self.over().is_none() {
            let mut belief = self.belief();
            belief.ends_at = belief.ends_at.max(sent_at + self.ttl);
        }
    }

    /// Ends the run. The first reason stands, and is returned.
    pub(crate) fn end(&self, over: impl Into<RunOver>) -> RunOver {
        self.end_as(&mut self.belief(), over.into())
    }

    /// Until it is dropped, the task is being given up (suspended, fulfilled or released): an offer of it is then no sign of loss.
    pub(crate) fn give_up(&self) -> GivingUp<'_> {
        self.giving_up.store(true, Ordering::SeqCst);
        GivingUp(self)
    }

    /// The server offers the task to others: unless it is just being given up, it is lost.
    pub(crate) fn offered(&self) {
        if !self.giving_up.load(Ordering::SeqCst) {
            self.end(RunEnd::Lost);
        }
    }

    fn belief(&self) -> MutexGuard<'_, Belief> {
        self.belief.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_as(&self, belief: &mut Belief, over: RunOver) -> RunOver {
        let first = belief.over.get_or_insert(over).clone();
        self.ended.cancel();
        first
    }

    /// Ends the run when the lease does.
    async fn watch(self: Arc<Self>) {
        while self.over().is_none() {
            let ends_at = self.belief().ends_at;
            tokio::select! {
                () = self.ended.cancelled() => {}
                () = sleep_until(ends_at) => {}
            }
        }
    }
}

/// See [`Lease::give_up`].
pub(crate) struct GivingUp<'a>(&'a Lease);

impl Drop for GivingUp<'_> {
    fn drop(&mut self) {
        self.0.giving_up.store(false, Ordering::SeqCst);
    }
}

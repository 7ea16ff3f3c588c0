use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tracing::warn;

use crate::client::Client;
use crate::lease::Lease;
use crate::v1::{TaskHeartbeatRequest, TaskRef};

/// So many of the longest ids fit into the smallest request that a server allows by default.
const TASKS_IN_ONE_CALL: usize = 1_000;

/// Renews every lease of this process in one call, three times within each ttl.
pub(crate) struct Heartbeats {
    client: Client,
    pid: String,
    interval: Duration,
    leases: Mutex<BTreeMap<String, Arc<Lease>>>,
}

impl Heartbeats {
    pub(crate) fn new(client: Client, pid: String, ttl: Duration) -> Self {
        Self {
            client,
            pid,
            interval: (ttl / 3).max(Duration::from_millis(1)),
            leases: Mutex::default(),
        }
    }

    /// Renews this one from now on, until the guard is dropped.
    pub(crate) fn add(&self, lease: Arc<Lease>) -> Kept<'_> {
        self.leases().insert(lease.task.id.clone(), Arc::clone(&lease));
        Kept { heartbeats: self, lease }
    }

    /// Renews for ever.
    pub(crate) async fn keep_beating(&self) {
        let mut ticks = interval_at(Instant::now() + self.interval, self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.beat().await;
        }
    }

    /// Renews now. A lease that cannot be renewed ends by itself.
    pub(crate) async fn beat(&self) {
        let mut leases: Vec<_> = self.leases().values().cloned().collect();
        // What has ended meanwhile, if only by the clock, is not to be revived.
        leases.retain(|lease| lease.over().is_none());
        for leases in leases.chunks(TASKS_IN_ONE_CALL) {
            self.renew(leases).await;
        }
    }

    async fn renew(&self, leases: &[Arc<Lease>]) {
        let tasks: Vec<TaskRef> = leases.iter().map(|lease| lease.task.clone()).collect();
        let pid = self.pid.clone();
        let sent_at = Instant::now();
        match self
            .client
            .call_within(self.interval, TaskHeartbeatRequest { pid, tasks })
            .await
        {
            Ok(_) => leases.iter().for_each(|lease| lease.renew(sent_at)),
            Err(error) => warn!(%error, tasks = leases.len(), "heartbeat failed"),
        }
    }

    fn leases(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Lease>>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lease that is renewed.
pub(crate) struct Kept<'a> {
    heartbeats: &'a Heartbeats,
    lease: Arc<Lease>,
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.heartbeats.leases().remove(&self.lease.task.id);
    }
}

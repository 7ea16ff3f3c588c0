use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// More than this many failing tasks are not told apart for ever: the oldest are forgotten.
const REMEMBERED: usize = 10_000;

/// How often each task has failed in a row, in this process.
#[derive(Default)]
pub(crate) struct Failures(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// By the task's id: when it last failed, and how often.
    tasks: HashMap<String, (u64, u32)>,
    /// Of all of them.
    total: u64,
}

impl Failures {
    /// Counts one more failure and returns how many there were before.
    pub(crate) fn add(&self, task_id: &str) -> u32 {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.total += 1;
        let now = counts.total;
        let (last, failures) = counts.tasks.entry(task_id.to_owned()).or_default();
        let earlier = *failures;
        *last = now;
        *failures = earlier.saturating_add(1);
        if counts.tasks.len() > REMEMBERED {
            counts.forget_oldest();
        }
        earlier
    }

    /// It made progress.
    pub(crate) fn clear(&self, task_id: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.tasks.remove(task_id);
    }
}

impl Counts {
    fn forget_oldest(&mut self) {
        let oldest = self.tasks.iter().min_by_key(|(_, (last, _))| *last);
        if let Some(task_id) = oldest.map(|(task_id, _)| task_id.clone()) {
            self.tasks.remove(&task_id);
        }
    }
}

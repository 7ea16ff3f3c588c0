//! What the worker of the conformance test says about itself, a line each.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Mutex;

use resonate_grpc::{HandlerResult, PromiseRecord, Reject, RunEnd, TaskContext};

/// Prints a line; it is out when this returns.
pub fn say(line: &str) {
    let mut out = io::stdout().lock();
    // Nobody listens any more: then there is nobody to tell that, either.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// The handler's work, saying when it begins and how it ends: by itself, or because its run is over.
pub async fn reported(context: TaskContext, work: impl Future<Output = HandlerResult>) -> HandlerResult {
    let task = context.task();
    say(&format!("started {} {}", task.id, task.version));
    let mut end = End {
        context: &context,
        how: None,
    };
    let result = work.await;
    end.how = Some(match &result {
        _ if context.over().is_some() => return result,
        Ok(_) => "returned",
        Err(error) if error.is::<Reject>() => "rejected",
        Err(_) => "failed",
    });
    result
}

/// Says it when it is dropped: a run that is over drops the handler's future.
struct End<'a> {
    context: &'a TaskContext,
    how: Option<&'static str>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        let how = self.how.unwrap_or_else(|| match self.context.over().map(|over| over.end) {
            Some(RunEnd::Suspended) => "suspended",
            Some(RunEnd::Lost) => "lost",
            Some(RunEnd::Stopped) => "stopped",
            // It has panicked.
            Some(RunEnd::Finished) | None => "failed",
        });
        let task = self.context.task();
        say(&format!("ended {} {} {how}", task.id, task.version));
    }
}

/// Says which unblocks come.
#[derive(Default)]
pub struct Unblocks {
    failed: Mutex<HashSet<String>>,
}

impl Unblocks {
    /// Fails the first time that one comes for a promise which asks for it.
    pub fn hear(&self, promise: &PromiseRecord, address: &str) -> HandlerResult<()> {
        say(&format!("unblocked {} {address}", promise.id));
        let twice = promise.tags.get("conformance:unblock").is_some_and(|tag| tag == "twice");
        if twice && self.failed.lock().unwrap().insert(promise.id.clone()) {
            return Err("the first time fails".into());
        }
        Ok(())
    }
}

//! What a handler may fail with on purpose, and what ends its run from outside.

use std::error::Error as StdError;
use std::fmt;

use crate::error::Error;
use crate::v1::Value;

/// A handler that fails with this rejects its promise with the value. Any other error is a failed attempt, and is retried.
#[derive(Clone, Debug, PartialEq)]
pub struct Reject {
    /// What the promise is rejected with.
    pub value: Value,
    /// Why, for people.
    pub message: String,
}

impl Reject {
    /// Rejects with this value.
    pub fn new(value: impl Into<Value>) -> Self {
        Self {
            value: value.into(),
            message: "rejected".to_owned(),
        }
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Reject {}

/// Why a run of a handler is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The task waits for a promise. Its handler is called again, from its start, when that has settled.
    Suspended,
    /// The lease is lost, or must be taken for lost: somebody else may hold the task.
    Lost,
    /// The worker stops and gives the task back.
    Stopped,
    /// The handler has returned.
    Finished,
}

/// This run of the handler is over: its future is dropped at its next `await`, and every call of its `TaskContext` fails with
/// this. Whatever it still does has no effect on the task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunOver {
    /// Why.
    pub end: RunEnd,
    /// The refusal that showed it, if it was one.
    pub cause: Option<Error>,
}

impl From<RunEnd> for RunOver {
    fn from(end: RunEnd) -> Self {
        Self { end, cause: None }
    }
}

impl fmt::Display for RunOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = match self.end {
            RunEnd::Suspended => "suspended",
            RunEnd::Lost => "lost",
            RunEnd::Stopped => "stopped",
            RunEnd::Finished => "finished",
        };
        write!(f, "this run of the handler is over: {end}")
    }
}

impl StdError for RunOver {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}

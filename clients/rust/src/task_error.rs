use std::error::Error as StdError;
use std::fmt;

use crate::error::Error;
use crate::outcome::RunOver;

/// Why a call of a `TaskContext` failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskError {
    /// The run is over: nothing more is to be done about the task here.
    Over(RunOver),
    /// The server refused this call. The run goes on.
    Call(Error),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(over) => over.fmt(f),
            Self::Call(error) => error.fmt(f),
        }
    }
}

impl StdError for TaskError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Over(over) => over.source(),
            Self::Call(error) => error.source(),
        }
    }
}

impl From<RunOver> for TaskError {
    fn from(over: RunOver) -> Self {
        Self::Over(over)
    }
}

impl From<Error> for TaskError {
    fn from(error: Error) -> Self {
        Self::Call(error)
    }
}

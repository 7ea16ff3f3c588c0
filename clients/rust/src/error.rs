use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::fmt;

use tonic::{Code, Status, TimeoutExpired};

use crate::error_details::ErrorInfo;
use crate::v1::{Reason, Refusal};

/// What the names of the enum `Reason` begin with, and those of `ErrorInfo` do not.
const REASON_PREFIX: &str = "REASON_";

/// Why a call failed: refused by the server, cut off by the network, or past its deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The gRPC status code.
    pub code: Code,
    /// Why, for programs: a name of the enum `Reason` without its prefix. Absent when the error is not from the server itself but
    /// from the network, a proxy or gRPC. See [`Error::is`].
    pub reason: Option<String>,
    /// The protocol's number: 404, 409, 422 or 501. Absent when the protocol has none for it.
    pub status: Option<u16>,
    /// The facts behind the reason, as `refusal.proto` lists them.
    pub metadata: BTreeMap<String, String>,
    /// Why, for people.
    pub message: String,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            reason: None,
            status: None,
            metadata: BTreeMap::new(),
            message: message.into(),
        }
    }

    /// The server refused for this reason.
    pub fn is(&self, reason: Reason) -> bool {
        self.reason.as_deref() == Some(name_of(reason))
    }

    /// The server or the network is in trouble, and the call may do better later. Whether it has already taken effect is open.
    pub fn is_transient(&self) -> bool {
        match self.code {
            Code::Unavailable | Code::DeadlineExceeded => true,
            Code::ResourceExhausted => self.is(Reason::Overloaded) || self.is(Reason::StorageFull),
            // Without a reason it is not from our server: a stream that was reset on the way.
            Code::Cancelled | Code::Internal | Code::Unknown => self.reason.is_none(),
            _ => false,
        }
    }

    /// The refusal says that `pid` holds the task under `version`: an earlier answer to that holder was lost, and it goes on.
    pub(crate) fn shows_holder(&self, pid: &str, version: i64) -> bool {
        let fact = |name| self.metadata.get(name).map(String::as_str);
        self.code == Code::Aborted && fact("task_pid") == Some(pid) && fact("task_version") == Some(version.to_string().as_str())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Some(reason) => write!(f, "{:?} ({reason}): {}", self.code, self.message),
            None => write!(f, "{:?}: {}", self.code, self.message),
        }
    }
}

impl StdError for Error {}

/// With the server's `ErrorInfo` unpacked.
impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let info = ErrorInfo::unpack(status.details()).unwrap_or_default();
        Self {
            code: code_of(&status),
            status: info.metadata.get("status").and_then(|number| number.parse().ok()),
            reason: (!info.reason.is_empty()).then_some(info.reason),
            metadata: info.metadata,
            message: status.message().to_owned(),
        }
    }
}

/// The inner refusal of a fence, as the error that the inner call would have met.
impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self {
            code: match refusal.protocol_status {
                404 => Code::NotFound,
                409 => Code::Aborted,
                422 => Code::FailedPrecondition,
                501 => Code::Unimplemented,
                _ => Code::Unknown,
            },
            reason: Some(name_of(refusal.reason()).to_owned()),
            status: refusal.protocol_status.try_into().ok(),
            metadata: refusal.metadata,
            message: refusal.message,
        }
    }
}

fn name_of(reason: Reason) -> &'static str {
    reason.as_str_name().trim_start_matches(REASON_PREFIX)
}

/// tonic calls it UNKNOWN when a connection breaks, and CANCELLED when a deadline passes.
fn code_of(status: &Status) -> Code {
    let mut source = status.source();
    if source.is_none() {
        return status.code();
    }
    while let Some(cause) = source {
        if cause.is::<TimeoutExpired>() {
            return Code::DeadlineExceeded;
        }
        source = cause.source();
    }
    match status.code() {
        Code::Cancelled | Code::Internal | Code::Unknown => Code::Unavailable,
        code => code,
    }
}

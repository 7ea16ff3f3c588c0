use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tonic::Code;

use crate::error::Error;
use crate::outcome::Reject;
use crate::v1::{PromiseRecord, PromiseState, Value};

impl PromiseRecord {
    /// The promise has its outcome, which never changes.
    pub fn is_settled(&self) -> bool {
        self.settled_at_ms.is_some()
    }

    /// When it was created, by the server's clock.
    pub fn created_at(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.created_at_ms.try_into().unwrap_or_default())
    }

    /// What the promise resolved with; or what it was rejected with, as the error: a handler that lets it pass rejects its own
    /// promise in turn.
    ///
    /// # Errors
    ///
    /// If the promise was rejected or canceled, or timed out.
    ///
    /// # Panics
    ///
    /// If the promise is pending: see [`PromiseRecord::is_settled`].
    pub fn outcome(self) -> Result<Value, Reject> {
        assert!(self.is_settled(), "promise {:?} is pending", self.id);
        let state = self.state();
        let value = self.value.unwrap_or_default();
        if state == PromiseState::Resolved {
            return Ok(value);
        }
        let name = state.as_str_name().trim_start_matches("PROMISE_STATE_");
        let message = format!("promise {:?} is {name}", self.id);
        Err(Reject { value, message })
    }
}

/// The record that every answer of this kind carries.
pub(crate) fn present(record: Option<PromiseRecord>) -> Result<PromiseRecord, Error> {
    record.ok_or_else(|| Error::new(Code::Internal, "the answer carries no promise"))
}

/// The last instant that the proto can name.
pub(crate) const LAST_MS: i64 = (1 << 53) - 1;

/// An instant as the proto has it: never before it, and within what can be named.
pub(crate) fn to_ms(instant: SystemTime) -> i64 {
    let since = instant.duration_since(UNIX_EPOCH).unwrap_or_default();
    let ms = since.as_nanos().div_ceil(1_000_000);
    i64::try_from(ms).map_or(LAST_MS, |ms| ms.min(LAST_MS))
}

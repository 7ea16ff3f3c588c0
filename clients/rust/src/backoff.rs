use std::time::Duration;

use crate::random;

/// An exponential back-off: doubled with each failure in a row, and cut by up to half at random, so that many clients do not
/// come back at the same instant, and none at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The longest first delay.
    pub initial: Duration,
    /// The longest delay of all.
    pub longest: Duration,
}

impl Backoff {
    /// For calls and streams that met a server or a network in trouble.
    pub(crate) const CALL: Backoff = Backoff {
        initial: Duration::from_millis(100),
        longest: Duration::from_secs(5),
    };
    /// For a task whose handler failed.
    pub(crate) const ATTEMPT: Backoff = Backoff {
        initial: Duration::from_secs(1),
        longest: Duration::from_secs(60),
    };
    /// After a drain all clients of a server come back at about the same time: this spreads them.
    pub(crate) const DRAIN: Backoff = Backoff {
        initial: Duration::from_secs(2),
        longest: Duration::from_secs(2),
    };

    /// The delay after so many earlier failures.
    pub(crate) fn delay(self, failures: u32) -> Duration {
        let longest = 2u32
            .checked_pow(failures)
            .and_then(|factor| self.initial.checked_mul(factor))
            .map_or(self.longest, |delay| delay.min(self.longest));
        longest.mul_f64(1.0 - random::unit() / 2.0)
    }
}

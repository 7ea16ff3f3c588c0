//! Chance, from the seeds that the standard library gives its hash maps: enough for jitter and for names.

use std::hash::{BuildHasher, RandomState};
use std::process;

/// From 0 (inclusive) to 1 (exclusive).
pub(crate) fn unit() -> f64 {
    // As many bits as a float can hold.
    (bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// A process name that no other process has: the number is for people.
pub(crate) fn pid() -> String {
    format!("{}-{:016x}{:016x}", process::id(), bits(), bits())
}

fn bits() -> u64 {
    RandomState::new().hash_one(0)
}

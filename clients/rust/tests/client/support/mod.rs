//! What the tests stand on. Time stands still in all of them, and goes on when everybody waits for it: so a test takes no time, and
//! what happens first is the same on a slow machine.

pub mod fixture;
pub mod records;
pub mod refusal;
pub mod runs;
pub mod server;
pub mod stream;

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// As a duration.
pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Lets everything happen that does not wait for the time.
pub async fn settle() {
    sleep(ms(1)).await;
}

/// That long after the instant, or up to half of it less, as a back-off is.
pub fn assert_backed_off(since: Instant, longest: Duration) {
    let took = since.elapsed();
    // Timers are counted in whole milliseconds, and the test itself has waited a few.
    let range = longest / 2..=longest + ms(10);
    assert!(range.contains(&took), "{took:?} is not a back-off of {longest:?}");
}

use std::{io, process};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::info;

/// What a shell reports of a process that this signal ended.
const EXIT_CODE_OF_SIGNAL: i32 = 128;

/// Completes on the first SIGTERM or SIGINT: for [`Worker::run_until`](crate::Worker::run_until). A second one ends the process on
/// the spot.
///
/// # Errors
///
/// If the process cannot listen to signals.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut signals = Signals {
        terminate: signal(SignalKind::terminate())?,
        interrupt: signal(SignalKind::interrupt())?,
    };
    Ok(async move {
        let first = signals.next().await;
        info!(signal = first.as_raw_value(), "draining");
        tokio::spawn(async move {
            let second = signals.next().await;
            process::exit(EXIT_CODE_OF_SIGNAL + second.as_raw_value());
        });
    })
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
        }
    }
}

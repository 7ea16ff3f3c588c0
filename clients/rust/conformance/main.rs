//! The worker of the conformance test: see test/conformance/README.md.

mod handlers;
mod report;

use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;
use std::{env, io};

use resonate_grpc::{BoxError, Client, Worker, shutdown_signal};

use crate::report::{Unblocks, reported, say};

#[tokio::main]
async fn main() -> Result<ExitCode, BoxError> {
    tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false).init();
    let pid: String = variable("RESONATE_PID")?;
    let holder = pid.clone();
    let unblocks = Unblocks::default();
    let client = Client::new(&variable::<String>("RESONATE_ADDRESS")?)?;
    let worker = Worker::new(&client, variable::<String>("RESONATE_GROUP")?, move |context| {
        reported(context.clone(), handlers::handle(context, holder.clone()))
    })
    .pid(pid)
    .max_in_flight(variable("RESONATE_MAX_IN_FLIGHT")?)
    .ttl(Duration::from_millis(variable("RESONATE_TTL_MS")?))
    .grace(Duration::from_millis(variable("RESONATE_GRACE_MS")?))
    .on_connected(|| say("ready"))
    .on_unblock(move |promise, address| {
        let handled = unblocks.hear(&promise, &address);
        async move { handled }
    });
    match worker.run_until(shutdown_signal()?).await {
        Ok(()) => {
            say("stopped");
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let reason = error.reason.unwrap_or_else(|| format!("{:?}", error.code));
            say(&format!("fatal {reason}"));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn variable<T: FromStr>(name: &str) -> Result<T, BoxError>
where
    BoxError: From<T::Err>,
{
    let text = env::var(name).map_err(|error| format!("{name}: {error}"))?;
    Ok(text.parse()?)
}

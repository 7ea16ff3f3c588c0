use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Streaming};

use crate::backoff::Backoff;
use crate::call::Call;
use crate::error::Error;
use crate::record::present;
use crate::v1::dispatch_service_client::DispatchServiceClient;
use crate::v1::{DispatchRequest, DispatchResponse, PromiseCreateRequest, PromiseRecord, PromiseWaitRequest};
use crate::work::Work;

const DEFAULT_DEADLINE: Duration = Duration::from_secs(30);
/// The server's library takes longer deadlines for ones that have passed.
const LONGEST_DEADLINE: Duration = Duration::from_secs(24 * 86_400);
/// One PromiseWait: proxies cut calls that are silent for long.
const WAIT_SLICE: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection that a network swallowed is found out even while only a Dispatch stream is open.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(30);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// A typed client: [`call`](Client::call) makes any unary RPC, and [`invoke`](Client::invoke) and [`wait`](Client::wait) are the
/// caller's side of durable work. Cheap to clone. Dropping the future of a call cancels it.
#[derive(Clone, Debug)]
pub struct Client {
    channel: Channel,
    deadline: Duration,
}

impl Client {
    /// Of the server at `host:port`, without TLS. It connects with the first call, and again whenever it must. To be called from
    /// within a tokio runtime.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if that is no address.
    pub fn new(address: &str) -> Result<Self, Error> {
        let endpoint = Endpoint::from_shared(format!("http://{address}"))
            .map_err(|error| Error::new(Code::InvalidArgument, format!("{address:?} is no address: {error}")))?;
        Ok(Self::with_channel(
            endpoint
                .connect_timeout(CONNECT_TIMEOUT)
                .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
                .keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
                .connect_lazy(),
        ))
    }

    /// On a channel of your own: with TLS, say.
    pub fn with_channel(channel: Channel) -> Self {
        Self {
            channel,
            deadline: DEFAULT_DEADLINE,
        }
    }

    /// The same with another time that a call may take, its retries included, unless it says otherwise. By default 30 s.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Makes the unary RPC that takes this request. Those of which the proto says that a retry is always safe are retried on
    /// UNAVAILABLE, with jittered back-off, until their deadline; no other call and no other error is ever retried.
    ///
    /// # Errors
    ///
    /// If the server refuses it, or is not to be reached.
    pub async fn call<R: Call>(&self, request: R) -> Result<R::Response, Error> {
        self.call_within(self.deadline, request).await
    }

    /// The same with a deadline of its own, counted from now. Over 24 days the server is not told of it.
    ///
    /// # Errors
    ///
    /// If the server refuses it, or is not to be reached.
    pub async fn call_within<R: Call>(&self, deadline: Duration, request: R) -> Result<R::Response, Error> {
        let begun = Instant::now();
        let mut failures = 0;
        loop {
            let left = deadline.saturating_sub(begun.elapsed());
            let error = match self.attempt(left, request.clone()).await {
                Err(error) if R::RETRY_SAFE && error.code == Code::Unavailable => error,
                outcome => return outcome,
            };
            let delay = Backoff::CALL.delay(failures);
            if begun.elapsed() + delay >= deadline {
                return Err(error);
            }
            sleep(delay).await;
            failures += 1;
        }
    }

    /// Opens a Dispatch stream as it is: no deadline, no reconnect. A [`Worker`](crate::Worker) keeps one open.
    ///
    /// # Errors
    ///
    /// If the server refuses it, or is not to be reached.
    pub async fn dispatch(&self, request: DispatchRequest) -> Result<Streaming<DispatchResponse>, Error> {
        let mut client = DispatchServiceClient::new(self.channel.clone()).max_decoding_message_size(usize::MAX);
        Ok(client.dispatch(request).await?.into_inner())
    }

    /// Waits until the promise is settled and returns it, over restarts of the server. For as long as it takes: to wait less, use
    /// `tokio::time::timeout`.
    ///
    /// # Errors
    ///
    /// NOT_FOUND for an unknown promise.
    pub async fn wait(&self, id: impl Into<String>) -> Result<PromiseRecord, Error> {
        let request = PromiseWaitRequest { id: id.into() };
        let mut failures = 0;
        loop {
            let error = match self.call_within(WAIT_SLICE, request.clone()).await {
                Ok(response) => return present(response.promise),
                Err(error) if error.is_transient() => error,
                Err(error) => return Err(error),
            };
            sleep(Backoff::CALL.delay(failures)).await;
            // A slice that passed quietly is no failure.
            failures = if error.code == Code::DeadlineExceeded {
                0
            } else {
                failures + 1
            };
        }
    }

    /// Creates the work, or finds it under its id, and waits for its outcome as `wait` does. Calling it again with the same id, from
    /// any process, waits for the same work. See [`PromiseRecord::outcome`] for the value.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT for work without a deadline, and whatever else the server refuses in it.
    pub async fn invoke(&self, work: Work) -> Result<PromiseRecord, Error> {
        let promise = self.create(work).await?;
        self.wait(promise.id).await
    }

    /// Creates the work, or finds it under its id, and returns its promise as it stands.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT for work without a deadline, and whatever else the server refuses in it.
    pub async fn create(&self, work: Work) -> Result<PromiseRecord, Error> {
        let promise = Some(work.into_spec(None)?);
        present(self.call(PromiseCreateRequest { promise }).await?.promise)
    }

    async fn attempt<R: Call>(&self, deadline: Duration, message: R) -> Result<R::Response, Error> {
        let mut request = Request::new(message);
        if deadline <= LONGEST_DEADLINE {
            request.set_timeout(deadline);
        }
        match timeout(deadline, R::send(self.channel.clone(), request)).await {
            Ok(outcome) => Ok(outcome?.into_inner()),
            Err(_) => Err(Error::new(Code::DeadlineExceeded, "no answer came within the deadline")),
        }
    }
}

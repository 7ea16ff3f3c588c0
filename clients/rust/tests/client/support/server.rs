//! A server without a mind of its own, at the other end of a pipe: a test takes each call as it comes and says what it answers.

use std::any::type_name;
use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use http::{HeaderMap, HeaderValue, Request, Response};
use hyper_util::rt::TokioIo;
use prost::Message;
use resonate_grpc::tonic::Status;
use resonate_grpc::tonic::transport::Endpoint;
use resonate_grpc::{Call, Client};
use tokio::io::{DuplexStream, duplex};
use tokio::sync::Notify;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;
use tower::service_fn;

use super::refusal::Refusal;
use super::stream::ScriptedStream;

/// Longer than any delay of the client's: then it does not come any more.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Clone, Default)]
pub struct Server(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// By the name of the RPC.
    calls: Mutex<HashMap<String, VecDeque<RawCall>>>,
    came: Notify,
    connections: Mutex<Vec<AbortHandle>>,
    down: Mutex<bool>,
}

impl Server {
    /// A client of it.
    pub fn client(&self) -> Client {
        let server = self.clone();
        let connector = service_fn(move |_| {
            let pipe = server.connect();
            async move { pipe.map(TokioIo::new) }
        });
        Client::with_channel(Endpoint::from_static("http://scripted").connect_with_connector_lazy(connector))
    }

    /// Cuts every connection, and takes no new one until `start`.
    pub fn kill(&self) {
        *self.0.down.lock().unwrap() = true;
        self.cut();
    }

    pub fn start(&self) {
        *self.0.down.lock().unwrap() = false;
    }

    /// Cuts every connection.
    pub fn cut(&self) {
        self.0
            .connections
            .lock()
            .unwrap()
            .drain(..)
            .for_each(|connection| connection.abort());
    }

    /// The next call with this request.
    pub async fn next<R: Call + Message + Default>(&self) -> ScriptedCall<R> {
        let raw = self.take(&rpc_of::<R>()).await;
        ScriptedCall {
            request: R::decode(raw.body.clone()).unwrap(),
            raw,
            answered: PhantomData,
        }
    }

    /// How many such calls have come and have not been taken.
    pub fn waiting<R: Call>(&self) -> usize {
        self.0.calls.lock().unwrap().get(&rpc_of::<R>()).map_or(0, VecDeque::len)
    }

    /// The next Dispatch stream.
    pub async fn stream(&self) -> ScriptedStream {
        let raw = self.take("Dispatch").await;
        ScriptedStream::open(raw)
    }

    async fn take(&self, rpc: &str) -> RawCall {
        let look = async {
            loop {
                let came = self.0.came.notified();
                let call = self.0.calls.lock().unwrap().get_mut(rpc).and_then(VecDeque::pop_front);
                match call {
                    Some(call) => return call,
                    None => came.await,
                }
            }
        };
        timeout(PATIENCE, look).await.unwrap_or_else(|_| panic!("{rpc} did not come"))
    }

    fn connect(&self) -> io::Result<DuplexStream> {
        if *self.0.down.lock().unwrap() {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        let (ours, theirs) = duplex(64 << 10);
        let connection = tokio::spawn(self.clone().serve(ours));
        self.0.connections.lock().unwrap().push(connection.abort_handle());
        Ok(theirs)
    }

    async fn serve(self, pipe: DuplexStream) {
        let mut connection = h2::server::handshake(pipe).await.unwrap();
        let mut reading = JoinSet::new();
        while let Some(Ok((request, respond))) = connection.accept().await {
            reading.spawn(self.clone().hear(request, respond));
        }
    }

    async fn hear(self, request: Request<RecvStream>, respond: SendResponse<Bytes>) {
        let (head, mut body) = request.into_parts();
        let mut received = BytesMut::new();
        while let Some(Ok(chunk)) = body.data().await {
            body.flow_control().release_capacity(chunk.len()).unwrap();
            received.extend_from_slice(&chunk);
        }
        let rpc = head.uri.path().rsplit('/').next().unwrap().to_owned();
        let call = RawCall {
            headers: head.headers,
            // A flag and a length come before the message.
            body: received.split_off(5).freeze(),
            respond,
        };
        self.0.calls.lock().unwrap().entry(rpc).or_default().push_back(call);
        self.0.came.notify_waiters();
    }
}

/// `TaskGet` of `TaskGetRequest`.
fn rpc_of<R>() -> String {
    let name = type_name::<R>().rsplit("::").next().unwrap();
    name.strip_suffix("Request").unwrap().to_owned()
}

pub struct RawCall {
    pub headers: HeaderMap,
    pub body: Bytes,
    respond: SendResponse<Bytes>,
}

impl RawCall {
    /// Sends the head of the answer.
    pub fn begin(&mut self) -> SendStream<Bytes> {
        let head = Response::builder()
            .header("content-type", "application/grpc")
            .body(())
            .unwrap();
        self.respond.send_response(head, false).unwrap()
    }
}

/// A unary call that waits for its answer.
pub struct ScriptedCall<R> {
    pub request: R,
    raw: RawCall,
    answered: PhantomData<R>,
}

impl<R: Call<Response: Message>> ScriptedCall<R> {
    pub fn reply(mut self, response: R::Response) {
        let mut body = self.raw.begin();
        body.send_data(framed(&response), false).unwrap();
        body.send_trailers(trailers(&Status::ok(""))).unwrap();
    }

    pub fn refuse(mut self, refusal: &Refusal) {
        self.raw.begin().send_trailers(trailers(&refusal.to_status())).unwrap();
    }

    /// What a client sees when something on the way breaks before the answer.
    pub fn lose(self) {
        self.refuse(&Refusal::bare(resonate_grpc::Code::Unavailable, "Connection dropped"));
    }

    /// Resets the HTTP/2 stream of this call alone.
    pub fn reset(mut self) {
        self.raw.respond.send_reset(Reason::INTERNAL_ERROR);
    }

    /// Waits until the client has given the call up.
    pub async fn cancelled(mut self) {
        let given_up = poll_fn(|context| self.raw.respond.poll_reset(context));
        let reset = timeout(PATIENCE, given_up).await.expect("the call was not given up");
        assert_eq!(reset.unwrap(), Reason::CANCEL);
    }

    pub fn header(&self, name: &str) -> Option<&HeaderValue> {
        self.raw.headers.get(name)
    }
}

/// As gRPC has it on the wire.
pub fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.encoded_len().try_into().unwrap());
    message.encode(&mut frame).unwrap();
    frame.freeze()
}

pub fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    status.add_header(&mut trailers).unwrap();
    trailers
}

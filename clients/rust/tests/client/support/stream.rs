//! An open Dispatch stream.

use std::future::poll_fn;
use std::time::Duration;

use bytes::Bytes;
use h2::{Reason, SendStream};
use prost::Message;
use resonate_grpc::PromiseRecord;
use resonate_grpc::tonic::Status;
use resonate_grpc::v1::dispatch_event::Event;
use resonate_grpc::v1::{
    DispatchEvent, DispatchExecute, DispatchHello, DispatchPing, DispatchRequest, DispatchResponse, DispatchServerDrain,
    DispatchUnblock,
};
use tokio::time::timeout;

use super::refusal::Refusal;
use super::server::{RawCall, framed, trailers};

const PATIENCE: Duration = Duration::from_secs(600);
/// So that a test in which the server is silent is not about that.
const PING_INTERVAL_MS: i64 = 600_000;

pub struct ScriptedStream {
    pub request: DispatchRequest,
    /// Without a deadline there is no such header.
    pub has_deadline: bool,
    body: SendStream<Bytes>,
}

impl ScriptedStream {
    pub fn open(mut call: RawCall) -> Self {
        Self {
            request: DispatchRequest::decode(call.body.clone()).unwrap(),
            has_deadline: call.headers.contains_key("grpc-timeout"),
            body: call.begin(),
        }
    }

    /// One frame. None is an event of a kind that the client does not know.
    pub fn send(&mut self, events: impl IntoIterator<Item = Option<Event>>) {
        let events = events.into_iter().map(|event| DispatchEvent { event }).collect();
        // The client may have left: then that is what the test is about.
        let _ = self.body.send_data(framed(&DispatchResponse { events }), false);
    }

    pub fn hello(&mut self, session_id: &str) {
        self.hello_with(session_id, PING_INTERVAL_MS);
    }

    pub fn hello_with(&mut self, session_id: &str, ping_interval_ms: i64) {
        let hello = DispatchHello {
            session_id: session_id.to_owned(),
            ping_interval_ms,
            ..DispatchHello::default()
        };
        self.send([Some(Event::Hello(hello))]);
    }

    pub fn execute(&mut self, task_id: &str, version: i64) {
        self.send([Some(execute(task_id, version))]);
    }

    pub fn unblock(&mut self, promises: impl IntoIterator<Item = PromiseRecord>, address: &str) {
        self.send(promises.into_iter().map(|promise| {
            let address = address.to_owned();
            Some(Event::Unblock(DispatchUnblock {
                promise: Some(promise),
                address,
            }))
        }));
    }

    pub fn ping(&mut self) {
        self.send([Some(Event::Ping(DispatchPing {}))]);
    }

    pub fn drain(&mut self) {
        self.send([Some(Event::Drain(DispatchServerDrain {}))]);
    }

    pub fn fail(&mut self, refusal: &Refusal) {
        self.body.send_trailers(trailers(&refusal.to_status())).unwrap();
    }

    /// With OK, as the real server never does.
    pub fn end(&mut self) {
        self.body.send_trailers(trailers(&Status::ok(""))).unwrap();
    }

    /// Waits until the client has left it.
    pub async fn cancelled(&mut self) {
        let left = poll_fn(|context| self.body.poll_reset(context));
        let reset = timeout(PATIENCE, left).await.expect("the stream was not left");
        assert_eq!(reset.unwrap(), Reason::CANCEL);
    }
}

pub fn execute(task_id: &str, version: i64) -> Event {
    let task_id = task_id.to_owned();
    Event::Execute(DispatchExecute { task_id, version })
}

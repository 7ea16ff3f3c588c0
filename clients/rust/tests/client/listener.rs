//! The caller that waits on one stream for many promises.

use resonate_grpc::v1::{
    DispatchAcknowledgeRequest, DispatchAcknowledgeResponse, PromiseRegisterListenerRequest, PromiseRegisterListenerResponse,
};
use resonate_grpc::{Client, Code, PromiseRecord, Reason, UnblockListener};
use tokio::time::timeout;

use crate::support::records::{pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::server::Server;
use crate::support::stream::ScriptedStream;
use crate::support::{ms, settle};

const ADDRESS: &str = "uni@callers/c/1";

struct Fixture {
    server: Server,
    client: Client,
    listener: UnblockListener,
}

async fn open() -> (Fixture, ScriptedStream) {
    let server = Server::default();
    let client = server.client();
    let listener = UnblockListener::with_pid(&client, "callers", "c/1");
    let mut stream = server.stream().await;
    stream.hello("session");
    (
        Fixture {
            server,
            client,
            listener,
        },
        stream,
    )
}

impl Fixture {
    /// Answers the next registration.
    async fn register(&self, id: &str, answer: PromiseRecord) {
        let register = self.server.next::<PromiseRegisterListenerRequest>().await;
        assert_eq!(
            (register.request.awaited_id.as_str(), register.request.address.as_str()),
            (id, ADDRESS)
        );
        register.reply(PromiseRegisterListenerResponse { promise: Some(answer) });
        settle().await;
    }

    async fn acknowledged(&self) -> Vec<String> {
        let call = self.server.next::<DispatchAcknowledgeRequest>().await;
        assert!(call.request.unblocks.iter().all(|unblock| unblock.address == ADDRESS));
        let ids = call
            .request
            .unblocks
            .iter()
            .map(|unblock| unblock.promise_id.clone())
            .collect();
        call.reply(DispatchAcknowledgeResponse {});
        ids
    }
}

#[tokio::test(start_paused = true)]
async fn it_takes_no_tasks_and_acknowledges_for_itself() {
    let (f, stream) = open().await;
    let request = &stream.request;
    assert_eq!((request.group.as_str(), request.pid.as_str()), ("callers", "c/1"));
    assert_eq!(request.max_in_flight, Some(0));
    assert!(!request.auto_acknowledge_unblocks);
    assert_eq!(f.listener.address(), ADDRESS);
    assert_ne!(
        UnblockListener::new(&f.client, "g").address(),
        UnblockListener::new(&f.client, "g").address()
    );
}

#[tokio::test]
#[should_panic(expected = "a group with a slash has no uni address")]
async fn a_group_with_a_slash_has_no_address_of_one_process() {
    let _ = UnblockListener::new(&Server::default().client(), "a/b");
}

#[tokio::test(start_paused = true)]
async fn it_returns_at_once_what_is_settled_already() {
    let (f, _stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), f.register("p", resolved("p", "4")));
    assert_eq!(outcome.unwrap(), resolved("p", "4"));
}

#[tokio::test(start_paused = true)]
async fn it_returns_with_the_unblock_and_acknowledges_it() {
    let (f, mut stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), async {
        f.register("p", pending("p")).await;
        stream.unblock([resolved("other", ())], ADDRESS);
        assert_eq!(f.acknowledged().await, ["other"]);
        stream.unblock([resolved("p", "5")], ADDRESS);
        assert_eq!(f.acknowledged().await, ["p"]);
    });
    assert_eq!(outcome.unwrap(), resolved("p", "5"));
}

#[tokio::test(start_paused = true)]
async fn it_returns_with_an_unblock_that_overtakes_the_answer() {
    let (f, mut stream) = open().await;
    let (outcome, register) = tokio::join!(f.listener.listen("p"), async {
        let register = f.server.next::<PromiseRegisterListenerRequest>().await;
        stream.unblock([resolved("p", "6")], ADDRESS);
        register
    });
    assert_eq!(outcome.unwrap(), resolved("p", "6"));
    drop(register);
}

#[tokio::test(start_paused = true)]
async fn everyone_who_waits_hears_it_once_and_a_double_is_acknowledged_again() {
    let (f, mut stream) = open().await;
    let (first, second, ()) = tokio::join!(f.listener.listen("p"), f.listener.listen("p"), async {
        f.register("p", pending("p")).await;
        f.register("p", pending("p")).await;
        stream.unblock([resolved("p", "7"), resolved("p", "7")], ADDRESS);
        assert_eq!(f.acknowledged().await, ["p", "p"]);
        stream.unblock([resolved("p", "7")], ADDRESS);
        assert_eq!(f.acknowledged().await, ["p"]);
    });
    assert_eq!((first.unwrap(), second.unwrap()), (resolved("p", "7"), resolved("p", "7")));
}

#[tokio::test(start_paused = true)]
async fn it_still_waits_after_a_reconnect() {
    let (f, mut stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), async {
        f.register("p", pending("p")).await;
        stream.fail(&Refusal::new(Code::Unavailable, "DRAINING"));
        let mut next = f.server.stream().await;
        next.hello("session 2");
        next.unblock([resolved("p", "8")], ADDRESS);
        settle().await;
    });
    assert_eq!(outcome.unwrap(), resolved("p", "8"));
}

#[tokio::test(start_paused = true)]
async fn it_fails_for_an_unknown_promise() {
    let (f, _stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), async {
        let register = f.server.next::<PromiseRegisterListenerRequest>().await;
        register.refuse(&Refusal::not_found("PROMISE_NOT_FOUND"));
    });
    assert!(outcome.unwrap_err().is(Reason::PromiseNotFound));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_was_dropped_leaves_the_others_alone() {
    let (f, mut stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), async {
        f.register("p", pending("p")).await;
        let (dropped, ()) = tokio::join!(timeout(ms(100), f.listener.listen("p")), f.register("p", pending("p")));
        assert!(dropped.is_err());
        stream.unblock([resolved("p", "9")], ADDRESS);
    });
    assert_eq!(outcome.unwrap(), resolved("p", "9"));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_now_and_later_fails_when_another_process_has_its_pid() {
    let (f, mut stream) = open().await;
    let (outcome, ()) = tokio::join!(f.listener.listen("p"), async {
        f.register("p", pending("p")).await;
        stream.fail(&Refusal::new(Code::Aborted, "SESSION_REPLACED"));
    });
    assert!(outcome.unwrap_err().is(Reason::SessionReplaced));
    assert!(f.listener.listen("q").await.unwrap_err().is(Reason::SessionReplaced));
}

#[tokio::test(start_paused = true)]
async fn dropping_it_ends_the_stream() {
    let (f, mut stream) = open().await;
    drop(f.listener);
    stream.cancelled().await;
}

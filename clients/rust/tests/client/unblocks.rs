//! Unblocks that come to a worker.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use resonate_grpc::v1::{DispatchAcknowledgeRequest, DispatchAcknowledgeResponse, UnblockRef};
use resonate_grpc::{HandlerResult, PromiseRecord};
use tokio::sync::Notify;

use crate::support::fixture::open;
use crate::support::records::resolved;
use crate::support::settle;

fn unblock(promise_id: &str) -> UnblockRef {
    UnblockRef {
        promise_id: promise_id.to_owned(),
        address: "uni@g/w".to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn they_are_acknowledged_once_they_are_handled_those_of_a_frame_in_one_call() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let handler = move |promise: PromiseRecord, address: String| {
        record.lock().unwrap().push(format!("{} {address}", promise.id));
        async { Ok(()) }
    };
    let (mut f, _runs) = open(|worker| worker.on_unblock(handler)).await;
    f.stream.unblock([resolved("p", ()), resolved("q", ())], "uni@g/w");
    let mut acknowledged = f.server.next::<DispatchAcknowledgeRequest>().await.request.unblocks;
    acknowledged.sort_by(|a, b| a.promise_id.cmp(&b.promise_id));
    assert_eq!(acknowledged, [unblock("p"), unblock("q")]);
    seen.lock().unwrap().sort();
    assert_eq!(*seen.lock().unwrap(), ["p uni@g/w", "q uni@g/w"]);
}

#[tokio::test(start_paused = true)]
async fn they_are_not_acknowledged_before_they_are_handled() {
    let go = Arc::new(Notify::new());
    let wait = Arc::clone(&go);
    let handler = move |_: PromiseRecord, _: String| {
        let wait = Arc::clone(&wait);
        async move {
            wait.notified().await;
            Ok(())
        }
    };
    let (mut f, _runs) = open(|worker| worker.on_unblock(handler)).await;
    f.stream.unblock([resolved("p", ())], "uni@g/w");
    settle().await;
    assert_eq!(f.server.waiting::<DispatchAcknowledgeRequest>(), 0);
    go.notify_one();
    let call = f.server.next::<DispatchAcknowledgeRequest>().await;
    assert_eq!(call.request.unblocks, [unblock("p")]);
}

#[tokio::test(start_paused = true)]
async fn they_are_not_acknowledged_when_handling_them_fails_or_panics_and_then_come_again() {
    let times = Arc::new(AtomicUsize::new(0));
    let handler = move |promise: PromiseRecord, _: String| {
        let times = Arc::clone(&times);
        async move {
            match (promise.id.as_str(), times.fetch_add(1, Ordering::SeqCst)) {
                ("bad", 0) => Err("on purpose".into()),
                ("bad", 1) => panic!("on purpose, in a test"),
                _ => HandlerResult::Ok(()),
            }
        }
    };
    let (mut f, _runs) = open(|worker| worker.on_unblock(handler)).await;
    for _ in 0..2 {
        f.stream.unblock([resolved("bad", ())], "uni@g/w");
        settle().await;
        assert_eq!(f.server.waiting::<DispatchAcknowledgeRequest>(), 0);
    }
    f.stream.unblock([resolved("bad", ())], "uni@g/w");
    let call = f.server.next::<DispatchAcknowledgeRequest>().await;
    assert_eq!(call.request.unblocks, [unblock("bad")]);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_does_not_care_acknowledges_them_and_again_if_the_answer_was_lost() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.unblock([resolved("p", ())], "uni@g/w");
    f.server.next::<DispatchAcknowledgeRequest>().await.lose();
    let call = f.server.next::<DispatchAcknowledgeRequest>().await;
    assert_eq!(call.request.unblocks, [unblock("p")]);
    call.reply(DispatchAcknowledgeResponse {});
}

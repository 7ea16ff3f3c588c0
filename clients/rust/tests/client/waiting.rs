//! The caller's side: wait and invoke.

use resonate_grpc::v1::{PromiseCreateRequest, PromiseCreateResponse, PromiseWaitRequest, PromiseWaitResponse};
use resonate_grpc::{Code, Reason, Work};
use tokio::time::{Instant, sleep, timeout};

use crate::support::records::{pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::server::Server;
use crate::support::{assert_backed_off, ms};

fn waited(id: &str) -> PromiseWaitResponse {
    let promise = Some(resolved(id, "done"));
    PromiseWaitResponse { promise }
}

#[tokio::test(start_paused = true)]
async fn wait_returns_the_settled_promise() {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.wait("p"), async {
        let call = server.next::<PromiseWaitRequest>().await;
        assert_eq!(call.request.id, "p");
        call.reply(waited("p"));
    });
    assert_eq!(answer.unwrap(), resolved("p", "done"));
}

#[tokio::test(start_paused = true)]
async fn wait_asks_again_for_as_long_as_it_takes() {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.wait("p"), async {
        server
            .next::<PromiseWaitRequest>()
            .await
            .refuse(&Refusal::new(Code::Unavailable, "DRAINING"));
        let mut call = server.next::<PromiseWaitRequest>().await;
        for _ in 0..3 {
            call.refuse(&Refusal::bare(Code::DeadlineExceeded, "a slice is over"));
            let quiet = Instant::now();
            call = server.next::<PromiseWaitRequest>().await;
            // A slice that passed quietly is no failure: the delay does not grow.
            assert_backed_off(quiet, ms(100));
        }
        // The server may be silent, too; and away for longer than a call gets.
        let _unanswered = call;
        sleep(ms(200_000)).await;
        server.kill();
        sleep(ms(200_000)).await;
        server.start();
        // Those that came before are given up by now.
        while server.waiting::<PromiseWaitRequest>() > 0 {
            server.next::<PromiseWaitRequest>().await;
        }
        server.next::<PromiseWaitRequest>().await.reply(waited("p"));
    });
    assert_eq!(answer.unwrap().id, "p");
}

#[tokio::test(start_paused = true)]
async fn wait_ends_for_an_unknown_promise_and_when_its_future_is_dropped() {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.wait("p"), async {
        server
            .next::<PromiseWaitRequest>()
            .await
            .refuse(&Refusal::not_found("PROMISE_NOT_FOUND"));
    });
    assert!(answer.unwrap_err().is(Reason::PromiseNotFound));
    assert!(timeout(ms(20), client.wait("p")).await.is_err());
    server.next::<PromiseWaitRequest>().await.cancelled().await;
}

#[tokio::test(start_paused = true)]
async fn invoke_creates_the_work_and_waits_for_its_outcome() {
    let server = Server::default();
    let client = server.client();
    let work = Work::new("p").target("any@g").param("1").timeout(ms(60_000));
    let (answer, ()) = tokio::join!(client.invoke(work), async {
        let create = server.next::<PromiseCreateRequest>().await;
        let spec = create.request.promise.as_ref().unwrap();
        assert_eq!(spec.id, "p");
        assert_eq!(spec.tags, [("resonate:target".to_owned(), "any@g".to_owned())].into());
        assert_eq!(spec.param.as_ref().unwrap().data(), b"1");
        let promise = Some(pending("p"));
        create.reply(PromiseCreateResponse { promise });
        server.next::<PromiseWaitRequest>().await.reply(waited("p"));
    });
    assert_eq!(answer.unwrap(), resolved("p", "done"));
}

#[tokio::test(start_paused = true)]
async fn work_of_a_caller_needs_a_deadline() {
    let server = Server::default();
    let error = server.client().invoke(Work::new("p")).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidArgument);
    assert_eq!(server.waiting::<PromiseCreateRequest>(), 0);
}

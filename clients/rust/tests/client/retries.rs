//! Which calls are made again, and when.

use resonate_grpc::Code;
use resonate_grpc::v1::{PromiseGetRequest, PromiseGetResponse, PromiseSettleRequest, PromiseSettleResponse, TaskReleaseRequest};
use tokio::time::Instant;

use crate::support::records::{found, resolved};
use crate::support::refusal::Refusal;
use crate::support::server::Server;
use crate::support::{assert_backed_off, ms};

#[tokio::test(start_paused = true)]
async fn a_safe_call_is_repeated_on_unavailable_with_a_growing_delay() {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.call(PromiseSettleRequest::default()), async {
        let mut call = server.next::<PromiseSettleRequest>().await;
        for longest in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000] {
            let lost = Instant::now();
            call.lose();
            call = server.next::<PromiseSettleRequest>().await;
            assert_backed_off(lost, ms(longest));
        }
        let promise = Some(resolved("p", ()));
        call.reply(PromiseSettleResponse { promise });
    });
    assert_eq!(answer.unwrap().promise.unwrap().id, "p");
}

#[tokio::test(start_paused = true)]
async fn it_gives_up_when_the_deadline_would_pass_before_the_next_try() {
    let server = Server::default();
    let client = server.client();
    let begun = Instant::now();
    // The first back-off is 100 ms at the most; the second begins after 50 ms at the least, and takes 100 ms at the least.
    let (answer, ()) = tokio::join!(client.call_within(ms(150), PromiseGetRequest::default()), async {
        server.next::<PromiseGetRequest>().await.lose();
        server.next::<PromiseGetRequest>().await.lose();
    });
    assert_eq!(answer.unwrap_err().code, Code::Unavailable);
    assert!(begun.elapsed() < ms(150));
    assert_eq!(server.waiting::<PromiseGetRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn no_other_call_and_no_other_error_is_repeated() {
    let server = Server::default();
    let client = server.client();
    let (release, ()) = tokio::join!(client.call(TaskReleaseRequest::default()), async {
        server.next::<TaskReleaseRequest>().await.lose();
    });
    assert_eq!(release.unwrap_err().code, Code::Unavailable);
    for refusal in [
        Refusal::new(Code::ResourceExhausted, "OVERLOADED"),
        Refusal::bare(Code::Internal, ""),
        Refusal::not_found("PROMISE_NOT_FOUND"),
    ] {
        let (get, ()) = tokio::join!(client.call(PromiseGetRequest::default()), async {
            server.next::<PromiseGetRequest>().await.refuse(&refusal);
        });
        assert_eq!(get.unwrap_err().code, refusal.to_status().code());
    }
    assert_eq!(
        server.waiting::<TaskReleaseRequest>() + server.waiting::<PromiseGetRequest>(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_is_reached() {
    let server = Server::default();
    let client = server.client();
    server.kill();
    let (answer, ()) = tokio::join!(client.call(PromiseGetRequest::default()), async {
        tokio::time::sleep(ms(3_000)).await;
        server.start();
        server.next::<PromiseGetRequest>().await.reply(found(resolved("p", ())));
    });
    assert_eq!(answer.unwrap().promise.unwrap().id, "p");
}

#[tokio::test(start_paused = true)]
async fn a_safe_call_is_repeated_when_the_connection_breaks() {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.call(PromiseGetRequest::default()), async {
        let _lost = server.next::<PromiseGetRequest>().await;
        server.cut();
        server.next::<PromiseGetRequest>().await.reply(found(resolved("p", ())));
    });
    assert_eq!(
        answer.unwrap(),
        PromiseGetResponse {
            promise: Some(resolved("p", ()))
        }
    );
}

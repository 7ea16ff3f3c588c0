//! The table of unary RPCs, and what becomes of their errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prost::Message;
use resonate_grpc::v1::*;
use resonate_grpc::{Call, Client, Code, Error};
use tokio::time::Instant;

use crate::support::ms;
use crate::support::records::{pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::server::Server;

macro_rules! for_all_calls {
    ($do:ident) => {
        $do!(
            PromiseGetRequest,
            PromiseCreateRequest,
            PromiseSettleRequest,
            PromiseRegisterCallbackRequest,
            PromiseRegisterListenerRequest,
            PromiseSearchRequest,
            PromiseWaitRequest,
            TaskGetRequest,
            TaskCreateRequest,
            TaskAcquireRequest,
            TaskFenceRequest,
            TaskHeartbeatRequest,
            TaskSuspendRequest,
            TaskFulfillRequest,
            TaskReleaseRequest,
            TaskHaltRequest,
            TaskContinueRequest,
            TaskSearchRequest,
            ScheduleGetRequest,
            ScheduleCreateRequest,
            ScheduleDeleteRequest,
            ScheduleSearchRequest,
            DispatchAcknowledgeRequest,
            DispatchDrainRequest
        )
    };
}

/// Of each unary RPC's request in the proto: whether its comment says that a retry is always safe.
fn documented() -> BTreeMap<String, bool> {
    let mut calls = BTreeMap::new();
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto/resonate_grpc/v1");
    for file in fs::read_dir(protos).unwrap() {
        let mut comment = String::new();
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let line = line.trim();
            if let Some(text) = line.strip_prefix("//") {
                comment.push_str(text);
            } else {
                if line.starts_with("rpc ") && !line.contains("stream") {
                    let request = line.split(['(', ')']).nth(1).unwrap();
                    let safe = comment.to_lowercase().contains("a retry is always safe");
                    calls.insert(request.to_owned(), safe);
                }
                comment.clear();
            }
        }
    }
    calls
}

#[test]
fn every_unary_rpc_is_there_and_those_are_retried_whose_comment_calls_it_always_safe() {
    macro_rules! known {
        ($($request:ident),+) => { BTreeMap::from([$((stringify!($request).to_owned(), $request::RETRY_SAFE)),+]) };
    }
    let documented = documented();
    assert_eq!(documented.len(), 24);
    assert_eq!(for_all_calls!(known), documented);
}

#[tokio::test(start_paused = true)]
async fn each_call_goes_to_the_rpc_of_its_name() {
    async fn goes<R: Call<Response: Message> + Message + Default>(server: &Server, client: &Client) {
        let (answer, ()) = tokio::join!(client.call(R::default()), async {
            server.next::<R>().await.refuse(&Refusal::bare(Code::NotFound, "there"));
        });
        assert_eq!(answer.err().unwrap().message, "there");
    }
    let server = Server::default();
    let client = server.client();
    macro_rules! all_go {
        ($($request:ident),+) => {{ $(goes::<$request>(&server, &client).await;)+ }};
    }
    for_all_calls!(all_go);
}

/// What becomes of a refusal.
async fn refused(refusal: Refusal) -> Error {
    let server = Server::default();
    let client = server.client();
    let (answer, ()) = tokio::join!(client.call(TaskAcquireRequest::default()), async {
        server.next::<TaskAcquireRequest>().await.refuse(&refusal);
    });
    answer.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_unpacked() {
    let error = refused(Refusal::conflict("TASK_NOT_PENDING", "acquired", 3, Some("p"))).await;
    assert_eq!(error.code, Code::Aborted);
    assert_eq!(error.reason.as_deref(), Some("TASK_NOT_PENDING"));
    assert!(error.is(Reason::TaskNotPending) && !error.is(Reason::TaskNotFound));
    assert_eq!(error.status, Some(409));
    assert_eq!(error.message, "scripted");
    let facts = [
        ("status", "409"),
        ("task_pid", "p"),
        ("task_state", "acquired"),
        ("task_version", "3"),
    ];
    assert_eq!(
        error.metadata,
        facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
    );
    assert_eq!(error.to_string(), "Aborted (TASK_NOT_PENDING): scripted");
}

#[tokio::test(start_paused = true)]
async fn an_error_that_is_not_the_servers_has_no_reason() {
    let bare = refused(Refusal::bare(Code::Internal, "a proxy says")).await;
    assert_eq!(bare.message, "a proxy says");
    let foreign = Refusal::conflict("TASK_NOT_PENDING", "acquired", 3, None).in_domain("example.com");
    for error in [bare, refused(foreign).await] {
        assert_eq!((error.reason, error.status, error.metadata), (None, None, BTreeMap::new()));
    }
}

#[tokio::test(start_paused = true)]
async fn trouble_on_the_way_is_transient_and_a_refusal_is_not() {
    for code in [
        Code::Unavailable,
        Code::DeadlineExceeded,
        Code::Internal,
        Code::Unknown,
        Code::Cancelled,
    ] {
        assert!(refused(Refusal::bare(code, "")).await.is_transient(), "{code:?}");
    }
    for reason in ["OVERLOADED", "STORAGE_FULL"] {
        assert!(
            refused(Refusal::new(Code::ResourceExhausted, reason)).await.is_transient(),
            "{reason}"
        );
    }
    assert!(
        !refused(Refusal::bare(Code::ResourceExhausted, "too large"))
            .await
            .is_transient()
    );
    assert!(!refused(Refusal::new(Code::Internal, "FAULT")).await.is_transient());
    assert!(
        !refused(Refusal::new(Code::InvalidArgument, "INVALID_REQUEST"))
            .await
            .is_transient()
    );
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_and_a_stream_that_is_reset_are_unavailable() {
    let server = Server::default();
    let client = server.client();
    let (cut, ()) = tokio::join!(client.call(TaskReleaseRequest::default()), async {
        let _call = server.next::<TaskReleaseRequest>().await;
        server.cut();
    });
    let (reset, ()) = tokio::join!(client.call(TaskReleaseRequest::default()), async {
        server.next::<TaskReleaseRequest>().await.reset();
    });
    server.kill();
    let unreachable = client.call(TaskReleaseRequest::default()).await;
    for answer in [cut, reset, unreachable] {
        let error = answer.unwrap_err();
        assert_eq!((error.code, error.reason), (Code::Unavailable, None), "{}", error.message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_may_be_larger_than_the_default_limit_of_tonic() {
    let server = Server::default();
    let client = server.client();
    let large = vec![7; 6 << 20];
    let (answer, ()) = tokio::join!(client.call(PromiseGetRequest { id: "p".to_owned() }), async {
        let promise = Some(resolved("p", large.clone()));
        server.next::<PromiseGetRequest>().await.reply(PromiseGetResponse { promise });
    });
    assert!(answer.unwrap().promise.unwrap().outcome().unwrap().data() == large);
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_at_its_deadline_and_the_server_is_told_of_it() {
    let server = Server::default();
    let client = server.client().with_deadline(ms(500));
    let begun = Instant::now();
    let error = client.call(TaskGetRequest::default()).await.unwrap_err();
    assert_eq!(error.code, Code::DeadlineExceeded);
    assert!((ms(500)..ms(510)).contains(&begun.elapsed()));
    let call = server.next::<TaskGetRequest>().await;
    assert_eq!(call.header("grpc-timeout").unwrap(), "500000u");
    call.cancelled().await;
}

#[tokio::test(start_paused = true)]
async fn the_server_is_not_told_of_a_deadline_of_more_than_24_days() {
    const DAY: u64 = 86_400_000;
    let server = Server::default();
    let client = server.client();
    for (days, told) in [(23, true), (40, false)] {
        let (answer, ()) = tokio::join!(client.call_within(ms(days * DAY), TaskGetRequest::default()), async {
            let call = server.next::<TaskGetRequest>().await;
            assert_eq!(call.header("grpc-timeout").is_some(), told);
            call.reply(TaskGetResponse::default());
        });
        answer.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_its_future_cancels_a_call() {
    let server = Server::default();
    let client = server.client();
    let call = tokio::select! {
        _ = client.call(PromiseGetRequest::default()) => panic!("nobody has answered"),
        call = server.next::<PromiseGetRequest>() => call,
    };
    call.cancelled().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_its_promise_is_an_error() {
    let server = Server::default();
    let client = server.client();
    let work = resonate_grpc::Work::new("p").timeout(ms(1_000));
    let (answer, ()) = tokio::join!(client.create(work.clone()), async {
        server
            .next::<PromiseCreateRequest>()
            .await
            .reply(PromiseCreateResponse::default());
    });
    assert_eq!(answer.unwrap_err().code, Code::Internal);
    let (answer, ()) = tokio::join!(client.create(work), async {
        let promise = Some(pending("p"));
        server
            .next::<PromiseCreateRequest>()
            .await
            .reply(PromiseCreateResponse { promise });
    });
    assert_eq!(answer.unwrap(), pending("p"));
}

#[tokio::test]
async fn an_address_must_be_one() {
    assert_eq!(Client::new("no address").unwrap_err().code, Code::InvalidArgument);
    assert!(Client::new("localhost:50051").is_ok());
}

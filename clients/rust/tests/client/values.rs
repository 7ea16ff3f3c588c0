//! Values, outcomes and work, as they go over the wire.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use resonate_grpc::v1::{PromiseCreateRequest, PromiseSpec};
use resonate_grpc::{PromiseState, Value, Work};

use crate::support::ms;
use crate::support::records::{pending, resolved, settled};
use crate::support::server::Server;

const LAST_MS: i64 = 9_007_199_254_740_991;

#[test]
fn text_and_bytes_are_values_without_headers_and_nothing_is_the_empty_one() {
    assert_eq!(Value::from(()), Value::default());
    assert_eq!(Value::from(()).data, None);
    assert_eq!(Value::from("").data, Some(vec![]));
    assert_eq!(Value::from("Grüße").data(), "Grüße".as_bytes());
    assert_eq!(Value::from("x".to_owned()), Value::bytes(*b"x"));
    assert_eq!(Value::from(vec![0, 255]), Value::bytes([0, 255]));
    assert!(Value::from("x").headers.is_empty());
}

#[test]
fn json_is_labelled_as_such() {
    let json = Value::json(r#"{"n":1}"#).with_header("a", "b");
    let headers = [("a", "b"), ("content-type", "application/json")];
    assert_eq!(
        json.headers,
        headers.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
    );
    assert_eq!(json.text(), Ok(r#"{"n":1}"#));
}

#[test]
fn text_is_what_is_utf_8() {
    assert_eq!(Value::default().text(), Ok(""));
    assert_eq!(Value::from("𝄞").text(), Ok("𝄞"));
    assert!(Value::bytes([0xff]).text().is_err());
}

#[test]
fn a_resolved_promise_has_a_value_and_others_a_reject() {
    assert_eq!(resolved("p", "x").outcome(), Ok("x".into()));
    for (state, name) in [
        (PromiseState::Rejected, "REJECTED"),
        (PromiseState::RejectedCanceled, "REJECTED_CANCELED"),
        (PromiseState::RejectedTimedout, "REJECTED_TIMEDOUT"),
    ] {
        let reject = settled("p", state, "why").outcome().unwrap_err();
        assert_eq!(reject.value, "why".into());
        assert_eq!(reject.to_string(), format!(r#"promise "p" is {name}"#));
    }
}

#[test]
#[should_panic(expected = r#"promise "p" is pending"#)]
fn a_pending_promise_has_no_outcome() {
    assert!(!pending("p").is_settled());
    let _ = pending("p").outcome();
}

#[test]
fn a_promise_knows_when_it_was_created() {
    assert_eq!(pending("p").created_at(), UNIX_EPOCH + ms(1_000));
}

/// What a caller sends for it.
async fn spelled(work: Work) -> PromiseSpec {
    let server = Server::default();
    let client = server.client();
    tokio::select! {
        _ = client.create(work) => panic!("nobody has answered"),
        call = server.next::<PromiseCreateRequest>() => call.request.promise.unwrap(),
    }
}

#[tokio::test(start_paused = true)]
async fn work_is_spelled_as_a_promise() {
    let work = Work::new("p")
        .target("any@g")
        .param("x")
        .tag("__proto__", "ü")
        .deadline(UNIX_EPOCH + ms(5));
    let tags = [("__proto__", "ü"), ("resonate:target", "any@g")];
    let spec = PromiseSpec {
        id: "p".to_owned(),
        timeout_at_ms: 5,
        param: Some("x".into()),
        tags: tags.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
    };
    assert_eq!(spelled(work).await, spec);
    assert!(spelled(Work::new("p").timeout(ms(1))).await.tags.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_deadline_is_kept_within_what_the_proto_can_name() {
    let of = |work| async { spelled(work).await.timeout_at_ms };
    assert_eq!(of(Work::new("p").timeout(Duration::MAX)).await, LAST_MS);
    assert_eq!(of(Work::new("p").deadline(UNIX_EPOCH + ms(1 << 60))).await, LAST_MS);
    assert_eq!(of(Work::new("p").deadline(UNIX_EPOCH - ms(1))).await, 0);
    // Never before what was asked for.
    assert_eq!(
        of(Work::new("p").deadline(UNIX_EPOCH + Duration::from_nanos(4_000_001))).await,
        5
    );
}

#[tokio::test(start_paused = true)]
async fn a_timeout_counts_from_now() {
    let now = || i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let before = now();
    let at = spelled(Work::new("p").timeout(ms(1_000))).await.timeout_at_ms;
    assert!((before + 1_000..=now() + 1_001).contains(&at));
}

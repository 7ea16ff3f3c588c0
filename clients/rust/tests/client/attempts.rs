//! What a handler comes to.

use resonate_grpc::v1::{
    TaskFulfillRequest, TaskHeartbeatRequest, TaskHeartbeatResponse, TaskReleaseRequest, TaskReleaseResponse,
};
use resonate_grpc::{Backoff, Code, HandlerResult, PromiseState, Reject, SettleState, TaskContext, Value};
use tokio::time::{Duration, Instant};

use crate::support::fixture::{Fixture, TTL, open};
use crate::support::records::{fulfilled, pending, resolved, settled, suspended};
use crate::support::refusal::Refusal;
use crate::support::{assert_backed_off, ms};

/// Answers the release that comes after such a back-off.
async fn released(f: &Fixture, version: i64, longest: Duration) {
    let failed = Instant::now();
    let release = f.server.next::<TaskReleaseRequest>().await;
    assert_backed_off(failed, longest);
    assert_eq!((release.request.id.as_str(), release.request.version), ("t", version));
    release.reply(TaskReleaseResponse {});
}

#[tokio::test(start_paused = true)]
async fn what_it_returns_resolves_the_promise() {
    let handler = async |context: TaskContext| Ok(format!("version {}", context.task().version));
    let mut f = Fixture::open(handler, |worker| worker).await;
    f.give("t", 4).await;
    let request = f.server.next::<TaskFulfillRequest>().await.request;
    let expected = TaskFulfillRequest {
        id: "t".to_owned(),
        version: 5,
        state: SettleState::Resolved.into(),
        value: Some("version 5".into()),
    };
    assert_eq!(request, expected);
}

#[tokio::test(start_paused = true)]
async fn a_reject_rejects_it() {
    let handler = async |_: TaskContext| -> HandlerResult { Err(Reject::new("no").into()) };
    let mut f = Fixture::open(handler, |worker| worker).await;
    f.give("t", 0).await;
    let request = f.server.next::<TaskFulfillRequest>().await.request;
    assert_eq!(request.state(), SettleState::Rejected);
    assert_eq!(request.value, Some("no".into()));
}

#[tokio::test(start_paused = true)]
async fn the_outcome_of_a_child_that_was_rejected_rejects_it_in_turn() {
    let handler = async |_: TaskContext| Ok(settled("child", PromiseState::Rejected, "because").outcome()?);
    let mut f = Fixture::open(handler, |worker| worker).await;
    f.give("t", 0).await;
    let request = f.server.next::<TaskFulfillRequest>().await.request;
    assert_eq!(
        (request.state(), request.value),
        (SettleState::Rejected, Some("because".into()))
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_released_after_a_back_off_that_grows_with_the_failures_in_a_row() {
    let (mut f, mut runs) = open(|worker| worker.ttl(ms(600_000))).await;
    for (version, longest) in [1, 2, 4, 8, 16, 32, 60, 60].into_iter().enumerate() {
        let version = i64::try_from(version).unwrap();
        f.give("t", version).await;
        runs.next().await.fail("no");
        released(&f, version + 1, Duration::from_secs(longest)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failure_and_the_worker_goes_on() {
    let handler = async |context: TaskContext| -> HandlerResult {
        match context.task().version {
            1 => panic!("on purpose, in a test"),
            _ => Ok("done".into()),
        }
    };
    let mut f = Fixture::open(handler, |worker| worker.max_in_flight(1)).await;
    f.give("t", 0).await;
    released(&f, 1, ms(1_000)).await;
    f.give("t", 1).await;
    assert_eq!(f.server.next::<TaskFulfillRequest>().await.request.version, 2);
}

#[tokio::test(start_paused = true)]
async fn the_failures_are_forgotten_once_the_task_has_been_suspended() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("t", 0).await;
    runs.next().await.fail("no");
    released(&f, 1, ms(1_000)).await;
    f.give("t", 1).await;
    let run = runs.next().await;
    let (_, ()) = tokio::join!(run.context.await_all([pending("child")]), async {
        f.server
            .next::<resonate_grpc::v1::TaskSuspendRequest>()
            .await
            .reply(suspended());
    });
    f.give("t", 2).await;
    runs.next().await.fail("no");
    released(&f, 3, ms(1_000)).await;
}

#[tokio::test(start_paused = true)]
async fn the_failures_are_forgotten_once_the_task_is_fulfilled() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("t", 0).await;
    runs.next().await.fail("no");
    released(&f, 1, ms(1_000)).await;
    f.give("t", 1).await;
    runs.next().await.finish(());
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("t", ())));
    f.give("t", 2).await;
    runs.next().await.fail("no");
    released(&f, 3, ms(1_000)).await;
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_renewed_while_a_failure_waits() {
    let backoff = Backoff {
        initial: TTL * 4,
        longest: TTL * 4,
    };
    let (mut f, mut runs) = open(|worker| worker.attempt_backoff(backoff)).await;
    f.give("t", 0).await;
    runs.next().await.fail("no");
    let failed = Instant::now();
    let release = loop {
        tokio::select! {
            biased;
            beat = f.server.next::<TaskHeartbeatRequest>() => beat.reply(TaskHeartbeatResponse {}),
            release = f.server.next::<TaskReleaseRequest>() => break release,
        }
    };
    assert_backed_off(failed, TTL * 4);
    assert_eq!(release.request.version, 1);
}

#[tokio::test(start_paused = true)]
async fn an_outcome_that_the_server_refuses_is_a_failure() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("t", 0).await;
    runs.next().await.finish("much");
    let fulfill = f.server.next::<TaskFulfillRequest>().await;
    fulfill.refuse(&Refusal::new(Code::InvalidArgument, "INVALID_REQUEST"));
    released(&f, 1, ms(1_000)).await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_waits_no_longer_than_the_lease_lasts() {
    let (mut f, mut runs) = open(|worker| {
        worker.max_in_flight(1).attempt_backoff(Backoff {
            initial: TTL * 9,
            longest: TTL * 9,
        })
    })
    .await;
    f.give("t", 0).await;
    runs.next().await.fail("no");
    // No heartbeat is answered.
    f.stream.execute("next", 0);
    let begun = Instant::now();
    let acquire = f.server.next::<resonate_grpc::v1::TaskAcquireRequest>().await;
    assert_eq!(acquire.request.id, "next");
    assert!((TTL - ms(10)..TTL + ms(10)).contains(&begun.elapsed()));
    assert_eq!(f.server.waiting::<TaskReleaseRequest>(), 0);
}

/// What a handler may return.
#[tokio::test(start_paused = true)]
async fn it_may_return_whatever_is_a_value() {
    async fn nothing(_: TaskContext) -> HandlerResult<()> {
        Ok(())
    }
    let mut f = Fixture::open(nothing, |worker| worker).await;
    f.give("t", 0).await;
    assert_eq!(
        f.server.next::<TaskFulfillRequest>().await.request.value,
        Some(Value::default())
    );
}

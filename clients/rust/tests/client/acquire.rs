//! How a task that is pushed is taken, or dropped.

use std::time::Duration;

use resonate_grpc::v1::{PromiseGetRequest, TaskAcquireRequest, TaskFulfillRequest, TaskHeartbeatRequest};
use resonate_grpc::{Code, Worker};
use tokio::time::{Instant, sleep};

use crate::support::fixture::{TTL, assert_dropped, grant, open};
use crate::support::records::{found, pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::{assert_backed_off, ms};

fn one(worker: Worker) -> Worker {
    worker.max_in_flight(1)
}

#[tokio::test(start_paused = true)]
async fn what_is_pushed_is_acquired_with_its_version_and_held_under_the_next() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.stream.execute("t", 4);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    let request = TaskAcquireRequest {
        id: "t".to_owned(),
        version: 4,
        pid: "w".to_owned(),
        ttl_ms: 30_000,
    };
    assert_eq!(acquire.request, request);
    let mut promise = pending("t");
    promise.param = Some("input".into());
    promise.tags.insert("kind".to_owned(), "x".to_owned());
    grant(acquire, promise.clone());
    let run = runs.next().await;
    assert_eq!((run.id(), run.context.task().version), ("t", 5));
    assert_eq!(run.context.promise(), &promise);
    assert_eq!(run.context.param(), &"input".into());
    assert_eq!((run.context.tag("kind"), run.context.tag("other")), (Some("x"), None));
    assert_eq!(run.context.over(), None);
    assert!(!run.context.cancellation().is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_not_to_be_had_is_dropped() {
    for refusal in [
        Refusal::not_found("TASK_NOT_FOUND"),
        Refusal::conflict("TASK_NOT_PENDING", "acquired", 1, Some("other")),
        // An older or newer lease of this pid.
        Refusal::conflict("TASK_NOT_PENDING", "acquired", 2, Some("w")),
        Refusal::conflict("TASK_NOT_PENDING", "suspended", 1, None),
        Refusal::new(Code::InvalidArgument, "INVALID_REQUEST"),
    ] {
        let (mut f, mut runs) = open(one).await;
        f.stream.execute("t", 0);
        f.server.next::<TaskAcquireRequest>().await.refuse(&refusal);
        assert_dropped(&mut f, &mut runs).await;
    }
}

#[tokio::test(start_paused = true)]
async fn it_goes_on_as_the_holder_when_only_the_answer_was_lost() {
    let (mut f, mut runs) = open(one).await;
    f.stream.execute("t", 0);
    f.server.next::<TaskAcquireRequest>().await.lose();
    let lost = Instant::now();
    let again = f.server.next::<TaskAcquireRequest>().await;
    assert_backed_off(lost, ms(100));
    again.refuse(&Refusal::conflict("TASK_NOT_PENDING", "acquired", 1, Some("w")));
    f.server.next::<PromiseGetRequest>().await.reply(found(pending("t")));
    // How much of the lease is left is not known: it is renewed at once.
    let granted = Instant::now();
    let beat = f.server.next::<TaskHeartbeatRequest>().await;
    assert!(granted.elapsed() < ms(10));
    assert_eq!((beat.request.tasks[0].id.as_str(), beat.request.tasks[0].version), ("t", 1));
    let run = runs.next().await;
    assert_eq!(run.context.task().version, 1);
    run.finish(());
    assert_eq!(f.server.next::<TaskFulfillRequest>().await.request.version, 1);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_was_found_to_be_held_counts_from_the_first_call() {
    let (mut f, mut runs) = open(one).await;
    f.stream.execute("t", 0);
    let begun = Instant::now();
    let first = f.server.next::<TaskAcquireRequest>().await;
    sleep(ms(6_000)).await;
    first.lose();
    let again = f.server.next::<TaskAcquireRequest>().await;
    again.refuse(&Refusal::conflict("TASK_NOT_PENDING", "acquired", 1, Some("w")));
    f.server.next::<PromiseGetRequest>().await.reply(found(pending("t")));
    runs.next().await.dropped().await;
    let held = begun.elapsed();
    assert!((TTL - ms(10)..TTL + ms(10)).contains(&held), "{held:?}");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_it_holds_but_whose_promise_has_settled_is_dropped() {
    let (mut f, mut runs) = open(one).await;
    f.stream.execute("t", 0);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    acquire.refuse(&Refusal::conflict("TASK_NOT_PENDING", "acquired", 1, Some("w")));
    f.server.next::<PromiseGetRequest>().await.reply(found(resolved("t", ())));
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn it_gives_up_when_a_whole_ttl_has_passed_without_an_answer() {
    let (mut f, mut runs) = open(|worker| one(worker).ttl(ms(500))).await;
    f.stream.execute("t", 0);
    let begun = Instant::now();
    let mut tries = 0;
    loop {
        tokio::select! {
            biased;
            acquire = f.server.next::<TaskAcquireRequest>() => acquire.lose(),
            () = sleep(ms(2_000)) => break,
        }
        tries += 1;
        assert!(begun.elapsed() < ms(500));
    }
    assert!(tries >= 3);
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_come_is_taken_for_lost_after_a_third_of_the_ttl_or_ten_seconds() {
    for (ttl, patience) in [(ms(3_000), ms(1_000)), (Duration::from_secs(600), Duration::from_secs(10))] {
        let (mut f, _runs) = open(|worker| worker.ttl(ttl)).await;
        f.stream.execute("t", 0);
        let first = f.server.next::<TaskAcquireRequest>().await;
        let begun = Instant::now();
        first.cancelled().await;
        assert!((patience - ms(10)..patience + ms(10)).contains(&begun.elapsed()));
        f.server.next::<TaskAcquireRequest>().await;
    }
}

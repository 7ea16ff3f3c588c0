//! Heartbeats, and leases that end.

use resonate_grpc::v1::{TaskFulfillRequest, TaskHeartbeatRequest, TaskHeartbeatResponse, TaskRef, TaskReleaseRequest};
use resonate_grpc::{RunEnd, Work};
use tokio::time::{Instant, sleep};

use crate::context::over;
use crate::support::fixture::{TTL, open, open_with_task};
use crate::support::records::{fulfilled, resolved};
use crate::support::{ms, settle};

fn held(id: &str, version: i64) -> TaskRef {
    TaskRef {
        id: id.to_owned(),
        version,
    }
}

#[tokio::test(start_paused = true)]
async fn all_are_renewed_in_one_call_three_times_within_the_ttl_until_the_task_is_done() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("a", 0).await;
    f.give("b", 4).await;
    let (a, b) = (runs.next().await, runs.next().await);
    let begun = Instant::now();
    for _ in 0..6 {
        let beat = f.server.next::<TaskHeartbeatRequest>().await;
        let expected = TaskHeartbeatRequest {
            pid: "w".to_owned(),
            tasks: vec![held("a", 1), held("b", 5)],
        };
        assert_eq!(beat.request, expected);
        beat.reply(TaskHeartbeatResponse {});
    }
    assert!(begun.elapsed() <= TTL * 2 + ms(10));
    a.finish(());
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("a", ())));
    f.give("c", 0).await;
    let _c = runs.next().await;
    let beat = f.server.next::<TaskHeartbeatRequest>().await;
    assert_eq!(beat.request.tasks, [held("b", 5), held("c", 1)]);
    assert_eq!(b.context.over(), None);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_holds_nothing_is_silent() {
    let (f, _runs) = open(|worker| worker).await;
    sleep(TTL).await;
    assert_eq!(f.server.waiting::<TaskHeartbeatRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn more_than_fit_into_one_call_are_renewed_in_several() {
    let (mut f, mut runs) = open(|worker| worker.max_in_flight(1_500)).await;
    let mut all = Vec::new();
    for n in 0..1_500 {
        f.give(&format!("{n}"), 0).await;
        all.push(runs.next().await);
    }
    let first = f.server.next::<TaskHeartbeatRequest>().await;
    let mut renewed = first.request.tasks.len();
    assert!(renewed <= 1_000);
    first.reply(TaskHeartbeatResponse {});
    renewed += f.server.next::<TaskHeartbeatRequest>().await.request.tasks.len();
    assert_eq!(renewed, 1_500);
}

#[tokio::test(start_paused = true)]
async fn a_ttl_without_an_answer_is_taken_for_a_loss_which_drops_the_handler_and_frees_its_place() {
    let (mut f, mut runs, mut run) = open_with_task(|worker| worker.max_in_flight(1)).await;
    let begun = Instant::now();
    sleep(TTL - ms(10)).await;
    assert_eq!(run.context.over(), None);
    run.dropped().await;
    assert!(begun.elapsed() <= TTL + ms(10));
    assert_eq!(run.context.over().unwrap().end, RunEnd::Lost);
    assert!(run.context.cancellation().is_cancelled());
    assert_eq!(over(run.context.create(Work::new("c")).await).end, RunEnd::Lost);
    f.give("next", 0).await;
    assert_eq!(runs.next().await.id(), "next");
    assert_eq!(f.server.waiting::<TaskReleaseRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn it_counts_from_the_sending_of_the_last_call_that_renewed_it() {
    let (f, _runs, mut run) = open_with_task(|worker| worker).await;
    let beat = f.server.next::<TaskHeartbeatRequest>().await;
    let sent = Instant::now();
    sleep(ms(5_000)).await;
    beat.reply(TaskHeartbeatResponse {});
    run.dropped().await;
    let lasted = sent.elapsed();
    assert!((TTL - ms(10)..TTL + ms(10)).contains(&lasted), "{lasted:?}");
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_has_ended_by_the_clock_is_lost_even_before_a_timer_says_so() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    // As after a pause of the whole process.
    tokio::time::advance(TTL * 2).await;
    assert_eq!(run.context.over().unwrap().end, RunEnd::Lost);
    settle().await;
    assert_eq!(f.server.waiting::<TaskHeartbeatRequest>(), 0);
}

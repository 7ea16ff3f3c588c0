//! The stream: what it hears, how it ends, and when it is opened again.

use resonate_grpc::Code;
use resonate_grpc::v1::{TaskAcquireRequest, TaskHeartbeatRequest, TaskHeartbeatResponse};
use tokio::time::{Instant, sleep};

use crate::support::fixture::open;
use crate::support::refusal::Refusal;
use crate::support::stream::execute;
use crate::support::{assert_backed_off, ms, settle};

fn draining() -> Refusal {
    Refusal::new(Code::Unavailable, "DRAINING")
}

#[tokio::test(start_paused = true)]
async fn it_is_opened_as_the_group_and_the_pid_without_a_deadline() {
    let (f, _runs) = open(|worker| worker.max_in_flight(7)).await;
    let request = &f.stream.request;
    assert_eq!((request.group.as_str(), request.pid.as_str()), ("g", "w"));
    assert_eq!(request.max_in_flight, Some(7));
    assert!(!request.auto_acknowledge_unblocks);
    assert!(!f.stream.has_deadline);
}

#[tokio::test(start_paused = true)]
async fn every_event_of_a_frame_is_heard_in_order_and_unknown_ones_are_passed_over() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.send([Some(execute("t", 2)), None, Some(execute("u", 0))]);
    for (id, version) in [("t", 2), ("u", 0)] {
        let request = f.server.next::<TaskAcquireRequest>().await.request;
        assert_eq!((request.id.as_str(), request.version), (id, version));
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_opened_again_after_any_end_each_time_later_up_to_five_seconds() {
    let (mut f, _runs) = open(|worker| worker).await;
    let stalled = Refusal::new(Code::ResourceExhausted, "SESSION_STALLED");
    let ends = [draining(), stalled, Refusal::bare(Code::Internal, "")];
    for (end, longest) in ends.iter().cycle().zip([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
        f.stream.fail(end);
        let ended = Instant::now();
        f.stream = f.server.stream().await;
        assert_backed_off(ended, ms(longest));
        f.stream.hello("again");
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_one_that_lasted_counts_as_the_first() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.fail(&draining());
    f.reopened().await;
    f.stream.fail(&draining());
    f.reopened().await;
    sleep(ms(10_000)).await;
    f.stream.fail(&draining());
    let ended = Instant::now();
    f.reopened().await;
    assert_backed_off(ended, ms(100));
}

#[tokio::test(start_paused = true)]
async fn one_that_has_not_said_hello_has_not_lasted() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.fail(&draining());
    f.stream = f.server.stream().await;
    sleep(ms(12_000)).await;
    f.stream.fail(&draining());
    let ended = Instant::now();
    f.reopened().await;
    assert_backed_off(ended, ms(200));
}

#[tokio::test(start_paused = true)]
async fn it_is_opened_again_after_an_end_with_ok() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.end();
    let ended = Instant::now();
    f.reopened().await;
    assert_backed_off(ended, ms(100));
}

#[tokio::test(start_paused = true)]
async fn it_is_opened_again_after_the_connection_was_cut_and_the_server_was_away() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.server.kill();
    sleep(ms(60_000)).await;
    f.server.start();
    let back = Instant::now();
    f.stream = f.server.stream().await;
    assert!(back.elapsed() <= ms(5_010));
}

#[tokio::test(start_paused = true)]
async fn it_is_left_after_three_ping_intervals_of_silence() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.fail(&draining());
    f.stream = f.server.stream().await;
    f.stream.hello_with("s", 1_000);
    sleep(ms(2_900)).await;
    f.stream.ping();
    let begun = Instant::now();
    f.stream.cancelled().await;
    assert!((ms(2_950)..ms(3_050)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    f.reopened().await;
}

#[tokio::test(start_paused = true)]
async fn it_is_left_when_no_hello_comes() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.fail(&draining());
    f.stream = f.server.stream().await;
    let begun = Instant::now();
    f.stream.cancelled().await;
    assert!((ms(14_900)..ms(15_100)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    f.reopened().await;
}

#[tokio::test(start_paused = true)]
async fn one_that_was_left_is_not_heard() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.hello_with("s", 1_000);
    f.stream.cancelled().await;
    f.stream.execute("of the old one", 0);
    f.reopened().await;
    f.stream.execute("t", 0);
    assert_eq!(f.server.next::<TaskAcquireRequest>().await.request.id, "t");
    settle().await;
    assert_eq!(f.server.waiting::<TaskAcquireRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn after_a_drain_it_is_opened_again_within_one_to_two_seconds() {
    for _ in 0..5 {
        let (mut f, _runs) = open(|worker| worker).await;
        f.stream.drain();
        settle().await;
        f.stream.fail(&draining());
        let ended = Instant::now();
        f.reopened().await;
        assert_backed_off(ended, ms(2_000));
    }
}

#[tokio::test(start_paused = true)]
async fn it_ends_for_good_when_another_process_has_the_pid_or_the_request_is_wrong() {
    let replaced = Refusal::new(Code::Aborted, "SESSION_REPLACED");
    let wrong = Refusal::new(Code::InvalidArgument, "INVALID_REQUEST");
    for end in [replaced, wrong] {
        let (mut f, _runs) = open(|worker| worker).await;
        f.stream.fail(&end);
        let error = f.stopped().await.unwrap_err();
        assert_eq!(error.code, end.to_status().code());
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_held_is_renewed_right_after_each_hello() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("t", 0).await;
    let _run = runs.next().await;
    f.stream.fail(&draining());
    f.reopened().await;
    let said = Instant::now();
    let beat = f.server.next::<TaskHeartbeatRequest>().await;
    assert!(said.elapsed() < ms(10));
    assert_eq!(beat.request.tasks[0].id, "t");
    beat.reply(TaskHeartbeatResponse {});
}

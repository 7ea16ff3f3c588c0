//! How a worker stops, and how it is made to.

use resonate_grpc::v1::{
    DispatchAcknowledgeRequest, DispatchDrainRequest, DispatchDrainResponse, TaskAcquireRequest, TaskFulfillRequest,
    TaskHeartbeatRequest, TaskHeartbeatResponse, TaskReleaseRequest, TaskReleaseResponse,
};
use resonate_grpc::{Code, PromiseRecord, Reason, RunEnd, Worker};
use tokio::time::{Instant, sleep, timeout};

use crate::support::fixture::{TTL, grant, open, open_with_task};
use crate::support::records::{fulfilled, pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::server::Server;
use crate::support::{ms, settle};

#[tokio::test(start_paused = true)]
async fn it_says_so_takes_nothing_new_lets_handlers_finish_and_ends_the_stream() {
    let (mut f, _runs, run) = open_with_task(|worker| worker).await;
    f.stop.cancel();
    let drain = f.server.next::<DispatchDrainRequest>().await;
    assert_eq!(drain.request.session_id, "session");
    f.stream.execute("u", 0);
    f.stream.unblock([resolved("p", ())], "x");
    f.server.next::<DispatchAcknowledgeRequest>().await.reply(Default::default());
    drain.reply(DispatchDrainResponse {});
    settle().await;
    assert_eq!(run.context.over(), None);
    run.finish("done");
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("t", "done")));
    f.stream.cancelled().await;
    assert_eq!(
        f.server.waiting::<TaskAcquireRequest>() + f.server.waiting::<TaskReleaseRequest>(),
        0
    );
    f.stopped().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_runs_on_is_renewed_until_the_end_of_the_grace_period_and_then_given_back() {
    let (f, _runs, mut run) = open_with_task(|worker| worker.grace(TTL * 3)).await;
    let begun = Instant::now();
    f.stop.cancel();
    f.server.next::<DispatchDrainRequest>().await.reply(DispatchDrainResponse {});
    let release = loop {
        tokio::select! {
            biased;
            beat = f.server.next::<TaskHeartbeatRequest>() => beat.reply(TaskHeartbeatResponse {}),
            release = f.server.next::<TaskReleaseRequest>() => break release,
        }
    };
    let took = begun.elapsed();
    assert!((TTL * 3..TTL * 3 + ms(10)).contains(&took), "{took:?}");
    assert_eq!((release.request.id.as_str(), release.request.version), ("t", 1));
    assert_eq!(run.context.over().unwrap().end, RunEnd::Stopped);
    run.dropped().await;
    release.reply(TaskReleaseResponse {});
    f.stopped().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_grace_period_is_ten_seconds_by_default() {
    let (f, _runs, _run) = open_with_task(|worker| worker).await;
    let begun = Instant::now();
    f.stop.cancel();
    f.server.next::<TaskReleaseRequest>().await;
    assert!((ms(10_000)..ms(10_010)).contains(&begun.elapsed()));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_does_not_keep_it() {
    let (f, _runs, _run) = open_with_task(|worker| worker.grace(ms(500))).await;
    f.server.kill();
    f.stop.cancel();
    timeout(ms(10_000), f.stopped()).await.expect("it goes on").unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_unblock_that_is_being_handled_has_the_grace_period_and_no_more() {
    let handler = |promise: PromiseRecord, _| async move {
        sleep(if promise.id == "short" { ms(300) } else { TTL }).await;
        Ok(())
    };
    let (mut f, _runs) = open(|worker| worker.grace(ms(500)).on_unblock(handler)).await;
    let begun = Instant::now();
    f.stream.unblock([resolved("short", ()), resolved("long", ())], "x");
    settle().await;
    f.stop.cancel();
    f.server.next::<DispatchDrainRequest>().await.reply(DispatchDrainResponse {});
    let acknowledge = f.server.next::<DispatchAcknowledgeRequest>().await;
    assert_eq!(acknowledge.request.unblocks.len(), 1);
    assert_eq!(acknowledge.request.unblocks[0].promise_id, "short");
    acknowledge.reply(Default::default());
    f.stopped().await.unwrap();
    assert!((ms(500)..ms(520)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn what_failed_and_what_it_acquires_too_late_is_given_back_at_once() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.give("failed", 0).await;
    runs.next().await.fail("no");
    f.stream.execute("late", 0);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    let begun = Instant::now();
    f.stop.cancel();
    let failed = f.server.next::<TaskReleaseRequest>().await;
    assert_eq!(failed.request.id, "failed");
    failed.reply(TaskReleaseResponse {});
    grant(acquire, pending("late"));
    let late = f.server.next::<TaskReleaseRequest>().await;
    assert_eq!(late.request.id, "late");
    late.reply(TaskReleaseResponse {});
    assert!(begun.elapsed() < ms(100));
    assert_eq!(runs.waiting(), 0);
}

#[tokio::test(start_paused = true)]
async fn it_does_not_ask_again_for_a_task_whose_answer_was_lost() {
    let (mut f, _runs) = open(|worker| worker).await;
    f.stream.execute("t", 0);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    f.stop.cancel();
    f.server.next::<DispatchDrainRequest>().await.reply(DispatchDrainResponse {});
    acquire.lose();
    let server = f.server.clone();
    f.stopped().await.unwrap();
    assert_eq!(server.waiting::<TaskAcquireRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_it_opened_again_meanwhile_is_drained_too() {
    let (mut f, _runs, _run) = open_with_task(|worker| worker).await;
    f.stop.cancel();
    f.server.next::<DispatchDrainRequest>().await.reply(DispatchDrainResponse {});
    f.stream.fail(&Refusal::bare(Code::Unavailable, ""));
    f.reopened().await;
    let again = f.server.next::<DispatchDrainRequest>().await;
    assert_eq!(again.request.session_id, "session 2");
}

#[tokio::test(start_paused = true)]
async fn it_may_stop_before_the_server_has_said_anything() {
    let server = Server::default();
    server.kill();
    let client = server.client();
    let worker = Worker::new(&client, "g", async |_| Ok(()));
    worker.run_until(sleep(ms(1_000))).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn another_process_with_its_pid_has_it_give_back_what_it_holds_and_fail() {
    let (mut f, _runs, mut run) = open_with_task(|worker| worker).await;
    f.stream.fail(&Refusal::new(Code::Aborted, "SESSION_REPLACED"));
    run.dropped().await;
    let release = f.server.next::<TaskReleaseRequest>().await;
    assert_eq!(release.request.id, "t");
    release.reply(TaskReleaseResponse {});
    assert!(f.stopped().await.unwrap_err().is(Reason::SessionReplaced));
}

#[tokio::test(start_paused = true)]
async fn dropping_its_future_ends_all_at_once() {
    let (mut f, _runs, mut run) = open_with_task(|worker| worker).await;
    f.worker.abort();
    run.dropped().await;
    f.stream.cancelled().await;
    settle().await;
    assert_eq!(run.context.over().unwrap().end, RunEnd::Stopped);
    sleep(TTL).await;
    assert_eq!(
        f.server.waiting::<TaskHeartbeatRequest>() + f.server.waiting::<TaskReleaseRequest>(),
        0
    );
}

#[tokio::test]
#[should_panic(expected = "max_in_flight must be at least 1")]
async fn it_holds_at_least_one_task() {
    let _ = Worker::new(&Server::default().client(), "g", async |_| Ok(())).max_in_flight(0);
}

#[tokio::test]
#[should_panic(expected = "ttl must be at least 1 ms")]
async fn a_lease_has_a_length() {
    let _ = Worker::new(&Server::default().client(), "g", async |_| Ok(())).ttl(ms(0));
}

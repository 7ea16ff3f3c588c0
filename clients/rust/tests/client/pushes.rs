//! Pushes that come twice, too many, or too late.

use resonate_grpc::v1::{TaskAcquireRequest, TaskFulfillRequest, TaskSuspendRequest};
use resonate_grpc::{Code, RunEnd};

use crate::support::fixture::{grant, open, open_with_task};
use crate::support::records::{fulfilled, pending, resolved, suspended};
use crate::support::refusal::Refusal;
use crate::support::settle;

#[tokio::test(start_paused = true)]
async fn one_that_comes_twice_is_ignored_while_the_task_is_acquired_and_while_it_runs() {
    let (mut f, mut runs) = open(|worker| worker).await;
    f.stream.execute("t", 0);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    f.stream.execute("t", 0);
    settle().await;
    grant(acquire, pending("t"));
    let run = runs.next().await;
    f.stream.execute("t", 0);
    settle().await;
    assert_eq!(run.context.over(), None);
    run.finish(());
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("t", ())));
    settle().await;
    assert_eq!(f.server.waiting::<TaskAcquireRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn those_over_the_limit_wait_and_are_taken_in_order_when_there_is_room() {
    let (mut f, mut runs) = open(|worker| worker.max_in_flight(1)).await;
    f.give("a", 0).await;
    for id in ["b", "c", "b"] {
        f.stream.execute(id, 0);
    }
    let mut run = runs.next().await;
    for (done, next) in [("a", "b"), ("b", "c")] {
        settle().await;
        assert_eq!(f.server.waiting::<TaskAcquireRequest>(), 0);
        run.finish(());
        f.server
            .next::<TaskFulfillRequest>()
            .await
            .reply(fulfilled(resolved(done, ())));
        let acquire = f.server.next::<TaskAcquireRequest>().await;
        assert_eq!(acquire.request.id, next);
        grant(acquire, pending(next));
        run = runs.next().await;
    }
}

#[tokio::test(start_paused = true)]
async fn those_that_wait_are_forgotten_when_the_stream_ends_and_when_the_server_drains() {
    for drains in [false, true] {
        let (mut f, mut runs, run) = open_with_task(|worker| worker.max_in_flight(1)).await;
        f.stream.execute("b", 0);
        if drains {
            f.stream.drain();
        }
        settle().await;
        if !drains {
            f.stream.fail(&Refusal::new(Code::Unavailable, "DRAINING"));
            f.reopened().await;
        }
        assert_eq!(run.context.over(), None);
        run.finish(());
        f.server
            .next::<TaskFulfillRequest>()
            .await
            .reply(fulfilled(resolved("t", ())));
        f.give("c", 0).await;
        assert_eq!(runs.next().await.id(), "c");
        assert_eq!(f.server.waiting::<TaskAcquireRequest>(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn one_of_a_task_that_this_worker_believes_to_hold_proves_that_it_does_not() {
    let (mut f, mut runs, mut run) = open_with_task(|worker| worker).await;
    f.stream.execute("t", 1);
    let acquire = f.server.next::<TaskAcquireRequest>().await;
    assert_eq!(acquire.request.version, 1);
    assert_eq!(run.context.over().unwrap().end, RunEnd::Lost);
    run.dropped().await;
    grant(acquire, pending("t"));
    assert_eq!(runs.next().await.context.task().version, 2);
}

#[tokio::test(start_paused = true)]
async fn one_of_a_task_that_is_just_being_suspended_waits_for_the_end_of_that() {
    let (mut f, mut runs, run) = open_with_task(|worker| worker).await;
    let ((), _) = tokio::join!(
        async {
            let suspend = f.server.next::<TaskSuspendRequest>().await;
            f.stream.execute("t", 1);
            settle().await;
            assert_eq!(f.server.waiting::<TaskAcquireRequest>(), 0);
            assert_eq!(run.context.over(), None);
            suspend.reply(suspended());
        },
        run.context.await_all([pending("child")])
    );
    assert_eq!(run.context.over().unwrap().end, RunEnd::Suspended);
    grant(f.server.next::<TaskAcquireRequest>().await, pending("t"));
    assert_eq!(runs.next().await.context.task().version, 2);
}

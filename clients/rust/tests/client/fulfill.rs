//! The end of a task, and answers about it that are lost.

use resonate_grpc::v1::{PromiseGetRequest, TaskFenceRequest, TaskFulfillRequest, TaskReleaseRequest};
use resonate_grpc::{HandlerResult, RunEnd, TaskContext, Work, Worker};

use crate::context::over;
use crate::support::fixture::{Fixture, assert_dropped, open_with_task};
use crate::support::records::{found, fulfilled, pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::settle;

fn one(worker: Worker) -> Worker {
    worker.max_in_flight(1)
}

/// Of a fulfil that comes twice.
fn gone(state: &str) -> Refusal {
    Refusal::conflict("TASK_NOT_ACQUIRED", state, 1, None)
}

#[tokio::test(start_paused = true)]
async fn when_an_answer_was_lost_a_promise_that_is_settled_is_done() {
    let (mut f, mut runs, run) = open_with_task(one).await;
    let context = run.context.clone();
    run.finish("value");
    f.server.next::<TaskFulfillRequest>().await.lose();
    f.server.next::<TaskFulfillRequest>().await.refuse(&gone("fulfilled"));
    let get = f.server.next::<PromiseGetRequest>().await;
    assert_eq!(get.request.id, "t");
    get.reply(found(resolved("t", "value")));
    settle().await;
    assert_eq!(context.over().unwrap().end, RunEnd::Finished);
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn when_an_answer_was_lost_a_promise_that_is_pending_is_lost() {
    let (mut f, mut runs, run) = open_with_task(one).await;
    let context = run.context.clone();
    run.finish("value");
    f.server.next::<TaskFulfillRequest>().await.lose();
    f.server.next::<TaskFulfillRequest>().await.refuse(&gone("pending"));
    f.server.next::<PromiseGetRequest>().await.reply(found(pending("t")));
    settle().await;
    assert_eq!(context.over().unwrap().end, RunEnd::Lost);
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_refused_at_once_is_dropped_without_a_look() {
    let (mut f, mut runs, run) = open_with_task(one).await;
    run.finish("value");
    f.server.next::<TaskFulfillRequest>().await.refuse(&gone("pending"));
    assert_dropped(&mut f, &mut runs).await;
    assert_eq!(f.server.waiting::<PromiseGetRequest>(), 0);
}

#[tokio::test(start_paused = true)]
async fn it_is_fulfilled_again_when_a_refusal_shows_that_it_is_the_holder() {
    let (f, _runs, run) = open_with_task(one).await;
    run.finish("value");
    let refusal = Refusal::conflict("TASK_MISSING", "acquired", 1, Some("w"));
    f.server.next::<TaskFulfillRequest>().await.refuse(&refusal);
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("t", "value")));
    settle().await;
    assert_eq!(
        f.server.waiting::<TaskFulfillRequest>() + f.server.waiting::<TaskReleaseRequest>(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_handler_has_left_behind_is_over() {
    let (f, _runs, run) = open_with_task(one).await;
    let context = run.context.clone();
    let spawned = tokio::spawn(async move {
        context.cancellation().cancelled().await;
        context.create(Work::new("c")).await
    });
    run.finish(());
    f.server
        .next::<TaskFulfillRequest>()
        .await
        .reply(fulfilled(resolved("t", ())));
    assert_eq!(over(spawned.await.unwrap()).end, RunEnd::Finished);
}

#[tokio::test(start_paused = true)]
async fn what_a_handler_makes_of_the_end_of_its_run_changes_nothing() {
    async fn swallow(context: TaskContext) -> HandlerResult<&'static str> {
        let _ = context.create(Work::new("c")).await;
        Ok("swallowed it")
    }
    let mut f = Fixture::open(swallow, one).await;
    f.give("t", 0).await;
    let fence = f.server.next::<TaskFenceRequest>().await;
    fence.refuse(&Refusal::conflict("TASK_VERSION_MISMATCH", "acquired", 2, Some("other")));
    f.give("next", 0).await;
    f.server.next::<TaskFenceRequest>().await;
    assert_eq!(
        f.server.waiting::<TaskFulfillRequest>() + f.server.waiting::<TaskReleaseRequest>(),
        0
    );
}

//! Waiting for other promises, and for an instant.

use std::time::UNIX_EPOCH;

use resonate_grpc::v1::task_fence_request::Action;
use resonate_grpc::v1::{PromiseGetRequest, TaskFenceRequest, TaskFulfillRequest, TaskSuspendRequest};
use resonate_grpc::{Awaited, PromiseState, Reason, RunEnd};

use crate::context::{over, refused};
use crate::support::fixture::{assert_dropped, open_with_task};
use crate::support::ms;
use crate::support::records::{fenced, found, pending, ready, resolved, settled, suspended};
use crate::support::refusal::Refusal;

#[tokio::test(start_paused = true)]
async fn what_is_settled_is_returned_in_order_and_only_ids_are_read() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let awaited: [Awaited; 3] = [resolved("a", "1").into(), "b".into(), resolved("c", "3").into()];
    let (records, ()) = tokio::join!(run.context.await_all(awaited), async {
        let get = f.server.next::<PromiseGetRequest>().await;
        assert_eq!(get.request.id, "b");
        get.reply(found(settled("b", PromiseState::Rejected, "2")));
    });
    let values: Vec<_> = records.unwrap().into_iter().map(|record| record.value.unwrap()).collect();
    assert_eq!(values, ["1".into(), "2".into(), "3".into()]);
    assert_eq!(run.context.await_all(Vec::<String>::new()).await, Ok(vec![]));
    assert_eq!(
        f.server.waiting::<PromiseGetRequest>() + f.server.waiting::<TaskSuspendRequest>(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_promise_is_not_found() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let (records, ()) = tokio::join!(run.context.await_all(["x"]), async {
        f.server
            .next::<PromiseGetRequest>()
            .await
            .refuse(&Refusal::not_found("PROMISE_NOT_FOUND"));
    });
    assert!(refused(records).is(Reason::PromiseNotFound));
}

#[tokio::test(start_paused = true)]
async fn the_task_is_suspended_on_the_first_pending_one_and_the_run_is_over() {
    let (mut f, mut runs, mut run) = open_with_task(|worker| worker.max_in_flight(1)).await;
    let awaited = [resolved("a", ()), pending("b"), pending("c")];
    let (records, ()) = tokio::join!(run.context.await_all(awaited), async {
        let suspend = f.server.next::<TaskSuspendRequest>().await;
        let expected = TaskSuspendRequest {
            id: "t".to_owned(),
            version: 1,
            awaited_ids: vec!["b".to_owned()],
        };
        assert_eq!(suspend.request, expected);
        suspend.reply(suspended());
    });
    assert_eq!(over(records).end, RunEnd::Suspended);
    assert_eq!(over(run.context.get("d").await).end, RunEnd::Suspended);
    assert!(run.context.cancellation().is_cancelled());
    run.dropped().await;
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn it_goes_on_at_once_when_something_has_settled_meanwhile_for_as_long_as_it_takes() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let (records, ()) = tokio::join!(run.context.await_all([pending("a"), pending("b")]), async {
        let suspend = f.server.next::<TaskSuspendRequest>().await;
        assert_eq!(suspend.request.awaited_ids, ["a"]);
        suspend.reply(ready());
        for _ in 0..2 {
            let get = f.server.next::<PromiseGetRequest>().await;
            let record = if get.request.id == "a" {
                resolved("a", "1")
            } else {
                pending("b")
            };
            get.reply(found(record));
        }
        let again = f.server.next::<TaskSuspendRequest>().await;
        assert_eq!(again.request.awaited_ids, ["b"]);
        again.reply(ready());
        let get = f.server.next::<PromiseGetRequest>().await;
        assert_eq!(get.request.id, "b");
        get.reply(found(resolved("b", "2")));
    });
    assert_eq!(records.unwrap(), [resolved("a", "1"), resolved("b", "2")]);
    assert_eq!(run.context.over(), None);
}

#[tokio::test(start_paused = true)]
async fn the_handler_runs_again_from_its_start_when_the_task_is_resumed() {
    let (mut f, mut runs, run) = open_with_task(|worker| worker).await;
    let (records, ()) = tokio::join!(run.context.await_all([pending("a")]), async {
        f.server.next::<TaskSuspendRequest>().await.reply(suspended());
    });
    over(records);
    f.give("t", 1).await;
    let again = runs.next().await;
    assert_eq!(again.context.task().version, 2);
    let (records, ()) = tokio::join!(again.context.await_all(["a"]), async {
        f.server.next::<PromiseGetRequest>().await.reply(found(resolved("a", "1")));
    });
    again.finish(records.unwrap().remove(0).outcome().unwrap());
    let request = f.server.next::<TaskFulfillRequest>().await.request;
    assert_eq!((request.version, request.value), (2, Some("1".into())));
}

#[tokio::test(start_paused = true)]
async fn the_run_ends_when_the_answer_was_lost_wherever_the_task_is_now() {
    for refusal in [
        Refusal::conflict("TASK_NOT_ACQUIRED", "suspended", 1, None),
        Refusal::conflict("TASK_NOT_ACQUIRED", "pending", 1, None),
        Refusal::conflict("TASK_VERSION_MISMATCH", "acquired", 2, Some("other")),
    ] {
        let (mut f, mut runs, mut run) = open_with_task(|worker| worker.max_in_flight(1)).await;
        let (records, ()) = tokio::join!(run.context.await_all([pending("a")]), async {
            f.server.next::<TaskSuspendRequest>().await.lose();
            f.server.next::<TaskSuspendRequest>().await.refuse(&refusal);
        });
        over(records);
        run.dropped().await;
        assert_dropped(&mut f, &mut runs).await;
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_suspended_after_all_when_the_lost_call_had_not_arrived() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let (records, ()) = tokio::join!(run.context.await_all([pending("a")]), async {
        f.server.next::<TaskSuspendRequest>().await.lose();
        f.server.next::<TaskSuspendRequest>().await.reply(suspended());
    });
    assert_eq!(over(records).end, RunEnd::Suspended);
}

#[tokio::test(start_paused = true)]
async fn sleep_until_creates_a_timer_and_waits_for_it() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let (slept, ()) = tokio::join!(run.context.sleep_until("nap", UNIX_EPOCH + ms(5_000)), async {
        let fence = f.server.next::<TaskFenceRequest>().await;
        let Some(Action::Create(spec)) = &fence.request.action else {
            panic!()
        };
        assert_eq!((spec.id.as_str(), spec.timeout_at_ms), ("nap", 5_000));
        assert_eq!(spec.tags, [("resonate:timer".to_owned(), "true".to_owned())].into());
        fence.reply(fenced(pending("nap")));
        let suspend = f.server.next::<TaskSuspendRequest>().await;
        assert_eq!(suspend.request.awaited_ids, ["nap"]);
        suspend.reply(suspended());
    });
    assert_eq!(over(slept).end, RunEnd::Suspended);
}

#[tokio::test(start_paused = true)]
async fn sleep_until_returns_when_the_timer_has_fired() {
    let (f, _runs, run) = open_with_task(|worker| worker).await;
    let (slept, ()) = tokio::join!(run.context.sleep_until("nap", UNIX_EPOCH), async {
        f.server.next::<TaskFenceRequest>().await.reply(fenced(resolved("nap", ())));
    });
    slept.unwrap();
    assert_eq!(f.server.waiting::<TaskSuspendRequest>(), 0);
}

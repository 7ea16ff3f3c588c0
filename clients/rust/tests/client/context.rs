//! The fenced calls of a handler.

use resonate_grpc::v1::task_fence_request::Action;
use resonate_grpc::v1::task_fence_response::Outcome;
use resonate_grpc::v1::{
    PromiseGetRequest, PromiseSettlement, PromiseSpec, Reason, Refusal as InnerRefusal, TaskFenceRequest, TaskFenceResponse,
};
use resonate_grpc::{Code, Error, PromiseRecord, RunEnd, RunOver, SettleState, TaskError, Work, Worker};
use tokio::time::Instant;

use crate::support::fixture::{TTL, assert_dropped, open_with_task};
use crate::support::records::{fenced, found, pending, resolved};
use crate::support::refusal::Refusal;
use crate::support::{assert_backed_off, ms};

fn one(worker: Worker) -> Worker {
    worker.max_in_flight(1)
}

pub fn over<T: std::fmt::Debug>(result: Result<T, TaskError>) -> RunOver {
    match result {
        Err(TaskError::Over(over)) => over,
        other => panic!("the run goes on: {other:?}"),
    }
}

pub fn refused<T: std::fmt::Debug>(result: Result<T, TaskError>) -> Error {
    match result {
        Err(TaskError::Call(error)) => error,
        other => panic!("the call was not refused: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn create_goes_through_the_fence_with_the_deadline_of_the_parent() {
    let (f, _runs, run) = open_with_task(one).await;
    let work = Work::new("c").target("any@g").param("x");
    let (created, ()) = tokio::join!(run.context.create(work), async {
        let fence = f.server.next::<TaskFenceRequest>().await;
        let spec = PromiseSpec {
            id: "c".to_owned(),
            timeout_at_ms: pending("t").timeout_at_ms,
            param: Some("x".into()),
            tags: [("resonate:target".to_owned(), "any@g".to_owned())].into(),
        };
        let expected = TaskFenceRequest {
            id: "t".to_owned(),
            version: 1,
            action: Some(Action::Create(spec)),
        };
        assert_eq!(fence.request, expected);
        fence.reply(fenced(resolved("c", "as it stands")));
    });
    assert_eq!(created.unwrap(), resolved("c", "as it stands"));
}

#[tokio::test(start_paused = true)]
async fn create_all_is_all_at_once_and_in_order() {
    let (f, _runs, run) = open_with_task(one).await;
    let works = (0..50).map(|n| Work::new(format!("c{n}")));
    let (created, ()) = tokio::join!(run.context.create_all(works), async {
        let mut calls = Vec::new();
        for _ in 0..50 {
            calls.push(f.server.next::<TaskFenceRequest>().await);
        }
        for call in calls.into_iter().rev() {
            let Some(Action::Create(spec)) = call.request.action.clone() else {
                panic!()
            };
            call.reply(fenced(pending(&spec.id)));
        }
    });
    let ids: Vec<_> = created.unwrap().into_iter().map(|record| record.id).collect();
    assert_eq!(ids, (0..50).map(|n| format!("c{n}")).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn settle_goes_through_the_fence() {
    let (f, _runs, run) = open_with_task(one).await;
    let (settled, ()) = tokio::join!(run.context.settle("c", SettleState::RejectedCanceled, "x"), async {
        let fence = f.server.next::<TaskFenceRequest>().await;
        let settlement = PromiseSettlement {
            id: "c".to_owned(),
            state: SettleState::RejectedCanceled.into(),
            value: Some("x".into()),
        };
        assert_eq!(fence.request.action, Some(Action::Settle(settlement)));
        fence.reply(fenced(resolved("c", "earlier")));
    });
    assert_eq!(settled.unwrap(), resolved("c", "earlier"));
}

#[tokio::test(start_paused = true)]
async fn an_inner_refusal_is_as_that_of_the_inner_call() {
    let (f, _runs, run) = open_with_task(one).await;
    let (settled, ()) = tokio::join!(run.context.settle("c", SettleState::Resolved, ()), async {
        let refusal = InnerRefusal {
            reason: Reason::PromiseNotFound.into(),
            protocol_status: 404,
            message: r#"no promise "c""#.to_owned(),
            metadata: [("id".to_owned(), "c".to_owned())].into(),
            code: 5,
        };
        let outcome = Some(Outcome::Refusal(refusal));
        f.server.next::<TaskFenceRequest>().await.reply(TaskFenceResponse { outcome });
    });
    let error = refused(settled);
    assert_eq!((error.code, error.status), (Code::NotFound, Some(404)));
    assert_eq!(error.reason.as_deref(), Some("PROMISE_NOT_FOUND"));
    assert_eq!(error.metadata["id"], "c");
    assert_eq!(error.message, r#"no promise "c""#);
    assert_eq!(run.context.over(), None);
}

#[tokio::test(start_paused = true)]
async fn get_reads_a_promise() {
    let (f, _runs, run) = open_with_task(one).await;
    let (read, ()) = tokio::join!(run.context.get("p"), async {
        let get = f.server.next::<PromiseGetRequest>().await;
        assert_eq!(get.request.id, "p");
        get.reply(found(pending("p")));
    });
    assert_eq!(read.unwrap(), pending("p"));
}

#[tokio::test(start_paused = true)]
async fn a_call_is_repeated_while_the_answer_is_lost_and_the_lease_stands() {
    let (f, _runs, run) = open_with_task(one).await;
    let troubles = [
        Refusal::bare(Code::Unavailable, "dropped"),
        Refusal::new(Code::ResourceExhausted, "OVERLOADED"),
        Refusal::new(Code::ResourceExhausted, "STORAGE_FULL"),
        Refusal::bare(Code::Internal, "stream was reset"),
        Refusal::bare(Code::DeadlineExceeded, ""),
        // It is the holder after all.
        Refusal::conflict("TASK_MISSING", "acquired", 1, Some("w")),
    ];
    let (created, ()) = tokio::join!(run.context.create(Work::new("c")), async {
        let mut call = f.server.next::<TaskFenceRequest>().await;
        for (trouble, longest) in troubles.iter().zip([100, 200, 400, 800, 1_600, 3_200]) {
            let failed = Instant::now();
            call.refuse(trouble);
            call = f.server.next::<TaskFenceRequest>().await;
            assert_backed_off(failed, ms(longest));
        }
        call.reply(fenced(pending("c")));
    });
    assert_eq!(created.unwrap().id, "c");
}

#[tokio::test(start_paused = true)]
async fn a_call_is_repeated_when_the_connection_is_cut() {
    let (f, _runs, run) = open_with_task(one).await;
    let (created, ()) = tokio::join!(run.context.create(Work::new("c")), async {
        let _lost = f.server.next::<TaskFenceRequest>().await;
        f.server.cut();
        f.server.next::<TaskFenceRequest>().await.reply(fenced(pending("c")));
    });
    assert_eq!(created.unwrap().id, "c");
}

#[tokio::test(start_paused = true)]
async fn the_run_ends_when_the_lease_does_before_the_server_is_back() {
    let (mut f, mut runs, run) = open_with_task(one).await;
    let begun = Instant::now();
    let (created, ()) = tokio::join!(run.context.create(Work::new("c")), async {
        while begun.elapsed() < TTL - ms(6_000) {
            f.server.next::<TaskFenceRequest>().await.lose();
        }
    });
    assert_eq!(over(created).end, RunEnd::Lost);
    assert!(begun.elapsed() <= TTL + ms(1));
    assert_dropped(&mut f, &mut runs).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_under_way_is_cancelled_when_the_run_ends() {
    let (mut f, _runs, run) = open_with_task(one).await;
    let begun = Instant::now();
    let (created, call) = tokio::join!(run.context.create(Work::new("c")), async {
        let call = f.server.next::<TaskFenceRequest>().await;
        // Somebody else has had it meanwhile.
        f.stream.execute("t", 2);
        call
    });
    assert_eq!(over(created).end, RunEnd::Lost);
    call.cancelled().await;
    // No later than that, and not only at its deadline.
    assert!(begun.elapsed() < ms(10));
}

#[tokio::test(start_paused = true)]
async fn the_run_ends_when_it_is_not_the_holder_and_says_why() {
    for refusal in [
        Refusal::conflict("TASK_VERSION_MISMATCH", "acquired", 2, Some("other")),
        Refusal::conflict("TASK_NOT_ACQUIRED", "halted", 1, None),
        // Dead for all, whoever holds its task.
        Refusal::conflict("PROMISE_NOT_LIVE", "acquired", 1, Some("w")),
        Refusal::not_found("TASK_NOT_FOUND"),
    ] {
        let (mut f, mut runs, mut run) = open_with_task(one).await;
        let (created, ()) = tokio::join!(run.context.create(Work::new("c")), async {
            f.server.next::<TaskFenceRequest>().await.refuse(&refusal);
        });
        let over = over(created);
        assert_eq!(over.end, RunEnd::Lost);
        assert_eq!(over.cause, Some(Error::from(refusal.to_status())));
        assert_eq!(run.context.over(), Some(over));
        assert!(run.context.cancellation().is_cancelled());
        run.dropped().await;
        assert_dropped(&mut f, &mut runs).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_else_the_server_refuses_is_the_handlers_and_the_run_goes_on() {
    let (f, _runs, run) = open_with_task(one).await;
    let (created, ()) = tokio::join!(run.context.create(Work::new("")), async {
        let fence = f.server.next::<TaskFenceRequest>().await;
        fence.refuse(&Refusal::new(Code::InvalidArgument, "INVALID_REQUEST"));
    });
    assert!(refused(created).is(Reason::InvalidRequest));
    let (read, ()) = tokio::join!(run.context.get("x"), async {
        let get = f.server.next::<PromiseGetRequest>().await;
        get.refuse(&Refusal::not_found("PROMISE_NOT_FOUND"));
    });
    assert!(refused(read).is(Reason::PromiseNotFound));
    assert_eq!(run.context.over(), None);
}

#[tokio::test(start_paused = true)]
async fn every_call_of_a_run_that_is_over_fails_without_asking_the_server() {
    let (f, _runs, run) = open_with_task(one).await;
    let context = run.context.clone();
    run.finish(());
    f.server
        .next::<resonate_grpc::v1::TaskFulfillRequest>()
        .await
        .reply(Default::default());
    crate::support::settle().await;
    let ends = [
        over(context.create(Work::new("d")).await),
        over(context.create_all([Work::new("d")]).await),
        over(context.settle("d", SettleState::Resolved, ()).await),
        over(context.get("d").await),
        over(context.await_all([pending("d")]).await),
        over(context.await_all(Vec::<PromiseRecord>::new()).await),
        over(context.sleep_until("d", std::time::UNIX_EPOCH).await),
    ];
    assert!(ends.iter().all(|over| over.end == RunEnd::Finished));
    assert_eq!(
        f.server.waiting::<TaskFenceRequest>() + f.server.waiting::<PromiseGetRequest>(),
        0
    );
}

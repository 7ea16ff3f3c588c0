package resonate

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// holding returns a worker of one place that holds "t" under version 1.
func holding(t *testing.T) (*workerFixture, *openRun) {
	f := openWorker(t, maxInFlight(1))
	return f, f.run("t", 0)
}

func create(run *openRun, work Work) <-chan outcome[*pb.PromiseRecord] {
	return start(func() (*pb.PromiseRecord, error) { return run.task.Create(run.ctx, work) })
}

func awaitAll(run *openRun, promises ...*pb.PromiseRecord) <-chan outcome[[]*pb.PromiseRecord] {
	return start(func() ([]*pb.PromiseRecord, error) { return run.task.AwaitAll(run.ctx, promises...) })
}

func fenced(record *pb.PromiseRecord) *pb.TaskFenceResponse {
	return &pb.TaskFenceResponse{Outcome: &pb.TaskFenceResponse_Promise{Promise: record}}
}

var (
	suspended = &pb.TaskSuspendResponse{Outcome: &pb.TaskSuspendResponse_Suspended{Suspended: &pb.TaskSuspended{}}}
	ready     = &pb.TaskSuspendResponse{Outcome: &pb.TaskSuspendResponse_Ready{Ready: &pb.TaskReady{}}}
)

func TestCreate(t *testing.T) {
	bubble("creates a child through the fence, by default with the deadline of its parent", t, func(t *testing.T) {
		f, run := holding(t)
		answer := create(run, Work{ID: "c", Target: "any@g"})
		call := f.next(taskFence)
		requireSame(t, call.request, &pb.TaskFenceRequest{Id: "t", Version: 1, Action: &pb.TaskFenceRequest_Create{
			Create: &pb.PromiseSpec{
				Id: "c", TimeoutAtMs: run.task.Promise().TimeoutAtMs, Param: &pb.Value{},
				Tags: map[string]string{"resonate:target": "any@g"},
			},
		}})
		call.reply(fenced(settled("c", "as it stands")))
		requireEqual(t, decoded[string](t, value(t, answer).GetValue()), "as it stands")
	})

	bubble("is repeated while answers are lost and the lease stands", t, func(t *testing.T) {
		f, run := holding(t)
		answer := create(run, Work{ID: "c"})
		for i, trouble := range []refusal{
			draining,
			{code: codes.DeadlineExceeded},
			{code: codes.ResourceExhausted, reason: "OVERLOADED"},
			{code: codes.ResourceExhausted, reason: "STORAGE_FULL"},
			{code: codes.Internal, message: "stream was reset"},
			{code: codes.Unknown},
			{code: codes.Canceled},
		} {
			f.next(taskFence).refuse(trouble)
			failedAt := time.Now()
			call := f.next(taskFence)
			requireBackoff(t, failedAt, min(100*time.Millisecond<<i, 5*time.Second))
			f.inbox(taskFence) <- call
		}
		f.next(taskFence).reply(fenced(pending("c")))
		requireEqual(t, value(t, answer).GetId(), "c")
	})

	bubble("is repeated when no answer comes for a third of the ttl", t, func(t *testing.T) {
		f, run := holding(t)
		f.heartbeats()
		answer := create(run, Work{ID: "c"})
		unanswered := f.next(taskFence)
		begun := time.Now()
		<-unanswered.ctx.Done()
		requireEqual(t, time.Since(begun), ttl/3)
		f.next(taskFence).reply(fenced(pending("c")))
		value(t, answer)
	})

	bubble("ends the run when the lease ends before the server is back", t, func(t *testing.T) {
		f, run := holding(t)
		heldAt := time.Now()
		answer := create(run, Work{ID: "c"})
		f.next(taskFence).lose()
		f.kill()
		requireEqual(t, failure[*RunOver](t, answer).End, Lost)
		requireEqual(t, time.Since(heldAt), ttl)
	})

	bubble("ends the run when another one holds the task, and says why", t, func(t *testing.T) {
		f, run := holding(t)
		answer := create(run, Work{ID: "c"})
		f.next(taskFence).refuse(conflict("TASK_VERSION_MISMATCH", 2, "other", "acquired"))
		over := failure[*RunOver](t, answer)
		requireEqual(t, over.End, Lost)
		requireEqual(t, ReasonOf(over), "TASK_VERSION_MISMATCH")
		requireEqual(t, context.Cause(run.ctx), error(over))
		f.dropped()
	})

	for _, answer := range []refusal{
		{code: codes.NotFound, reason: "TASK_NOT_FOUND", status: 404},
		conflict("TASK_NOT_ACQUIRED", 1, "", "halted"),
		conflict("PROMISE_NOT_LIVE", 1, "w", "acquired"),
	} {
		bubble("ends the run on "+answer.reason, t, func(t *testing.T) {
			f, run := holding(t)
			created := create(run, Work{ID: "c"})
			f.next(taskFence).refuse(answer)
			refusedAt := time.Now()
			requireEqual(t, failure[*RunOver](t, created).End, Lost)
			requireEqual(t, time.Since(refusedAt), 0)
			f.dropped()
		})
	}

	bubble("goes on when a refusal shows that it is the holder", t, func(t *testing.T) {
		f, run := holding(t)
		answer := create(run, Work{ID: "c"})
		f.next(taskFence).refuse(conflict("TASK_MISSING", 1, "w", "acquired"))
		f.next(taskFence).reply(fenced(pending("c")))
		value(t, answer)
	})

	bubble("returns what else the server refuses, and the run goes on", t, func(t *testing.T) {
		f, run := holding(t)
		answer := create(run, Work{ID: ""})
		f.next(taskFence).refuse(refusal{code: codes.InvalidArgument, reason: "INVALID_REQUEST"})
		requireEqual(t, failure[*Error](t, answer).Reason, "INVALID_REQUEST")
		requireGoesOn(t, run.ctx)
	})

	bubble("ends with its own context, and the run goes on", t, func(t *testing.T) {
		f, run := holding(t)
		ctx, cancel := context.WithCancel(run.ctx)
		answer := start(func() (*pb.PromiseRecord, error) { return run.task.Create(ctx, Work{ID: "c"}) })
		call := f.next(taskFence)
		cancel()
		requireEqual(t, failure[*Error](t, answer).Code, codes.Canceled)
		<-call.ctx.Done()
		requireGoesOn(t, run.ctx)
	})

	bubble("ends with the run even in a context that has nothing to do with it", t, func(t *testing.T) {
		f, run := holding(t)
		answer := start(func() (*pb.PromiseRecord, error) { return run.task.Create(context.Background(), Work{ID: "c"}) })
		call := f.next(taskFence)
		f.stream.execute("t", 1)
		lostAt := time.Now()
		requireEqual(t, failure[*RunOver](t, answer).End, Lost)
		<-call.ctx.Done()
		requireEqual(t, time.Since(lostAt), 0)
	})

	bubble("may be called any number of times at once", t, func(t *testing.T) {
		f, run := holding(t)
		var answers []<-chan outcome[*pb.PromiseRecord]
		for i := range 100 {
			answers = append(answers, create(run, Work{ID: fmt.Sprint(i)}))
		}
		for range answers {
			f.next(taskFence).reply(fenced(pending("c")))
		}
		for _, answer := range answers {
			value(t, answer)
		}
	})
}

func TestSettle(t *testing.T) {
	bubble("settles a promise through the fence", t, func(t *testing.T) {
		f, run := holding(t)
		state := pb.SettleState_SETTLE_STATE_REJECTED_CANCELED
		answer := start(func() (*pb.PromiseRecord, error) {
			return run.task.Settle(run.ctx, "c", state, &pb.Value{Data: []byte{3}})
		})
		call := f.next(taskFence)
		requireSame(t, call.request, &pb.TaskFenceRequest{Id: "t", Version: 1, Action: &pb.TaskFenceRequest_Settle{
			Settle: &pb.PromiseSettlement{Id: "c", State: state, Value: &pb.Value{Data: []byte{3}}},
		}})
		call.reply(fenced(settled("c", "earlier")))
		requireEqual(t, decoded[string](t, value(t, answer).GetValue()), "earlier")
	})

	bubble("returns an inner refusal as the inner call would have, and the run goes on", t, func(t *testing.T) {
		f, run := holding(t)
		answer := start(func() (*pb.PromiseRecord, error) { return run.task.Settle(run.ctx, "c", 1, nil) })
		f.next(taskFence).reply(&pb.TaskFenceResponse{Outcome: &pb.TaskFenceResponse_Refusal{Refusal: &pb.Refusal{
			Reason: pb.Reason_REASON_PROMISE_NOT_FOUND, ProtocolStatus: 404, Message: `no promise "c"`,
			Metadata: map[string]string{"id": "c"},
		}}})
		err := failure[*Error](t, answer)
		requireEqual(t, err.Code, codes.NotFound)
		requireEqual(t, err.Reason, "PROMISE_NOT_FOUND")
		requireEqual(t, err.Status, 404)
		requireEqual(t, err.Message, `no promise "c"`)
		requireDeepEqual(t, err.Metadata, map[string]string{"id": "c"})
		requireGoesOn(t, run.ctx)
	})
}

func TestGet(t *testing.T) {
	bubble("reads a promise, and returns NOT_FOUND for an unknown one", t, func(t *testing.T) {
		f, run := holding(t)
		read := func() (*pb.PromiseRecord, error) { return run.task.Get(run.ctx, "p") }
		answer := start(read)
		f.next(promiseGet).lose()
		call := f.next(promiseGet)
		requireSame(t, call.request, &pb.PromiseGetRequest{Id: "p"})
		call.reply(&pb.PromiseGetResponse{Promise: settled("p", 1)})
		requireEqual(t, value(t, answer).GetId(), "p")
		answer = start(read)
		f.next(promiseGet).refuse(refusal{code: codes.NotFound, reason: "PROMISE_NOT_FOUND", status: 404})
		requireEqual(t, failure[*Error](t, answer).Reason, "PROMISE_NOT_FOUND")
		requireGoesOn(t, run.ctx)
	})
}

func TestAwaitAll(t *testing.T) {
	bubble("returns what is settled, in order, without a call", t, func(t *testing.T) {
		f, run := holding(t)
		records := value(t, awaitAll(run, settled("a", 1), settledAs(pb.PromiseState_PROMISE_STATE_REJECTED, "b", 2)))
		requireEqual(t, records[0].GetId()+records[1].GetId(), "ab")
		requireEqual(t, len(value(t, awaitAll(run))), 0)
		requireEqual(t, f.waiting(promiseGet)+f.waiting(taskSuspend), 0)
	})

	bubble("suspends the task and ends the run; every further call returns the same", t, func(t *testing.T) {
		f, run := holding(t)
		awaited := awaitAll(run, settled("a", nil), pending("b"), pending("c"))
		call := f.next(taskSuspend)
		requireSame(t, call.request, &pb.TaskSuspendRequest{Id: "t", Version: 1, AwaitedIds: []string{"b"}})
		call.reply(suspended)
		over := failure[*RunOver](t, awaited)
		requireEqual(t, over.End, Suspended)
		ctx := context.Background()
		_, created := run.task.Create(ctx, Work{ID: "d"})
		_, settledErr := run.task.Settle(ctx, "d", 1, nil)
		_, read := run.task.Get(ctx, "d")
		_, waited := run.task.AwaitAll(ctx, pending("d"))
		_, waitedForNothing := run.task.AwaitAll(ctx)
		slept := run.task.Sleep(ctx, "d", time.UnixMilli(1))
		for _, err := range []error{created, settledErr, read, waited, waitedForNothing, slept, context.Cause(run.ctx)} {
			requireEqual(t, err, error(over))
		}
		run.finish("swallowed it")
		f.dropped()
	})

	bubble("goes on at once when something has settled meanwhile, for as long as it takes", t, func(t *testing.T) {
		f, run := holding(t)
		given := []*pb.PromiseRecord{pending("a"), settled("b", 2), pending("c")}
		awaited := awaitAll(run, given...)
		f.next(taskSuspend).reply(ready)
		for range 2 {
			get := f.next(promiseGet)
			switch id := get.request.(*pb.PromiseGetRequest).Id; id {
			case "a":
				get.reply(&pb.PromiseGetResponse{Promise: settled("a", 1)})
			case "c":
				get.reply(&pb.PromiseGetResponse{Promise: pending("c")})
			default:
				t.Fatalf("read %s again", id)
			}
		}
		again := f.next(taskSuspend)
		requireDeepEqual(t, again.request.(*pb.TaskSuspendRequest).AwaitedIds, []string{"c"})
		again.reply(ready)
		f.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: settled("c", 3)})
		for i, record := range value(t, awaited) {
			requireEqual(t, decoded[int](t, record.GetValue()), i+1)
		}
		requireEqual(t, IsSettled(given[0]), false) // What the caller gave is left alone.
		requireGoesOn(t, run.ctx)
	})

	bubble("runs the handler again, from its start, when the task is resumed", t, func(t *testing.T) {
		f, run := holding(t)
		awaited := awaitAll(run, pending("a"))
		f.next(taskSuspend).reply(suspended)
		failure[*RunOver](t, awaited)
		again := f.run("t", 1)
		requireEqual(t, again.task.Version(), 2)
		again.finish(nil)
		requireEqual(t, f.fulfilled().Version, 2)
	})

	for name, answer := range map[string]refusal{
		"is suspended":        conflict("TASK_NOT_ACQUIRED", 1, "", "suspended"),
		"has been resumed":    conflict("TASK_NOT_ACQUIRED", 1, "", "pending"),
		"has its next holder": conflict("TASK_VERSION_MISMATCH", 2, "other", "acquired"),
	} {
		bubble("ends the run when the answer was lost and the task "+name, t, func(t *testing.T) {
			f, run := holding(t)
			awaited := awaitAll(run, pending("a"))
			f.next(taskSuspend).lose()
			f.next(taskSuspend).refuse(answer)
			failure[*RunOver](t, awaited)
			f.dropped()
		})
	}

	bubble("suspends after all when the lost call had not arrived", t, func(t *testing.T) {
		f, run := holding(t)
		awaited := awaitAll(run, pending("a"))
		f.next(taskSuspend).lose()
		f.next(taskSuspend).reply(suspended)
		requireEqual(t, failure[*RunOver](t, awaited).End, Suspended)
	})
}

func TestSleep(t *testing.T) {
	bubble("creates a timer and waits for it", t, func(t *testing.T) {
		f, run := holding(t)
		slept := start(func() (any, error) { return nil, run.task.Sleep(run.ctx, "nap", time.UnixMilli(5_000)) })
		fence := f.next(taskFence)
		requireSame(t, fence.request.(*pb.TaskFenceRequest).GetCreate(), &pb.PromiseSpec{
			Id: "nap", TimeoutAtMs: 5_000, Param: &pb.Value{}, Tags: map[string]string{"resonate:timer": "true"},
		})
		fence.reply(fenced(pending("nap")))
		call := f.next(taskSuspend)
		requireDeepEqual(t, call.request.(*pb.TaskSuspendRequest).AwaitedIds, []string{"nap"})
		call.reply(suspended)
		requireEqual(t, failure[*RunOver](t, slept).End, Suspended)
	})

	bubble("returns when the timer has fired", t, func(t *testing.T) {
		f, run := holding(t)
		slept := start(func() (any, error) { return nil, run.task.Sleep(run.ctx, "nap", time.UnixMilli(5_000)) })
		f.next(taskFence).reply(fenced(settled("nap", nil)))
		value(t, slept)
		requireEqual(t, f.waiting(taskSuspend), 0)
	})
}

func TestFulfil(t *testing.T) {
	bubble("looks at the promise when an answer was lost: settled is done", t, func(t *testing.T) {
		f, run := holding(t)
		run.finish("value")
		f.next(taskFulfill).lose()
		f.next(taskFulfill).refuse(conflict("TASK_NOT_ACQUIRED", 1, "", "fulfilled"))
		get := f.next(promiseGet)
		requireSame(t, get.request, &pb.PromiseGetRequest{Id: "t"})
		get.reply(&pb.PromiseGetResponse{Promise: settled("t", "value")})
		synctest.Wait()
		requireEqual(t, runOver(t, run.ctx), Finished)
		f.dropped()
	})

	bubble("looks at the promise when an answer was lost: pending is lost", t, func(t *testing.T) {
		f, run := holding(t)
		run.finish("value")
		f.next(taskFulfill).lose()
		f.next(taskFulfill).refuse(conflict("TASK_NOT_ACQUIRED", 1, "", "pending"))
		f.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: pending("t")})
		synctest.Wait()
		requireEqual(t, runOver(t, run.ctx), Lost)
		f.dropped()
	})

	bubble("looks at the promise again when that could not be read", t, func(t *testing.T) {
		f, run := holding(t)
		run.finish("value")
		f.next(taskFulfill).lose()
		f.next(taskFulfill).refuse(conflict("TASK_NOT_ACQUIRED", 1, "", "fulfilled"))
		f.next(promiseGet).refuse(refusal{code: codes.ResourceExhausted, reason: "OVERLOADED"})
		f.next(taskFulfill).refuse(conflict("TASK_NOT_ACQUIRED", 1, "", "fulfilled"))
		f.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: settled("t", "value")})
		synctest.Wait()
		requireEqual(t, runOver(t, run.ctx), Finished)
	})

	bubble("does not look when no answer was lost: the task is dropped", t, func(t *testing.T) {
		f, run := holding(t)
		run.finish("value")
		f.next(taskFulfill).refuse(conflict("TASK_NOT_ACQUIRED", 1, "", "pending"))
		f.dropped()
		requireEqual(t, f.waiting(promiseGet), 0)
		requireEqual(t, runOver(t, run.ctx), Lost)
	})

	bubble("ends what the handler has left behind", t, func(t *testing.T) {
		f, run := holding(t)
		run.finish(nil)
		f.fulfilled()
		synctest.Wait()
		_, err := run.task.Create(context.Background(), Work{ID: "c"})
		over, _ := errors.AsType[*RunOver](err)
		requireEqual(t, over.End, Finished)
	})
}

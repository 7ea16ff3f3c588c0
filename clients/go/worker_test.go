package resonate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const ttl = 30 * time.Second

// workerFixture is a worker "w" of the group "g" on a scripted server.
type workerFixture struct {
	*scripted
	worker *Worker
	stream *scriptedStream
	// The runs of its handler, as they come.
	runs chan *openRun
	stop context.CancelFunc
	done chan error
}

// openRun is one run of a handler, which the test ends.
type openRun struct {
	ctx  context.Context
	task *Task
	end  chan outcome[any]
}

func (r *openRun) finish(result any)  { r.end <- outcome[any]{value: result} }
func (r *openRun) fail(failure error) { r.end <- outcome[any]{err: failure} }

// openWorker returns a worker with an open stream. Each change is made to its fields first.
func openWorker(t *testing.T, changes ...func(*Worker)) *workerFixture {
	f := runWorker(t, newScripted(t), changes...)
	f.stream = f.nextStream()
	f.stream.hello("session", time.Hour) // It may be silent for three hours.
	synctest.Wait()
	return f
}

func runWorker(t *testing.T, server *scripted, changes ...func(*Worker)) *workerFixture {
	f := &workerFixture{scripted: server, runs: make(chan *openRun, 100), done: make(chan error, 1)}
	f.worker = &Worker{Client: f.client(), Group: "g", PID: "w", TTL: ttl, Handler: f.handle}
	for _, change := range changes {
		change(f.worker)
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		f.done <- f.worker.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-finished
	})
	return f
}

func (f *workerFixture) handle(ctx context.Context, task *Task) (any, error) {
	run := &openRun{ctx, task, make(chan outcome[any], 1)}
	f.runs <- run
	select {
	case ended := <-run.end:
		return ended.value, ended.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func maxInFlight(n int) func(*Worker)         { return func(w *Worker) { w.MaxInFlight = n } }
func handledBy(handler Handler) func(*Worker) { return func(w *Worker) { w.Handler = handler } }
func handledTo(result any, err error) func(*Worker) {
	return handledBy(func(context.Context, *Task) (any, error) { return result, err })
}

// give pushes a task and lets the worker have it.
func (f *workerFixture) give(id string, version int64) {
	f.t.Helper()
	f.stream.execute(id, version)
	f.grant(f.next(taskAcquire))
}

// grant answers an acquire.
func (f *workerFixture) grant(acquire *scriptedCall) {
	request := acquire.request.(*pb.TaskAcquireRequest)
	promise := pending(request.Id)
	promise.Param, _ = EncodeJSON([]int{10})
	acquire.reply(&pb.TaskAcquireResponse{
		Task: &pb.TaskRecord{
			Id: request.Id, Version: request.Version + 1, State: pb.TaskState_TASK_STATE_ACQUIRED,
			Pid: &request.Pid, TtlMs: &request.TtlMs,
		},
		Promise: promise,
	})
}

// run gives a task and returns the run of its handler.
func (f *workerFixture) run(id string, version int64) *openRun {
	f.t.Helper()
	f.give(id, version)
	run := receive(f.t, f.runs)
	requireEqual(f.t, run.task.ID(), id)
	return run
}

// fulfilled answers the next fulfil, and returns it.
func (f *workerFixture) fulfilled() *pb.TaskFulfillRequest {
	f.t.Helper()
	call := f.next(taskFulfill)
	request := call.request.(*pb.TaskFulfillRequest)
	call.reply(&pb.TaskFulfillResponse{Promise: settled(request.Id, nil)})
	return request
}

// released answers the next release, and returns it.
func (f *workerFixture) released() *pb.TaskReleaseRequest {
	f.t.Helper()
	call := f.next(taskRelease)
	call.reply(&pb.TaskReleaseResponse{})
	return call.request.(*pb.TaskReleaseRequest)
}

// heartbeats answers those that have come, and all that come from now on, until the test ends.
func (f *workerFixture) heartbeats() {
	ctx, cancel := context.WithCancel(context.Background())
	f.t.Cleanup(cancel)
	beats := f.inbox(taskHeartbeat)
	go func() {
		for {
			select {
			case beat := <-beats:
				beat.reply(&pb.TaskHeartbeatResponse{})
			case <-ctx.Done():
				return
			}
		}
	}()
}

// dropped checks that the only place of the worker is free, and that nothing has been done about the task that had it.
func (f *workerFixture) dropped() {
	f.t.Helper()
	f.run("marker", 0)
	requireEqual(f.t, f.waiting(taskAcquire)+f.waiting(taskFulfill)+f.waiting(taskRelease), 0)
}

func TestWorker(t *testing.T) {
	bubble("opens a stream as its group and pid", t, func(t *testing.T) {
		hellos := 0
		f := openWorker(t, maxInFlight(7), func(w *Worker) { w.OnHello = func(*pb.DispatchHello) { hellos++ } })
		requireSame(t, f.stream.request, &pb.DispatchRequest{Group: "g", Pid: "w", MaxInFlight: proto.Int32(7)})
		requireEqual(t, hellos, 1)
	})

	bubble("refuses fields that cannot work, and fills in those that are missing", t, func(t *testing.T) {
		client := newScripted(t).client()
		handler := func(context.Context, *Task) (any, error) { return nil, nil }
		for _, wrong := range []Worker{
			{Handler: handler},
			{Client: client},
			{Client: client, Handler: handler, MaxInFlight: -1},
			{Client: client, Handler: handler, MaxInFlight: 1 << 31},
			{Client: client, Handler: handler, TTL: time.Microsecond},
		} {
			if wrong.Run(context.Background()) == nil {
				t.Fatalf("accepted %+v", wrong)
			}
		}
		given := &Worker{Client: client, Handler: handler}
		first, err := given.settings()
		if err != nil {
			t.Fatal(err)
		}
		second, _ := given.settings()
		if first.PID == second.PID || given.PID != "" {
			t.Fatal("pids are not new")
		}
		requireEqual(t, first.MaxInFlight, 16)
		requireEqual(t, first.TTL, 30*time.Second)
		requireEqual(t, first.Grace, 10*time.Second)
		requireEqual(t, first.AttemptBackoff, Backoff{Initial: time.Second, Max: time.Minute})
		none, _ := (&Worker{Client: client, Handler: handler, Grace: -1}).settings()
		requireEqual(t, none.Grace, 0)
	})

	bubble("acquires what is pushed, and fulfils it with what the handler returns", t, func(t *testing.T) {
		f := openWorker(t, handledBy(func(_ context.Context, task *Task) (any, error) {
			var param []int
			err := task.Param(&param)
			return map[string]int64{"sum": int64(param[0]) + task.Version()}, err
		}))
		f.stream.execute("t", 4)
		acquire := f.next(taskAcquire)
		requireSame(t, acquire.request, &pb.TaskAcquireRequest{Id: "t", Version: 4, Pid: "w", TtlMs: 30_000})
		f.grant(acquire)
		request := f.fulfilled()
		requireEqual(t, request.Id, "t")
		requireEqual(t, request.Version, 5)
		requireEqual(t, request.State, pb.SettleState_SETTLE_STATE_RESOLVED)
		requireDeepEqual(t, decoded[map[string]int](t, request.Value), map[string]int{"sum": 15})
	})

	for name, value := range map[string]*pb.Value{
		"without data": {},
		"of no bytes":  {Data: []byte{}},
		"of any bytes": {Headers: map[string]string{"é": "\u0000"}, Data: []byte{0, 255}},
	} {
		bubble("fulfils with a Value "+name+" as it is", t, func(t *testing.T) {
			f := openWorker(t, handledTo(value, nil))
			f.give("t", 0)
			requireSame(t, f.fulfilled().Value, value)
		})
	}

	for name, err := range map[string]error{
		"a Reject":         &Reject{Value: map[string]int{"code": 7}},
		"a wrapped Reject": fmt.Errorf("wrapped: %w", &Reject{Value: map[string]int{"code": 7}}),
	} {
		bubble("rejects the promise with the value of "+name, t, func(t *testing.T) {
			f := openWorker(t, handledTo(nil, err))
			f.give("t", 0)
			request := f.fulfilled()
			requireEqual(t, request.State, pb.SettleState_SETTLE_STATE_REJECTED)
			requireDeepEqual(t, decoded[map[string]int](t, request.Value), map[string]int{"code": 7})
		})
	}
}

func TestFailedAttempts(t *testing.T) {
	// fails lets the run end with an error, and checks the back-off before the release.
	fails := func(f *workerFixture, run *openRun, longest time.Duration) {
		f.t.Helper()
		run.fail(errors.New("no"))
		failedAt := time.Now()
		requireSame(f.t, f.released(), &pb.TaskReleaseRequest{Id: "t", Version: run.task.Version()})
		requireBackoff(f.t, failedAt, longest)
	}

	bubble("are released after a back-off that grows with the failures in a row, the lease renewed", t, func(t *testing.T) {
		f := openWorker(t)
		f.heartbeats()
		for i, seconds := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			fails(f, f.run("t", int64(i)), seconds*time.Second)
		}
	})

	bubble("are forgotten once the task has been suspended, or fulfilled", t, func(t *testing.T) {
		f := openWorker(t)
		fails(f, f.run("t", 0), time.Second)
		run := f.run("t", 1)
		awaited := awaitAll(run, pending("child"))
		f.next(taskSuspend).reply(suspended)
		failure[*RunOver](t, awaited)
		fails(f, f.run("t", 2), time.Second)
		f.run("t", 3).finish(nil)
		f.fulfilled()
		fails(f, f.run("t", 4), time.Second)
	})

	bubble("are not those of a run that was lost", t, func(t *testing.T) {
		f := openWorker(t)
		f.run("t", 0)
		run := f.run("t", 1) // So the first run was lost.
		fails(f, run, time.Second)
	})

	for name, handler := range map[string]Handler{
		"ends its goroutine":            func(context.Context, *Task) (any, error) { runtime.Goexit(); return nil, nil },
		"panics":                        func(context.Context, *Task) (any, error) { panic("no") },
		"returns what JSON cannot hold": func(context.Context, *Task) (any, error) { return func() {}, nil },
	} {
		bubble("are those of a handler that "+name, t, func(t *testing.T) {
			f := openWorker(t, handledBy(handler))
			f.give("t", 0)
			requireSame(t, f.released(), &pb.TaskReleaseRequest{Id: "t", Version: 1})
		})
	}

	bubble("are those whose outcome the server refuses", t, func(t *testing.T) {
		f := openWorker(t, handledTo("much", nil))
		f.give("t", 0)
		f.next(taskFulfill).refuse(refusal{code: codes.InvalidArgument, reason: "INVALID_REQUEST"})
		requireSame(t, f.released(), &pb.TaskReleaseRequest{Id: "t", Version: 1})
	})

	bubble("keep their place while they wait", t, func(t *testing.T) {
		f := openWorker(t, maxInFlight(1))
		f.run("t", 0).fail(errors.New("no"))
		f.stream.execute("u", 0)
		synctest.Wait()
		requireEqual(t, f.waiting(taskAcquire), 0)
		f.released()
		f.grant(f.next(taskAcquire))
	})
}

func TestPushes(t *testing.T) {
	bubble("over the limit wait, and are taken in order when there is room", t, func(t *testing.T) {
		f := openWorker(t, maxInFlight(2))
		first, second := f.run("a", 0), f.run("b", 0)
		for _, id := range []string{"c", "d", "e"} {
			f.stream.execute(id, 0)
		}
		f.stream.execute("c", 1) // It keeps its place; the version is the newest.
		synctest.Wait()
		requireEqual(t, f.waiting(taskAcquire), 0)
		for _, id := range []string{"c", "d", "e"} {
			first.finish(nil)
			f.fulfilled()
			acquire := f.next(taskAcquire)
			requireEqual(t, acquire.request.(*pb.TaskAcquireRequest).Id, id)
			requireEqual(t, acquire.request.(*pb.TaskAcquireRequest).Version == 1, id == "c")
			synctest.Wait()
			requireEqual(t, f.waiting(taskAcquire), 0)
			f.grant(acquire)
			first, second = second, receive(t, f.runs)
		}
	})

	bubble("are never acquired above the limit, however many come", t, func(t *testing.T) {
		f := openWorker(t, maxInFlight(2))
		f.heartbeats()
		for i := range 1_000 {
			f.stream.execute(fmt.Sprint(i), 0)
		}
		for range 500 {
			f.grant(f.next(taskAcquire))
			f.grant(f.next(taskAcquire))
			first, second := receive(t, f.runs), receive(t, f.runs)
			synctest.Wait()
			requireEqual(t, f.waiting(taskAcquire), 0)
			first.finish(nil)
			second.finish(nil)
			f.fulfilled()
			f.fulfilled()
		}
	})

	for name, lapse := range map[string]func(*workerFixture){
		"the stream ends":      func(f *workerFixture) { f.stream.fail(draining) },
		"the server drains":    func(f *workerFixture) { f.stream.send(drainEvent); f.stream.fail(draining) },
		"the stream is silent": func(f *workerFixture) { f.stream.hello("session", time.Second); f.stream.left() },
		"the server is killed": func(f *workerFixture) { f.kill(); f.start() },
	} {
		bubble("that wait are dropped when "+name+"; what is held is still held", t, func(t *testing.T) {
			f := openWorker(t, maxInFlight(1))
			f.heartbeats()
			held := f.run("a", 0)
			f.stream.execute("b", 0)
			synctest.Wait()
			lapse(f)
			f.stream = f.nextStream()
			f.stream.hello("session 2", 15*time.Second)
			requireGoesOn(t, held.ctx)
			held.finish(nil)
			f.fulfilled()
			f.dropped()
		})
	}

	bubble("of the version that a run comes from say nothing", t, func(t *testing.T) {
		f := openWorker(t)
		run := f.run("t", 3)
		f.stream.execute("t", 3)
		requireGoesOn(t, run.ctx)
		run.finish(nil)
		f.fulfilled()
		synctest.Wait()
		requireEqual(t, f.waiting(taskAcquire), 0)
	})

	bubble("of a task that this worker believes to hold prove that it does not", t, func(t *testing.T) {
		f := openWorker(t)
		old := f.run("t", 0)
		offeredAt := time.Now()
		again := f.run("t", 1)
		requireEqual(t, runOver(t, old.ctx), Lost)
		requireEqual(t, time.Since(offeredAt), 0)
		requireEqual(t, again.task.Version(), 2)
		requireEqual(t, f.waiting(taskRelease), 0)
	})

	bubble("of a task whose acquire is not answered yet prove that the answer is out of date", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.execute("t", 0)
		old := f.next(taskAcquire)
		f.stream.execute("t", 1)
		synctest.Wait()
		f.grant(old)
		grantedAt := time.Now()
		acquire := f.next(taskAcquire)
		requireEqual(t, time.Since(grantedAt), 0)
		requireEqual(t, acquire.request.(*pb.TaskAcquireRequest).Version, 1)
		f.grant(acquire)
		for run := receive(t, f.runs); run.task.Version() != 2; run = receive(t, f.runs) {
			requireEqual(t, runOver(t, run.ctx), Lost)
		}
	})

	bubble("of a task that is just being suspended wait for the end of that", t, func(t *testing.T) {
		f := openWorker(t)
		run := f.run("t", 0)
		awaited := awaitAll(run, pending("child"))
		suspend := f.next(taskSuspend)
		f.stream.execute("t", 1)
		requireGoesOn(t, run.ctx)
		requireEqual(t, f.waiting(taskAcquire), 0)
		suspend.reply(suspended)
		requireEqual(t, failure[*RunOver](t, awaited).End, Suspended)
		f.grant(f.next(taskAcquire))
		requireEqual(t, receive(t, f.runs).task.Version(), 2)
	})

	bubble("of a task that is just being released wait for the end of that", t, func(t *testing.T) {
		f := openWorker(t)
		run := f.run("t", 0)
		run.fail(errors.New("no"))
		release := f.next(taskRelease)
		f.stream.execute("t", 1)
		requireGoesOn(t, run.ctx)
		release.reply(&pb.TaskReleaseResponse{})
		f.grant(f.next(taskAcquire))
		requireEqual(t, receive(t, f.runs).task.Version(), 2)
		requireEqual(t, runOver(t, run.ctx), Finished)
	})

	bubble("of a task that was just being suspended, and goes on, prove that it is lost", t, func(t *testing.T) {
		f := openWorker(t)
		run := f.run("t", 0)
		awaited := awaitAll(run, pending("child"))
		suspend := f.next(taskSuspend)
		f.stream.execute("t", 1)
		synctest.Wait()
		suspend.reply(ready)
		readyAt := time.Now()
		requireEqual(t, failure[*RunOver](t, awaited).End, Lost)
		requireEqual(t, time.Since(readyAt), 0)
	})
}

func TestAcquire(t *testing.T) {
	for name, answer := range map[string]refusal{
		"is not there":                   {code: codes.NotFound, reason: "TASK_NOT_FOUND", status: 404},
		"has another holder":             conflict("TASK_NOT_PENDING", 1, "other", "acquired"),
		"is held under another version":  conflict("TASK_NOT_PENDING", 2, "w", "acquired"),
		"is suspended":                   conflict("TASK_NOT_PENDING", 1, "", "suspended"),
		"has another version":            conflict("TASK_VERSION_MISMATCH", 3, "", "pending"),
		"is not acceptable":              {code: codes.InvalidArgument, reason: "INVALID_REQUEST"},
		"has a promise that is not live": conflict("PROMISE_NOT_LIVE", 0, "", "fulfilled"),
	} {
		bubble("drops a task that "+name, t, func(t *testing.T) {
			f := openWorker(t, maxInFlight(1))
			f.stream.execute("t", 0)
			f.next(taskAcquire).refuse(answer)
			f.dropped()
		})
	}

	bubble("goes on as the holder when only the answer was lost", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.execute("t", 0)
		f.next(taskAcquire).lose()
		lostAt := time.Now()
		f.next(taskAcquire).refuse(conflict("TASK_NOT_PENDING", 1, "w", "acquired"))
		adoptedAt := time.Now()
		// How much of the lease is left is not known: it is renewed at once.
		beat := f.next(taskHeartbeat)
		requireEqual(t, time.Since(adoptedAt), 0)
		requireSame(t, beat.request, &pb.TaskHeartbeatRequest{Pid: "w", Tasks: []*pb.TaskRef{{Id: "t", Version: 1}}})
		f.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: pending("t")})
		run := receive(t, f.runs)
		requireEqual(t, run.task.Version(), 1)
		requireEqual(t, run.task.Promise().GetId(), "t")
		// Until that is answered, it counts from the first try.
		<-run.ctx.Done()
		requireEqual(t, time.Since(lostAt), ttl)
	})

	bubble("tries again while the server is in trouble, for as long as a lease", t, func(t *testing.T) {
		f := openWorker(t, maxInFlight(1))
		f.stream.execute("t", 0)
		begun := time.Now()
		trouble := []refusal{
			draining,
			{code: codes.ResourceExhausted, reason: "OVERLOADED"},
			{code: codes.Internal, message: "stream was reset"},
		}
		for i := 0; time.Since(begun) < ttl-5*time.Second; i++ {
			refusedAt := time.Now()
			f.next(taskAcquire).refuse(trouble[i%3])
			call := f.next(taskAcquire)
			requireBackoff(t, refusedAt, min(100*time.Millisecond<<i, 5*time.Second))
			f.inbox(taskAcquire) <- call
		}
		for tries := true; tries; {
			f.next(taskAcquire).lose()
			select {
			case call := <-f.inbox(taskAcquire):
				if time.Since(begun) >= ttl {
					t.Fatal("tried for longer than a lease")
				}
				f.inbox(taskAcquire) <- call
			case <-time.After(6 * time.Second):
				tries = false
			}
		}
		f.dropped()
	})

	bubble("takes an answer that does not come for lost", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.execute("t", 0)
		unanswered := f.next(taskAcquire)
		begun := time.Now()
		<-unanswered.ctx.Done()
		requireEqual(t, time.Since(begun), ttl/3)
		f.grant(f.next(taskAcquire))
		receive(t, f.runs)
	})
}

package resonate

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// drains stops the worker, and answers its announcement.
func (f *workerFixture) drains() {
	f.t.Helper()
	f.stop()
	call := f.next(dispatchDrain)
	requireSame(f.t, call.request, &pb.DispatchDrainRequest{SessionId: "session"})
	call.reply(&pb.DispatchDrainResponse{})
}

func grace(limit time.Duration) func(*Worker) { return func(w *Worker) { w.Grace = limit } }

func TestStop(t *testing.T) {
	bubble("takes nothing new, lets handlers finish under their lease, and leaves the stream", t, func(t *testing.T) {
		f := openWorker(t, grace(time.Hour), maxInFlight(1))
		f.heartbeats()
		run := f.run("t", 0)
		f.stream.execute("waits", 0)
		synctest.Wait()
		f.drains()
		f.stream.execute("late", 0)
		time.Sleep(5 * ttl)
		requireGoesOn(t, run.ctx)
		answer := create(run, Work{ID: "c"})
		f.next(taskFence).reply(fenced(pending("c")))
		value(t, answer)
		run.finish("done")
		f.fulfilled()
		f.stream.left()
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, f.waiting(taskAcquire), 0)
	})

	bubble("gives back what is left after the grace period", t, func(t *testing.T) {
		f := openWorker(t, grace(700*time.Millisecond))
		run := f.run("t", 2)
		f.drains()
		stoppedAt := time.Now()
		requireSame(t, f.released(), &pb.TaskReleaseRequest{Id: "t", Version: 3})
		requireEqual(t, time.Since(stoppedAt), 700*time.Millisecond)
		requireEqual(t, runOver(t, run.ctx), Stopped)
		requireEqual(t, receive(t, f.done), nil)
	})

	bubble("does not wait for a handler that hangs, nor for a release that is not answered", t, func(t *testing.T) {
		hang := make(chan struct{})
		t.Cleanup(func() { close(hang) })
		f := openWorker(t, grace(-1), handledBy(func(context.Context, *Task) (any, error) {
			<-hang
			return nil, nil
		}))
		f.give("t", 0)
		synctest.Wait()
		f.drains()
		stoppedAt := time.Now()
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, f.waiting(taskRelease), 1)
		requireEqual(t, time.Since(stoppedAt), abandonTimeout+returnTimeout)
	})

	bubble("gives back at once what failed, and what it acquires too late", t, func(t *testing.T) {
		f := openWorker(t)
		f.run("failed", 0).fail(errors.New("no"))
		f.stream.execute("late", 0)
		late := f.next(taskAcquire)
		stoppedAt := time.Now()
		f.drains()
		requireEqual(t, f.released().Id, "failed")
		f.grant(late)
		requireEqual(t, f.released().Id, "late")
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, time.Since(stoppedAt), 0)
		requireEqual(t, len(f.runs), 0)
	})

	bubble("does not wait for long to give back what it acquires too late", t, func(t *testing.T) {
		f := openWorker(t, grace(-1))
		f.stream.execute("late", 0)
		late := f.next(taskAcquire)
		f.drains()
		synctest.Wait()
		f.grant(late)
		stoppedAt := time.Now()
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, f.waiting(taskRelease), 1)
		requireEqual(t, time.Since(stoppedAt), abandonTimeout)
	})

	bubble("does not ask again for a task whose answer was lost", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.execute("t", 0)
		acquire := f.next(taskAcquire)
		f.drains()
		acquire.lose()
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, f.waiting(taskAcquire), 0)
	})

	bubble("drains a stream that it opened again meanwhile, too", t, func(t *testing.T) {
		f := openWorker(t)
		f.run("t", 0)
		f.drains()
		f.stream.fail(draining)
		f.nextStream().hello("session 2", time.Hour)
		requireSame(t, f.next(dispatchDrain).request, &pb.DispatchDrainRequest{SessionId: "session 2"})
		requireEqual(t, f.released().Id, "t")
		requireEqual(t, receive(t, f.done), nil)
	})

	bubble("before it has started opens no stream", t, func(t *testing.T) {
		server := newScripted(t)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		worker := &Worker{Client: server.client(), Handler: func(context.Context, *Task) (any, error) { return nil, nil }}
		requireEqual(t, worker.Run(ctx), nil)
		synctest.Wait()
		requireEqual(t, len(server.streams), 0)
	})

	bubble("is forced by another process with its pid: it gives back what it holds, and returns the error", t, func(t *testing.T) {
		f := openWorker(t)
		f.run("t", 0)
		f.stream.fail(refusal{code: codes.Aborted, reason: "SESSION_REPLACED"})
		replacedAt := time.Now()
		requireEqual(t, f.released().Id, "t")
		requireEqual(t, ReasonOf(receive(t, f.done)), "SESSION_REPLACED")
		requireEqual(t, time.Since(replacedAt), 0)
		requireEqual(t, f.waiting(dispatchDrain)+len(f.streams), 0)
	})

	bubble("is forced by a refused stream", t, func(t *testing.T) {
		f := runWorker(t, newScripted(t))
		f.nextStream().fail(refusal{code: codes.InvalidArgument, reason: "INVALID_REQUEST"})
		requireEqual(t, ReasonOf(receive(t, f.done)), "INVALID_REQUEST")
	})

	bubble("leaves the client open", t, func(t *testing.T) {
		f := openWorker(t)
		f.drains()
		requireEqual(t, receive(t, f.done), nil)
		answer := get(context.Background(), f.worker.Client, "p")
		f.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: pending("p")})
		value(t, answer)
	})
}

func TestUntilSignal(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		ctx := UntilSignal(parent)
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
			t.Fatalf("%v was not heard", signal)
		}
	}
}

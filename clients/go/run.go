package resonate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// Handler does a task's work. What it returns resolves the promise: JSON, or a *pb.Value as it is, or nil for the empty value. A *Reject
// rejects it, and any other error, or a panic, is a failed attempt, and is retried.
//
// The context is done when the run is over, with a *RunOver as its cause: pass it on, and return.
type Handler func(ctx context.Context, task *Task) (any, error)

// environment is what all runs of a worker share.
type environment struct {
	client         *Client
	pid            string
	ttl            time.Duration
	handler        Handler
	attemptBackoff Backoff
	heartbeats     *heartbeats
	failures       *failures
	log            *slog.Logger
	// For all that a run does: not ended by the worker's context.
	base context.Context
	// Done when the worker begins to drain: nothing new is begun.
	stopping context.Context
	// The handlers that have not returned yet, those that have outlived their runs included.
	handlers sync.WaitGroup
}

// run is one run of the handler for one task: acquire, work, and fulfil, suspend or release.
type run struct {
	*environment
	// With the version that it is held under once it is acquired.
	task *pb.TaskRef

	mu sync.Mutex
	// Nil until the task is acquired.
	lease *lease
	// What came before that.
	offered, stopped bool
}

func newRun(environment *environment, execute *pb.DispatchExecute) *run {
	return &run{environment: environment, task: &pb.TaskRef{Id: execute.GetTaskId(), Version: execute.GetVersion() + 1}}
}

// perform returns when the task is no longer held.
func (r *run) perform() {
	ctx := r.base
	acquired := r.acquire(ctx)
	if acquired == nil {
		return
	}
	lease := acquired.lease
	r.hold(lease)
	defer r.heartbeats.remove(lease)
	holder := &holder{client: r.client, pid: r.pid, lease: lease, log: r.log}
	err := r.work(ctx, holder, acquired.promise)
	if lease.over() == Stopped {
		holder.abandon(ctx)
	}
	lease.end(Finished, nil)
	r.report(err)
}

// stop ends the handler and gives the task back.
func (r *run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	r.tell()
}

// offeredAgain says that the server offers the task under the version that this run holds: unless it is giving it up, it has lost it.
func (r *run) offeredAgain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = true
	r.tell()
}

func (r *run) hold(lease *lease) {
	r.heartbeats.add(lease)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lease = lease
	r.tell()
}

// tell lets the lease know, once there is one.
func (r *run) tell() {
	if r.lease == nil {
		return
	}
	if r.offered {
		r.lease.offeredAgain()
	}
	if r.stopped {
		r.lease.end(Stopped, nil)
	}
}

func (r *run) work(ctx context.Context, holder *holder, promise *pb.PromiseRecord) error {
	if r.stopping.Err() != nil {
		return holder.release(ctx)
	}
	if promise == nil {
		// How much of the lease is left is not known.
		go r.heartbeats.beat(ctx)
		var err error
		if promise, err = holder.get(ctx, r.task.Id); err != nil {
			return err
		}
	}
	err := r.attempt(ctx, holder, &Task{holder, promise})
	if err == nil {
		r.failures.clear(r.task.Id)
		return nil
	}
	if over := holder.lease.check(); over != nil {
		return over
	}
	// The handler failed, or the server does not take its outcome.
	delay := r.attemptBackoff.delay(r.failures.add(r.task.Id))
	r.log.Warn("attempt failed", "task", r.task.Id, "version", r.task.Version, "error", err, "delay", delay)
	wait, done := holder.lease.whileHeld(context.WithCancel(r.stopping))
	_ = sleep(wait, delay) // Releasing sees whether the run is over.
	done()
	return holder.release(ctx)
}

// attempt calls the handler and fulfils the task with what it returns.
func (r *run) attempt(ctx context.Context, holder *holder, task *Task) error {
	result, err := r.handle(holder.lease, task)
	state := pb.SettleState_SETTLE_STATE_RESOLVED
	if reject, ok := errors.AsType[*Reject](err); ok {
		state, result = pb.SettleState_SETTLE_STATE_REJECTED, reject.Value
	} else if err != nil {
		return err
	}
	value, err := EncodeJSON(result)
	if err != nil {
		return err
	}
	return holder.fulfill(ctx, state, value)
}

// handle returns when the handler does, or its run is over: one that hangs must not keep its place.
func (r *run) handle(lease *lease, task *Task) (result any, err error) {
	returned := make(chan struct{})
	var outcome any
	var failure error
	r.handlers.Go(func() {
		defer close(returned)
		failure = errors.New("the handler has ended its goroutine")
		defer func() {
			if panicked := recover(); panicked != nil {
				r.log.Error("handler panicked", "task", r.task.Id, "panic", panicked, "stack", string(debug.Stack()))
				failure = fmt.Errorf("the handler panicked: %v", panicked)
			}
		}()
		outcome, failure = r.handler(lease.ctx, task)
	})
	select {
	case <-returned:
		return outcome, failure
	case <-lease.ctx.Done():
		return nil, context.Cause(lease.ctx)
	}
}

func (r *run) report(err error) {
	log := r.log.With("task", r.task.Id, "version", r.task.Version)
	over, isOver := errors.AsType[*RunOver](err)
	switch {
	case err == nil:
		log.Debug("run finished")
	case isOver && over.End == Suspended:
		r.failures.clear(r.task.Id)
		log.Debug("task suspended")
	default:
		log.Warn("task dropped", "error", err)
	}
}

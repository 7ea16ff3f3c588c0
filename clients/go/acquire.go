package resonate

import (
	"context"
	"errors"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// acquired is a task that this process holds.
type acquired struct {
	lease *lease
	// Nil if it was held already: the answer that had it was lost.
	promise *pb.PromiseRecord
}

// acquire takes the task that was pushed. Nil: it is not to be had, and is dropped.
func (r *run) acquire(ctx context.Context) *acquired {
	request := &pb.TaskAcquireRequest{Id: r.task.Id, Version: r.task.Version - 1, Pid: r.pid, TtlMs: r.ttl.Milliseconds()}
	startedAt := time.Now()
	for failures := 0; ; failures++ {
		sentAt := time.Now()
		callCtx, done := context.WithTimeout(ctx, answerTimeout(r.ttl))
		response, err := r.client.TaskAcquire(callCtx, request)
		done()
		if err == nil {
			return &acquired{newLease(ctx, r.task, r.ttl, sentAt), response.GetPromise()}
		}
		failure, ok := errors.AsType[*Error](err)
		if ok && failure.showsHolder(r.pid, r.task.Version) {
			r.log.Info("task is held already: an answer was lost", "task", r.task.Id, "version", r.task.Version)
			return &acquired{newLease(ctx, r.task, r.ttl, startedAt), nil}
		}
		delay := callBackoff.delay(failures)
		tooLate := time.Since(startedAt)+delay >= r.ttl
		if !ok || !failure.isTransient() || tooLate || sleep(r.stopping, delay) != nil {
			r.log.Debug("task was not acquired", "task", r.task.Id, "version", r.task.Version, "error", err)
			return nil
		}
	}
}

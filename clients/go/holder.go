package resonate

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// How long a task that the worker does not finish may take to be given back.
const abandonTimeout = 2 * time.Second

// holder makes the calls of a task's holder. While the server or the network is in trouble they are repeated with back-off, for as long as
// the lease may be relied on. A refusal that shows another holder, or none, ends the run as lost; any other error is the caller's.
type holder struct {
	client *Client
	pid    string
	lease  *lease
	log    *slog.Logger
}

// get reads a promise.
func (h *holder) get(ctx context.Context, id string) (*pb.PromiseRecord, error) {
	return call(ctx, h, func(ctx context.Context) (*pb.PromiseRecord, error) { return h.read(ctx, id) })
}

// fence creates or settles another promise if the task is still held.
func (h *holder) fence(ctx context.Context, request *pb.TaskFenceRequest) (*pb.PromiseRecord, error) {
	request.Id, request.Version = h.lease.task.Id, h.lease.task.Version
	response, err := call(ctx, h, func(ctx context.Context) (*pb.TaskFenceResponse, error) {
		return h.client.TaskFence(ctx, request)
	})
	if err != nil {
		return nil, err
	}
	if refusal := response.GetRefusal(); refusal != nil {
		return nil, refusalError(refusal)
	}
	return present(response.GetPromise(), nil)
}

// suspend parks the task until the promise settles, which ends the run; or returns nil because it is settled already.
func (h *holder) suspend(ctx context.Context, awaitedID string) error {
	defer h.lease.giveUp()()
	request := &pb.TaskSuspendRequest{Id: h.lease.task.Id, Version: h.lease.task.Version, AwaitedIds: []string{awaitedID}}
	response, err := call(ctx, h, func(ctx context.Context) (*pb.TaskSuspendResponse, error) {
		return h.client.TaskSuspend(ctx, request)
	})
	if err != nil || response.GetReady() != nil {
		return err
	}
	return h.lease.end(Suspended, nil)
}

// fulfill settles the task's own promise.
func (h *holder) fulfill(ctx context.Context, state pb.SettleState, value *pb.Value) error {
	defer h.lease.giveUp()()
	request := &pb.TaskFulfillRequest{Id: h.lease.task.Id, Version: h.lease.task.Version, State: state, Value: value}
	repeated := false
	_, err := call(ctx, h, func(ctx context.Context) (*pb.TaskFulfillResponse, error) {
		response, err := h.client.TaskFulfill(ctx, request)
		if repeated && h.isRefused(err) {
			return nil, h.unlessSettled(ctx, err)
		}
		repeated = true
		return response, err
	})
	return err
}

// release gives the task back, to be pushed again at once, which ends the run.
func (h *holder) release(ctx context.Context) error {
	defer h.lease.giveUp()()
	if _, err := call(ctx, h, h.releaseOnce); err != nil {
		return err
	}
	h.lease.end(Finished, nil)
	return nil
}

// abandon gives the task back after the end of the run: one try, and no harm if it fails, since the lease runs out.
func (h *holder) abandon(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, abandonTimeout)
	defer cancel()
	if _, err := h.releaseOnce(ctx); err != nil {
		h.log.Warn("task was not given back", "task", h.lease.task.Id, "error", err)
	}
}

func (h *holder) releaseOnce(ctx context.Context) (*pb.TaskReleaseResponse, error) {
	return h.client.TaskRelease(ctx, &pb.TaskReleaseRequest{Id: h.lease.task.Id, Version: h.lease.task.Version})
}

func (h *holder) read(ctx context.Context, id string) (*pb.PromiseRecord, error) {
	response, err := h.client.PromiseGet(ctx, &pb.PromiseGetRequest{Id: id})
	return present(response.GetPromise(), err)
}

// unlessSettled looks at the task's promise after a refusal that may come from an earlier call, whose answer was lost: once it is settled,
// the task is done, whoever settled it.
func (h *holder) unlessSettled(ctx context.Context, refusal error) error {
	record, err := h.read(ctx, h.lease.task.Id)
	if failure, ok := errors.AsType[*Error](err); ok && failure.isTransient() {
		return err // Not known yet: both calls are repeated.
	}
	if IsSettled(record) {
		return nil
	}
	return refusal
}

// isRefused tells that the task is no longer ours to write. A promise that is not live will not be again, whoever holds its task.
func (h *holder) isRefused(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	if failure.Reason == "TASK_NOT_FOUND" || failure.Reason == "PROMISE_NOT_LIVE" {
		return true
	}
	return failure.Code == codes.Aborted && !h.isHolder(failure)
}

func (h *holder) isHolder(failure *Error) bool {
	return failure.showsHolder(h.pid, h.lease.task.Version)
}

// call repeats one of the calls above for as long as that may help.
func call[T any](ctx context.Context, h *holder, attempt func(context.Context) (T, error)) (T, error) {
	var nothing T
	for failures := 0; ; failures++ {
		if err := h.lease.check(); err != nil {
			return nothing, err
		}
		if ctx.Err() != nil {
			return nothing, contextError(ctx)
		}
		callCtx, done := h.lease.callContext(ctx)
		answer, err := attempt(callCtx)
		done()
		if err == nil {
			return answer, nil
		}
		if h.isRefused(err) {
			return nothing, h.lease.end(Lost, err)
		}
		failure, ok := errors.AsType[*Error](err)
		if !ok || !failure.isTransient() && !h.isHolder(failure) {
			return nothing, err
		}
		h.log.Debug("call will be repeated", "task", h.lease.task.Id, "error", failure)
		wait, done := h.lease.whileHeld(context.WithCancel(ctx))
		_ = sleep(wait, callBackoff.delay(failures)) // The next round sees why it ended early.
		done()
	}
}

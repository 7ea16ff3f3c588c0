package resonate

import (
	"context"
	"slices"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// Task is what a handler works on, and with.
//
// Its methods make calls about promises, and write only while this process holds the task. Each returns a *RunOver once the run is over
// (see there), an *Error when the server refuses it, and otherwise waits out troubles of the server and the network for as long as the
// lease lasts. They may be called by many goroutines.
type Task struct {
	holder  *holder
	promise *pb.PromiseRecord
}

// ID is the task's id, which is its promise's.
func (t *Task) ID() string { return t.holder.lease.task.Id }

// Version is the one that the task is held under. It grows with each run.
func (t *Task) Version() int64 { return t.holder.lease.task.Version }

// Promise is the promise that the handler is to fulfil, as it was when the task was acquired.
func (t *Task) Promise() *pb.PromiseRecord { return t.promise }

// Param reads the promise's input, as DecodeJSON does.
func (t *Task) Param(into any) error { return DecodeJSON(t.promise.GetParam(), into) }

// Create creates a promise, and its task if the work has a target; or finds it under its id, as it stands. Without a time limit it gets
// this task's own deadline.
func (t *Task) Create(ctx context.Context, work Work) (*pb.PromiseRecord, error) {
	spec, err := work.spec(t.promise.GetTimeoutAtMs())
	if err != nil {
		return nil, err
	}
	return t.holder.fence(ctx, &pb.TaskFenceRequest{Action: &pb.TaskFenceRequest_Create{Create: spec}})
}

// Settle settles a promise, with JSON or a *pb.Value as it is, and returns it with the outcome that stands, which may be an earlier one.
// It returns NOT_FOUND for an unknown promise.
func (t *Task) Settle(ctx context.Context, id string, state pb.SettleState, value any) (*pb.PromiseRecord, error) {
	encoded, err := EncodeJSON(value)
	if err != nil {
		return nil, err
	}
	settlement := &pb.PromiseSettlement{Id: id, State: state, Value: encoded}
	return t.holder.fence(ctx, &pb.TaskFenceRequest{Action: &pb.TaskFenceRequest_Settle{Settle: settlement}})
}

// Get reads a promise. It returns NOT_FOUND for an unknown one.
func (t *Task) Get(ctx context.Context, id string) (*pb.PromiseRecord, error) {
	return t.holder.get(ctx, id)
}

// AwaitAll returns the promises, settled, in the same order. If one is pending, the task is suspended and the run is over: the handler is
// called again from its start, and then finds the outcomes that it waited for. Give it everything you wait for in one call: of two that
// run at the same time only one can suspend the task.
func (t *Task) AwaitAll(ctx context.Context, promises ...*pb.PromiseRecord) ([]*pb.PromiseRecord, error) {
	records := slices.Clone(promises)
	for {
		// The task waits for the first pending one only. All must settle, so none is missed; and being resumed for each of a hundred
		// children would run the handler a hundred times.
		pending := firstPending(records)
		if pending == nil {
			if err := t.holder.lease.check(); err != nil {
				return nil, err
			}
			return records, nil
		}
		if err := t.holder.suspend(ctx, pending.GetId()); err != nil {
			return nil, err
		}
		if err := t.refresh(ctx, records); err != nil {
			return nil, err
		}
	}
}

// Sleep waits until an instant, on a timer promise with this id: the task is suspended meanwhile, so that may take months. The first instant
// stands: a later run finds the timer under its id, whatever instant it names.
func (t *Task) Sleep(ctx context.Context, id string, until time.Time) error {
	timer, err := t.Create(ctx, Work{ID: id, Deadline: until, Tags: map[string]string{timerTag: "true"}})
	if err != nil {
		return err
	}
	_, err = t.AwaitAll(ctx, timer)
	return err
}

// refresh reads those that are pending again, all at the same time.
func (t *Task) refresh(ctx context.Context, records []*pb.PromiseRecord) error {
	failures := make([]error, len(records))
	var reads sync.WaitGroup
	for i, record := range records {
		if !IsSettled(record) {
			reads.Go(func() { records[i], failures[i] = t.Get(ctx, record.GetId()) })
		}
	}
	reads.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

func firstPending(records []*pb.PromiseRecord) *pb.PromiseRecord {
	for _, record := range records {
		if !IsSettled(record) {
			return record
		}
	}
	return nil
}

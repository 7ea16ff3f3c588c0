package resonate

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	promiseGet          = pb.PromiseService_PromiseGet_FullMethodName
	promiseCreate       = pb.PromiseService_PromiseCreate_FullMethodName
	promiseSettle       = pb.PromiseService_PromiseSettle_FullMethodName
	promiseWait         = pb.PromiseService_PromiseWait_FullMethodName
	registerListener    = pb.PromiseService_PromiseRegisterListener_FullMethodName
	taskGet             = pb.TaskService_TaskGet_FullMethodName
	taskAcquire         = pb.TaskService_TaskAcquire_FullMethodName
	taskFence           = pb.TaskService_TaskFence_FullMethodName
	taskHeartbeat       = pb.TaskService_TaskHeartbeat_FullMethodName
	taskSuspend         = pb.TaskService_TaskSuspend_FullMethodName
	taskFulfill         = pb.TaskService_TaskFulfill_FullMethodName
	taskRelease         = pb.TaskService_TaskRelease_FullMethodName
	dispatchAcknowledge = pb.DispatchService_DispatchAcknowledge_FullMethodName
	dispatchDrain       = pb.DispatchService_DispatchDrain_FullMethodName
)

// bubble runs a test with time of its own: it stands still while anybody works, and jumps to the next timer when all wait. So a test takes
// no real time, and the times it measures are exact. All that a test starts must have ended when it does.
func bubble(name string, t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// outcome is what a function returned.
type outcome[T any] struct {
	value T
	err   error
}

// start calls a function in the background.
func start[T any](function func() (T, error)) <-chan outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		value, err := function()
		done <- outcome[T]{value, err}
	}()
	return done
}

// value waits for a function that must succeed.
func value[T any](t *testing.T, done <-chan outcome[T]) T {
	t.Helper()
	returned := receive(t, done)
	if returned.err != nil {
		t.Fatalf("unexpected error: %v", returned.err)
	}
	return returned.value
}

// failure waits for a function that must return an error of this type.
func failure[E error, T any](t *testing.T, done <-chan outcome[T]) E {
	t.Helper()
	err := receive(t, done).err
	typed, ok := errors.AsType[E](err)
	if !ok {
		t.Fatalf("got error %v, want a %v", err, reflect.TypeFor[E]())
	}
	return typed
}

func requireEqual[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func requireSame(t *testing.T, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func requireDeepEqual(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// requireBackoff checks that what has passed since is a jittered delay: from half to the whole of this.
func requireBackoff(t *testing.T, since time.Time, longest time.Duration) {
	t.Helper()
	if passed := time.Since(since); passed < longest/2 || passed > longest {
		t.Fatalf("waited %v, want %v to %v", passed, longest/2, longest)
	}
}

// decoded is what a JSON value holds.
func decoded[T any](t *testing.T, value *pb.Value) (result T) {
	t.Helper()
	if err := DecodeJSON(value, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

// runOver is why the run with this context is over; it must be.
func runOver(t *testing.T, ctx context.Context) RunEnd {
	t.Helper()
	over, ok := errors.AsType[*RunOver](context.Cause(ctx))
	if !ok {
		t.Fatal("the run is not over")
	}
	return over.End
}

func requireGoesOn(t *testing.T, ctx context.Context) {
	t.Helper()
	synctest.Wait()
	if ctx.Err() != nil {
		t.Fatalf("the run is over: %v", context.Cause(ctx))
	}
}

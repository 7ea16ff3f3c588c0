// Conformance is the worker process of the conformance test, as test/conformance/README.md describes it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	resonate "github.com/resonate-grpc/resonate-grpc/clients/go"
	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

func main() {
	if err := work(); err != nil {
		reason := resonate.ReasonOf(err)
		if reason == "" {
			reason = err.Error()
		}
		say("fatal %s", reason)
		os.Exit(1)
	}
	say("stopped")
}

func work() error {
	client, err := resonate.NewClient(os.Getenv("RESONATE_ADDRESS"))
	if err != nil {
		return err
	}
	defer client.Close()
	worker := &resonate.Worker{
		Client:      client,
		Group:       os.Getenv("RESONATE_GROUP"),
		PID:         os.Getenv("RESONATE_PID"),
		MaxInFlight: number("RESONATE_MAX_IN_FLIGHT"),
		TTL:         milliseconds("RESONATE_TTL_MS"),
		Grace:       milliseconds("RESONATE_GRACE_MS"),
		Handler:     reported,
		OnHello:     func(*pb.DispatchHello) { say("ready") },
		OnUnblock:   unblocked,
		Logger:      slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	if worker.Grace == 0 {
		worker.Grace = -1
	}
	return worker.Run(resonate.UntilSignal(context.Background()))
}

// reported says when a handler starts, and how it ends.
func reported(ctx context.Context, task *resonate.Task) (any, error) {
	say("started %s %d", task.ID(), task.Version())
	result, err := handle(ctx, task)
	say("ended %s %d %s", task.ID(), task.Version(), how(ctx, err))
	return result, err
}

func how(ctx context.Context, err error) string {
	if over, ok := errors.AsType[*resonate.RunOver](context.Cause(ctx)); ok {
		return string(over.End)
	}
	if _, ok := errors.AsType[*resonate.Reject](err); ok {
		return "rejected"
	}
	if err != nil {
		return "failed"
	}
	return "returned"
}

// refused has the promises whose first unblock was not acknowledged.
var refused sync.Map

func unblocked(_ context.Context, promise *pb.PromiseRecord, address string) error {
	say("unblocked %s %s", promise.GetId(), address)
	if promise.GetTags()["conformance:unblock"] != "twice" {
		return nil
	}
	if _, again := refused.LoadOrStore(promise.GetId(), true); again {
		return nil
	}
	return errors.New("not the first time")
}

var stdout sync.Mutex

func say(format string, values ...any) {
	stdout.Lock()
	defer stdout.Unlock()
	fmt.Printf(format+"\n", values...)
}

func number(variable string) int {
	value, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		say("fatal %s is not a number", variable)
		os.Exit(1)
	}
	return value
}

func milliseconds(variable string) time.Duration {
	return time.Duration(number(variable)) * time.Millisecond
}

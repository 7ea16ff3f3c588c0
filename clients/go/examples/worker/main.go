// Worker computes Fibonacci numbers, each as a task that waits for two others.
package main

import (
	"context"
	"errors"
	"log"
	"log/slog"

	resonate "github.com/resonate-grpc/resonate-grpc/clients/go"
)

func fibonacci(ctx context.Context, task *resonate.Task) (any, error) {
	var n, a, b int
	if err := task.Param(&n); err != nil {
		return nil, &resonate.Reject{Value: "not a number"}
	}
	if n < 2 {
		return n, nil
	}
	left, err := task.Create(ctx, resonate.Work{ID: task.ID() + ".1", Target: "any@fibonacci", Param: n - 1})
	if err != nil {
		return nil, err
	}
	right, err := task.Create(ctx, resonate.Work{ID: task.ID() + ".2", Target: "any@fibonacci", Param: n - 2})
	if err != nil {
		return nil, err
	}
	both, err := task.AwaitAll(ctx, left, right)
	if err != nil {
		return nil, err
	}
	err = errors.Join(resonate.Result(both[0], &a), resonate.Result(both[1], &b))
	return a + b, err
}

func main() {
	client, err := resonate.NewClient("localhost:50051")
	if err != nil {
		log.Fatal(err)
	}
	worker := &resonate.Worker{Client: client, Group: "fibonacci", Handler: fibonacci, Logger: slog.Default()}
	if err := worker.Run(resonate.UntilSignal(context.Background())); err != nil {
		log.Fatal(err)
	}
}

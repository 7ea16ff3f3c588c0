// Caller has a Fibonacci number computed, and waits for it through an unblock. Called again, it finds the same work.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	resonate "github.com/resonate-grpc/resonate-grpc/clients/go"
)

func main() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	client, err := resonate.NewClient("localhost:50051")
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	listener, err := resonate.NewListener(client, resonate.ListenerOptions{Group: "callers"})
	if err != nil {
		log.Fatal(err)
	}
	go listener.Run(ctx)
	number, err := fibonacci(ctx, client, listener, 8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(number)
}

func fibonacci(ctx context.Context, client *resonate.Client, listener *resonate.Listener, n int) (number int, err error) {
	id := fmt.Sprintf("fibonacci-%d", n)
	work := resonate.Work{ID: id, Target: "any@fibonacci", Param: n, Timeout: time.Hour}
	if _, err := client.Create(ctx, work); err != nil {
		return 0, err
	}
	promise, err := listener.Listen(ctx, id)
	if err != nil {
		return 0, err
	}
	err = resonate.Result(promise, &number)
	return number, err
}

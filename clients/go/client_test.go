package resonate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

func get(ctx context.Context, client *Client, id string) <-chan outcome[*pb.PromiseGetResponse] {
	return start(func() (*pb.PromiseGetResponse, error) { return client.PromiseGet(ctx, &pb.PromiseGetRequest{Id: id}) })
}

func release(client *Client) <-chan outcome[*pb.TaskReleaseResponse] {
	return start(func() (*pb.TaskReleaseResponse, error) {
		return client.TaskRelease(context.Background(), &pb.TaskReleaseRequest{Id: "t"})
	})
}

// The proto says in the comment of each RPC whether a retry is always safe.
func TestRetriesExactlyTheCallsOfWhichTheProtoSaysThatItIsSafe(t *testing.T) {
	files, err := filepath.Glob("../../proto/resonate_grpc/v1/*.proto")
	if err != nil || len(files) == 0 {
		t.Fatal("no proto files", err)
	}
	documented := map[string]bool{}
	rpc := regexp.MustCompile(`((?: {2}//.*\n)+) {2}rpc (\w+)\(\w+\) returns \((stream )?`)
	service := regexp.MustCompile(`(?m)^service (\w+)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range rpc.FindAllStringSubmatch(string(text), -1) {
			comment := strings.Join(strings.Fields(strings.ReplaceAll(match[1], "//", " ")), " ")
			if match[3] == "" {
				method := "/resonate_grpc.v1." + service.FindStringSubmatch(string(text))[1] + "/" + match[2]
				documented[method] = strings.Contains(strings.ToLower(comment), "a retry is always safe")
			}
		}
	}
	requireEqual(t, len(documented), 24)
	for method, safe := range documented {
		if retrySafe[method] != safe {
			t.Errorf("%s: retried %v, documented as safe %v", method, retrySafe[method], safe)
		}
		delete(documented, method)
	}
	for method := range retrySafe {
		if !strings.HasPrefix(method, "/resonate_grpc.v1.") {
			t.Errorf("%s is not an RPC", method)
		}
	}
}

func TestErrors(t *testing.T) {
	bubble("unpacks a refusal", t, func(t *testing.T) {
		server := newScripted(t)
		answer := release(server.client())
		server.next(taskRelease).refuse(refusal{
			code: codes.Aborted, reason: "TASK_NOT_ACQUIRED", status: 409, message: `task "t" is pending`,
			metadata: map[string]string{"id": "t", "task_state": "pending"},
		})
		err := failure[*Error](t, answer)
		requireEqual(t, err.Code, codes.Aborted)
		requireEqual(t, err.Reason, "TASK_NOT_ACQUIRED")
		requireEqual(t, err.Status, 409)
		requireEqual(t, err.Message, `task "t" is pending`)
		requireDeepEqual(t, err.Metadata, map[string]string{"id": "t", "task_state": "pending", "status": "409"})
		requireEqual(t, err.Error(), `TASK_NOT_ACQUIRED: task "t" is pending`)
		requireEqual(t, status.Code(err), codes.Aborted)
		requireEqual(t, ReasonOf(errors.Join(err)), "TASK_NOT_ACQUIRED")
		requireEqual(t, ReasonOf(errors.New("another")), "")
	})

	bubble("has no reason when it is not from the server itself", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		for _, foreign := range []refusal{
			{code: codes.Internal, message: "a proxy says"},
			{code: codes.Aborted, reason: "TASK_NOT_PENDING", status: 409, domain: "example.com"},
		} {
			answer := release(client)
			server.next(taskRelease).refuse(foreign)
			err := failure[*Error](t, answer)
			requireEqual(t, err.Code, foreign.code)
			requireEqual(t, err.Reason, "")
			requireEqual(t, err.Status, 0)
			requireEqual(t, len(err.Metadata), 0)
		}
	})

	bubble("is typed on a stream, too", t, func(t *testing.T) {
		server := newScripted(t)
		stream, err := server.client().Dispatch(context.Background(), &pb.DispatchRequest{})
		if err != nil {
			t.Fatal(err)
		}
		server.nextStream().fail(refusal{code: codes.Aborted, reason: "SESSION_REPLACED"})
		_, err = stream.Recv()
		requireEqual(t, ReasonOf(err), "SESSION_REPLACED")
	})
}

func TestWhichErrorsAreTransient(t *testing.T) {
	for _, each := range []struct {
		code      codes.Code
		reason    string
		transient bool
	}{
		{codes.Unavailable, "", true},
		{codes.Unavailable, "DRAINING", true},
		{codes.DeadlineExceeded, "", true},
		{codes.ResourceExhausted, "OVERLOADED", true},
		{codes.ResourceExhausted, "STORAGE_FULL", true},
		{codes.ResourceExhausted, "SESSION_STALLED", false},
		{codes.ResourceExhausted, "", false},
		{codes.Internal, "", true},
		{codes.Internal, "FAULT", false},
		{codes.Unknown, "", true},
		{codes.Unknown, "FAULT", false},
		{codes.Canceled, "", true},
		{codes.Aborted, "", false},
		{codes.NotFound, "PROMISE_NOT_FOUND", false},
		{codes.FailedPrecondition, "AWAITED_NOT_FOUND", false},
		{codes.InvalidArgument, "", false},
		{codes.Unimplemented, "", false},
	} {
		if (&Error{Code: each.code, Reason: each.reason}).isTransient() != each.transient {
			t.Errorf("%v %s: want transient %v", each.code, each.reason, each.transient)
		}
	}
}

func TestWhichRefusalsShowTheHolder(t *testing.T) {
	refused := func(code codes.Code, pid, version string) bool {
		err := &Error{Code: code, Metadata: map[string]string{"task_pid": pid, "task_version": version}}
		return err.showsHolder("w", 3)
	}
	requireEqual(t, refused(codes.Aborted, "w", "3"), true)
	requireEqual(t, refused(codes.NotFound, "w", "3"), false)
	requireEqual(t, refused(codes.Aborted, "other", "3"), false)
	requireEqual(t, refused(codes.Aborted, "w", "4"), false)
	requireEqual(t, (&Error{Code: codes.Aborted}).showsHolder("", 0), false)
}

func TestCalls(t *testing.T) {
	bubble("receives messages over the default limit of gRPC", t, func(t *testing.T) {
		server := newScripted(t)
		answer := get(context.Background(), server.client(), "p")
		record := settled("p", &pb.Value{Data: make([]byte, 6<<20)})
		server.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: record})
		requireEqual(t, len(value(t, answer).GetPromise().GetValue().GetData()), 6<<20)
	})

	bubble("repeats a safe call on UNAVAILABLE, with a growing delay", t, func(t *testing.T) {
		server := newScripted(t)
		answer := get(context.Background(), server.client(), "p")
		for _, delay := range []time.Duration{100, 200, 400, 800} {
			server.next(promiseGet).lose()
			lost := time.Now()
			call := server.next(promiseGet)
			requireBackoff(t, lost, delay*time.Millisecond)
			server.inbox(promiseGet) <- call
		}
		server.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: pending("p")})
		requireEqual(t, value(t, answer).GetPromise().GetId(), "p")
	})

	bubble("gives up when the deadline would pass before the next try", t, func(t *testing.T) {
		server := newScripted(t)
		ctx, cancel := context.WithTimeout(context.Background(), 40*time.Millisecond)
		defer cancel()
		answer := get(ctx, server.client(), "p")
		server.next(promiseGet).lose()
		requireEqual(t, failure[*Error](t, answer).Code, codes.Unavailable)
		requireEqual(t, server.waiting(promiseGet), 0)
	})

	bubble("never repeats another call, nor another error", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		released := release(client)
		server.next(taskRelease).lose()
		requireEqual(t, failure[*Error](t, released).Code, codes.Unavailable)
		read := get(context.Background(), client, "p")
		server.next(promiseGet).refuse(refusal{code: codes.ResourceExhausted, reason: "OVERLOADED"})
		requireEqual(t, failure[*Error](t, read).Reason, "OVERLOADED")
		requireEqual(t, server.waiting(taskRelease)+server.waiting(promiseGet), 0)
	})

	bubble("reaches a server that comes back", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		first := get(context.Background(), client, "p")
		server.next(promiseGet)
		server.kill()
		time.Sleep(3 * time.Second)
		server.start()
		server.next(promiseGet).reply(&pb.PromiseGetResponse{Promise: pending("p")})
		requireEqual(t, value(t, first).GetPromise().GetId(), "p")
	})

	bubble("ends after 30 s unless its context has a deadline", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		begun := time.Now()
		answer := release(client)
		requireEqual(t, failure[*Error](t, answer).Code, codes.DeadlineExceeded)
		requireEqual(t, time.Since(begun), 30*time.Second)

		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		begun = time.Now()
		err := failure[*Error](t, get(ctx, client, "p"))
		requireEqual(t, time.Since(begun), time.Hour)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v does not wrap the context's error", err)
		}
	})

	bubble("ends when its context is cancelled, during a try and between two", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		answer := get(ctx, client, "p")
		call := server.next(promiseGet)
		cancel(enough)
		err := failure[*Error](t, answer)
		requireEqual(t, err.Code, codes.Canceled)
		if !errors.Is(err, enough) {
			t.Fatalf("%v does not wrap the cause", err)
		}
		<-call.ctx.Done()

		ctx, cancel = context.WithCancelCause(context.Background())
		answer = get(ctx, client, "p")
		server.next(promiseGet).lose()
		time.Sleep(10 * time.Millisecond)
		cancel(enough)
		requireEqual(t, failure[*Error](t, answer).Code, codes.Canceled)
	})

	bubble("takes options over its own", t, func(t *testing.T) {
		seen := ""
		spy := func(
			ctx context.Context, method string, request, response any,
			connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
		) error {
			seen = method
			return errors.New("no further")
		}
		client, err := NewClient("passthrough:///nowhere", grpc.WithUnaryInterceptor(spy))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		_, err = client.TaskGet(context.Background(), &pb.TaskGetRequest{})
		requireEqual(t, err.Error(), "no further")
		requireEqual(t, seen, taskGet)
	})
}

func TestWait(t *testing.T) {
	waits := func(ctx context.Context, client *Client) <-chan outcome[*pb.PromiseRecord] {
		return start(func() (*pb.PromiseRecord, error) { return client.Wait(ctx, "p") })
	}

	bubble("returns the settled promise", t, func(t *testing.T) {
		server := newScripted(t)
		answer := waits(context.Background(), server.client())
		call := server.next(promiseWait)
		requireSame(t, call.request, &pb.PromiseWaitRequest{Id: "p"})
		call.reply(&pb.PromiseWaitResponse{Promise: settled("p", 7)})
		requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 7)
	})

	bubble("asks again for as long as it takes, and a quiet slice is no failure", t, func(t *testing.T) {
		server := newScripted(t)
		answer := waits(context.Background(), server.client())
		server.next(promiseWait).refuse(draining)
		for range 5 {
			<-server.next(promiseWait).ctx.Done()
			begun := time.Now()
			call := server.next(promiseWait)
			requireBackoff(t, begun, 100*time.Millisecond)
			server.inbox(promiseWait) <- call
		}
		server.next(promiseWait).refuse(refusal{code: codes.Internal, message: "stream was reset"})
		server.next(promiseWait).reply(&pb.PromiseWaitResponse{Promise: settled("p", nil)})
		value(t, answer)
	})

	bubble("ends with its context, and at once for an unknown promise", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Hour)
		defer cancel()
		begun := time.Now()
		requireEqual(t, failure[*Error](t, waits(ctx, client)).Code, codes.DeadlineExceeded)
		requireEqual(t, time.Since(begun), 3*time.Hour)
		if slices := server.waiting(promiseWait); slices < 3*60-2 {
			t.Fatalf("only %d calls in 3 h: proxies cut calls that are silent for long", slices)
		}

		for server.waiting(promiseWait) > 0 {
			server.next(promiseWait)
		}
		answer := waits(context.Background(), client)
		server.next(promiseWait).refuse(refusal{code: codes.NotFound, reason: "PROMISE_NOT_FOUND", status: 404})
		requireEqual(t, failure[*Error](t, answer).Reason, "PROMISE_NOT_FOUND")
	})
}

func TestInvoke(t *testing.T) {
	bubble("creates the work and waits for its outcome", t, func(t *testing.T) {
		server := newScripted(t)
		client := server.client()
		work := Work{ID: "p", Target: "any@g", Param: 1, Deadline: time.UnixMilli(5_000)}
		answer := start(func() (*pb.PromiseRecord, error) { return client.Invoke(context.Background(), work) })
		create := server.next(promiseCreate)
		requireSame(t, create.request, &pb.PromiseCreateRequest{Promise: &pb.PromiseSpec{
			Id: "p", TimeoutAtMs: 5_000, Tags: map[string]string{"resonate:target": "any@g"},
			Param: &pb.Value{Headers: map[string]string{"content-type": "application/json"}, Data: []byte("1")},
		}})
		create.reply(&pb.PromiseCreateResponse{Promise: pending("p")})
		server.next(promiseWait).reply(&pb.PromiseWaitResponse{Promise: settled("p", 2)})
		requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 2)
	})
}

package resonate

import (
	"context"
	"errors"
	"maps"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// patience is how long a test waits for what must come, by the fake clock of its bubble.
const patience = 24 * time.Hour

// scripted is a server without a mind of its own: a test takes each call as it comes and says what it answers. It and its clients live
// in a bubble of the package synctest, where time stands still until everybody waits.
type scripted struct {
	t       *testing.T
	streams chan *scriptedStream

	mu       sync.Mutex
	listener *bufconn.Listener
	server   *grpc.Server
	calls    map[string]chan *scriptedCall
}

// scriptedCall is a unary call that waits for its answer.
type scriptedCall struct {
	ctx     context.Context
	request proto.Message
	answer  chan answer
}

type answer struct {
	response proto.Message
	err      error
}

func (c *scriptedCall) reply(response proto.Message) { c.answer <- answer{response: response} }
func (c *scriptedCall) refuse(refusal refusal)       { c.answer <- answer{err: refusal.err()} }

// lose answers with what a client sees when the connection breaks before the answer.
func (c *scriptedCall) lose() { c.refuse(refusal{code: codes.Unavailable}) }

// scriptedStream is an open Dispatch stream.
type scriptedStream struct {
	request *pb.DispatchRequest
	stream  grpc.ServerStreamingServer[pb.DispatchResponse]
	ended   chan error
}

func (s *scriptedStream) send(events ...*pb.DispatchEvent) {
	_ = s.stream.Send(&pb.DispatchResponse{Events: events})
}

func (s *scriptedStream) hello(session string, pingInterval time.Duration) {
	hello := &pb.DispatchHello{SessionId: session, PingIntervalMs: pingInterval.Milliseconds()}
	s.send(&pb.DispatchEvent{Event: &pb.DispatchEvent_Hello{Hello: hello}})
}

func (s *scriptedStream) execute(id string, version int64) { s.send(executeEvent(id, version)) }

func (s *scriptedStream) fail(refusal refusal) { s.ended <- refusal.err() }

// end ends the stream with OK, as the real server never does.
func (s *scriptedStream) end() { s.ended <- nil }

// left waits until the client has let go of the stream.
func (s *scriptedStream) left() { <-s.stream.Context().Done() }

func executeEvent(id string, version int64) *pb.DispatchEvent {
	return &pb.DispatchEvent{Event: &pb.DispatchEvent_Execute{Execute: &pb.DispatchExecute{TaskId: id, Version: version}}}
}

func unblockEvent(promise *pb.PromiseRecord, address string) *pb.DispatchEvent {
	return &pb.DispatchEvent{Event: &pb.DispatchEvent_Unblock{Unblock: &pb.DispatchUnblock{Promise: promise, Address: address}}}
}

var (
	pingEvent  = &pb.DispatchEvent{Event: &pb.DispatchEvent_Ping{Ping: &pb.DispatchPing{}}}
	drainEvent = &pb.DispatchEvent{Event: &pb.DispatchEvent_Drain{Drain: &pb.DispatchServerDrain{}}}
)

// refusal is an error as the real server writes it.
type refusal struct {
	code     codes.Code
	reason   string
	status   int
	metadata map[string]string
	message  string
	domain   string
}

func (r refusal) err() error {
	reported := status.New(r.code, r.message)
	if r.reason == "" {
		return reported.Err()
	}
	info := &errdetails.ErrorInfo{Reason: r.reason, Domain: r.domain, Metadata: maps.Clone(r.metadata)}
	if info.Domain == "" {
		info.Domain = "resonate-grpc"
	}
	if r.status != 0 {
		if info.Metadata == nil {
			info.Metadata = map[string]string{}
		}
		info.Metadata["status"] = strconv.Itoa(r.status)
	}
	detailed, err := reported.WithDetails(info)
	if err != nil {
		panic(err)
	}
	return detailed.Err()
}

// conflict is the refusal of a call about a task that stands like this.
func conflict(reason string, version int64, pid, state string) refusal {
	metadata := map[string]string{"id": "t", "task_state": state, "task_version": strconv.FormatInt(version, 10)}
	if pid != "" {
		metadata["task_pid"] = pid
	}
	return refusal{code: codes.Aborted, reason: reason, status: 409, metadata: metadata}
}

var draining = refusal{code: codes.Unavailable, reason: "DRAINING"}

// newScripted returns a server that listens, and ends with the test.
func newScripted(t *testing.T) *scripted {
	s := &scripted{t: t, streams: make(chan *scriptedStream, 100), calls: map[string]chan *scriptedCall{}}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// start listens, perhaps again.
func (s *scripted) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listener = bufconn.Listen(1 << 20)
	s.server = grpc.NewServer(
		grpc.UnaryInterceptor(s.unary),
		// Any number of pings at one instant: the clock stands still.
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: -1, PermitWithoutStream: true}),
	)
	pb.RegisterPromiseServiceServer(s.server, pb.UnimplementedPromiseServiceServer{})
	pb.RegisterTaskServiceServer(s.server, pb.UnimplementedTaskServiceServer{})
	pb.RegisterScheduleServiceServer(s.server, pb.UnimplementedScheduleServiceServer{})
	pb.RegisterDispatchServiceServer(s.server, dispatcher{scripted: s})
	go func(server *grpc.Server, listener net.Listener) { _ = server.Serve(listener) }(s.server, s.listener)
}

// kill cuts every connection.
func (s *scripted) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server.Stop()
}

// client returns a client of the server, which is closed at the end of the test.
func (s *scripted) client() *Client {
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		s.mu.Lock()
		listener := s.listener
		s.mu.Unlock()
		return listener.DialContext(ctx)
	}
	client, err := NewClient("passthrough:///scripted", grpc.WithContextDialer(dial))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { client.Close() })
	return client
}

func (s *scripted) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
	call := &scriptedCall{ctx: ctx, request: request.(proto.Message), answer: make(chan answer, 1)}
	select {
	case s.inbox(info.FullMethod) <- call:
	case <-ctx.Done():
	}
	select {
	case answer := <-call.answer:
		return answer.response, answer.err
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	}
}

type dispatcher struct {
	pb.UnimplementedDispatchServiceServer
	scripted *scripted
}

func (d dispatcher) Dispatch(request *pb.DispatchRequest, stream grpc.ServerStreamingServer[pb.DispatchResponse]) error {
	open := &scriptedStream{request: request, stream: stream, ended: make(chan error, 1)}
	select {
	case d.scripted.streams <- open:
	case <-stream.Context().Done():
	}
	select {
	case err := <-open.ended:
		return err
	case <-stream.Context().Done():
		return errors.New("the client has left")
	}
}

func (s *scripted) inbox(method string) chan *scriptedCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[method] == nil {
		s.calls[method] = make(chan *scriptedCall, 1000)
	}
	return s.calls[method]
}

// waiting is how many calls of this method have come and have not been taken.
func (s *scripted) waiting(method string) int { return len(s.inbox(method)) }

// next is the next call of this method.
func (s *scripted) next(method string) *scriptedCall {
	s.t.Helper()
	select {
	case call := <-s.inbox(method):
		return call
	case <-time.After(patience):
		s.t.Fatalf("no %s came", method)
		return nil
	}
}

// nextStream is the next stream that is opened.
func (s *scripted) nextStream() *scriptedStream {
	s.t.Helper()
	return receive(s.t, s.streams)
}

// receive waits for what must come.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case item := <-from:
		return item
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("not reached")
	}
}

// pending is a promise as the real server shows it.
func pending(id string) *pb.PromiseRecord {
	return &pb.PromiseRecord{
		Id: id, State: pb.PromiseState_PROMISE_STATE_PENDING, Param: &pb.Value{}, Value: &pb.Value{},
		TimeoutAtMs: 9_000_000_000_000, CreatedAtMs: 1_000,
	}
}

// settled is the same, settled with this payload.
func settled(id string, payload any) *pb.PromiseRecord {
	return settledAs(pb.PromiseState_PROMISE_STATE_RESOLVED, id, payload)
}

func settledAs(state pb.PromiseState, id string, payload any) *pb.PromiseRecord {
	record := pending(id)
	value, err := EncodeJSON(payload)
	if err != nil {
		panic(err)
	}
	record.State, record.Value, record.SettledAtMs = state, value, proto.Int64(2_000)
	return record
}

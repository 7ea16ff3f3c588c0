package resonate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// acknowledged answers the next call, and returns what it names.
func (s *scripted) acknowledged() (refs []string) {
	s.t.Helper()
	call := s.next(dispatchAcknowledge)
	call.reply(&pb.DispatchAcknowledgeResponse{})
	for _, ref := range call.request.(*pb.DispatchAcknowledgeRequest).Unblocks {
		refs = append(refs, ref.PromiseId+" "+ref.Address)
	}
	return refs
}

func TestUnblocksOfAWorker(t *testing.T) {
	bubble("are acknowledged only once they are handled, and handled in order", t, func(t *testing.T) {
		seen, handled := make(chan string, 10), make(chan error)
		f := openWorker(t, func(w *Worker) {
			w.OnUnblock = func(_ context.Context, promise *pb.PromiseRecord, address string) error {
				seen <- promise.GetId() + " " + address
				return <-handled
			}
		})
		f.stream.send(unblockEvent(settled("p", nil), "uni@g/p"), unblockEvent(settled("q", nil), "uni@g/q"))
		requireEqual(t, receive(t, seen), "p uni@g/p")
		synctest.Wait()
		requireEqual(t, f.waiting(dispatchAcknowledge)+len(seen), 0)
		handled <- nil
		requireDeepEqual(t, f.acknowledged(), []string{"p uni@g/p"})
		requireEqual(t, receive(t, seen), "q uni@g/q")
		handled <- nil
		requireDeepEqual(t, f.acknowledged(), []string{"q uni@g/q"})
	})

	bubble("are not acknowledged when handling them fails, until it succeeds", t, func(t *testing.T) {
		attempts := map[string]int{}
		f := openWorker(t, func(w *Worker) {
			w.OnUnblock = func(_ context.Context, promise *pb.PromiseRecord, _ string) error {
				id := promise.GetId()
				attempts[id]++
				switch {
				case id == "panics" && attempts[id] == 1:
					panic("no")
				case id == "fails" && attempts[id] == 1:
					return errors.New("no")
				}
				return nil
			}
		})
		for _, id := range []string{"fails", "panics", "good"} {
			f.stream.send(unblockEvent(settled(id, nil), "a"))
		}
		requireDeepEqual(t, f.acknowledged(), []string{"good a"})
		synctest.Wait()
		f.stream.send(unblockEvent(settled("fails", nil), "a"))
		requireDeepEqual(t, f.acknowledged(), []string{"fails a"})
	})

	bubble("are acknowledged when nobody is there to handle them", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.send(unblockEvent(settled("p", nil), "a"))
		requireDeepEqual(t, f.acknowledged(), []string{"p a"})
	})

	bubble("do not keep the stream from being read", t, func(t *testing.T) {
		f := openWorker(t, func(w *Worker) {
			w.OnUnblock = func(ctx context.Context, _ *pb.PromiseRecord, _ string) error {
				<-ctx.Done()
				return ctx.Err()
			}
		})
		f.stream.send(unblockEvent(settled("p", nil), "a"))
		f.run("t", 0)
	})

	bubble("that were handled are acknowledged before the worker has stopped", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.send(unblockEvent(settled("p", nil), "a"))
		synctest.Wait()
		f.drains()
		synctest.Wait()
		requireEqual(t, len(f.done), 0)
		f.acknowledged()
		requireEqual(t, receive(t, f.done), nil)
	})

	bubble("keep the worker no longer than a moment if the server does not take their acknowledgement", t, func(t *testing.T) {
		f := openWorker(t)
		f.stream.send(unblockEvent(settled("p", nil), "a"))
		synctest.Wait()
		f.drains()
		stoppedAt := time.Now()
		requireEqual(t, receive(t, f.done), nil)
		requireEqual(t, time.Since(stoppedAt), farewellTimeout)
	})
}

func TestAcknowledger(t *testing.T) {
	bubble("names what came during one call in the next, and goes on after a failure", t, func(t *testing.T) {
		server := newScripted(t)
		acknowledger := startAcknowledger(context.Background(), server.client(), orSilent(nil))
		t.Cleanup(acknowledger.stop)
		acknowledge := func(id string) {
			acknowledger.acknowledge(&pb.DispatchUnblock{Promise: settled(id, nil), Address: "a"})
		}
		acknowledge("p")
		first := server.next(dispatchAcknowledge)
		acknowledge("q")
		acknowledge("r")
		first.refuse(refusal{code: codes.ResourceExhausted, reason: "OVERLOADED"})
		requireDeepEqual(t, server.acknowledged(), []string{"q a", "r a"})
	})

	bubble("names so many at the most that the request stays within its limit", t, func(t *testing.T) {
		server := newScripted(t)
		acknowledger := startAcknowledger(context.Background(), server.client(), orSilent(nil))
		t.Cleanup(acknowledger.stop)
		longest := strings.Repeat("x", 512)
		for range 2_500 {
			acknowledger.acknowledge(&pb.DispatchUnblock{Promise: settled(longest, nil), Address: longest})
		}
		for named := 0; named < 2_500; {
			call := server.next(dispatchAcknowledge)
			if size := proto.Size(call.request); size > 1<<20 {
				t.Fatalf("a request of %d bytes", size)
			}
			named += len(call.request.(*pb.DispatchAcknowledgeRequest).Unblocks)
			call.reply(&pb.DispatchAcknowledgeResponse{})
		}
	})
}

type listenerFixture struct {
	*scripted
	listener *Listener
	stream   *scriptedStream
	stop     context.CancelFunc
	done     chan error
}

func openListener(t *testing.T) *listenerFixture {
	f := &listenerFixture{scripted: newScripted(t), done: make(chan error, 1)}
	listener, err := NewListener(f.client(), ListenerOptions{Group: "callers", PID: "c/1"})
	if err != nil {
		t.Fatal(err)
	}
	f.listener = listener
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	t.Cleanup(stop)
	go func() { f.done <- listener.Run(ctx) }()
	f.stream = f.nextStream()
	f.stream.hello("session", time.Hour)
	return f
}

func (f *listenerFixture) listen(ctx context.Context, id string) <-chan outcome[*pb.PromiseRecord] {
	return start(func() (*pb.PromiseRecord, error) { return f.listener.Listen(ctx, id) })
}

// listening is for a promise that is registered and pending.
func (f *listenerFixture) listening(ctx context.Context, id string) <-chan outcome[*pb.PromiseRecord] {
	f.t.Helper()
	answer := f.listen(ctx, id)
	register := f.next(registerListener)
	requireSame(f.t, register.request, &pb.PromiseRegisterListenerRequest{AwaitedId: id, Address: "uni@callers/c/1"})
	register.reply(&pb.PromiseRegisterListenerResponse{Promise: pending(id)})
	synctest.Wait()
	return answer
}

func (f *listenerFixture) unblock(id string, payload any) {
	f.stream.send(unblockEvent(settled(id, payload), "uni@callers/c/1"))
}

func TestListener(t *testing.T) {
	background := context.Background()

	bubble("takes no tasks, and acknowledges for itself", t, func(t *testing.T) {
		f := openListener(t)
		requireSame(t, f.stream.request, &pb.DispatchRequest{Group: "callers", Pid: "c/1", MaxInFlight: proto.Int32(0)})
		requireEqual(t, f.listener.Address(), "uni@callers/c/1")
		if _, err := NewListener(f.client(), ListenerOptions{Group: "a/b"}); err == nil {
			t.Fatal("accepted a group with a slash")
		}
	})

	bubble("returns at once what is settled already", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listen(background, "p")
		f.next(registerListener).reply(&pb.PromiseRegisterListenerResponse{Promise: settled("p", 4)})
		requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 4)
	})

	bubble("returns the unblock to all that wait for it, and acknowledges it", t, func(t *testing.T) {
		f := openListener(t)
		first, second := f.listening(background, "p"), f.listening(background, "p")
		f.unblock("other", nil)
		requireDeepEqual(t, f.acknowledged(), []string{"other uni@callers/c/1"})
		f.unblock("p", 5)
		f.unblock("p", 5)
		for _, answer := range []<-chan outcome[*pb.PromiseRecord]{first, second} {
			requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 5)
		}
		requireEqual(t, f.acknowledged()[0], "p uni@callers/c/1")
		requireEqual(t, len(f.listener.waiters), 0)
	})

	bubble("returns an unblock that overtakes the answer", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listen(background, "p")
		register := f.next(registerListener)
		f.unblock("p", 6)
		toldAt := time.Now()
		requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 6)
		<-register.ctx.Done()
		requireEqual(t, time.Since(toldAt), 0)
	})

	bubble("hears what comes on the next stream", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listening(background, "p")
		f.stream.fail(draining)
		f.stream = f.nextStream()
		f.stream.hello("session 2", time.Hour)
		f.unblock("p", 8)
		requireEqual(t, decoded[int](t, value(t, answer).GetValue()), 8)
	})

	bubble("returns NOT_FOUND for an unknown promise", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listen(background, "p")
		f.next(registerListener).refuse(refusal{code: codes.NotFound, reason: "PROMISE_NOT_FOUND", status: 404})
		requireEqual(t, failure[*Error](t, answer).Reason, "PROMISE_NOT_FOUND")
	})

	bubble("gives up with its context", t, func(t *testing.T) {
		f := openListener(t)
		ctx, cancel := context.WithCancel(background)
		answer := f.listening(ctx, "p")
		cancel()
		requireEqual(t, failure[*Error](t, answer).Code, codes.Canceled)
		requireEqual(t, len(f.listener.waiters), 0)
	})

	bubble("fails whoever waits, now and later, when another process has its pid", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listening(background, "p")
		f.stream.fail(refusal{code: codes.Aborted, reason: "SESSION_REPLACED"})
		requireEqual(t, failure[*Error](t, answer).Reason, "SESSION_REPLACED")
		requireEqual(t, failure[*Error](t, f.listen(background, "q")).Reason, "SESSION_REPLACED")
		requireEqual(t, ReasonOf(receive(t, f.done)), "SESSION_REPLACED")
	})

	bubble("fails whoever waits when it is stopped", t, func(t *testing.T) {
		f := openListener(t)
		answer := f.listening(background, "p")
		f.stop()
		err := receive(t, answer).err
		requireEqual(t, fmt.Sprint(err), "the listener was stopped")
		requireEqual(t, receive(t, f.done), nil)
	})
}

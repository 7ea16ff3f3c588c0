package resonate

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// streamFixture is a dispatch stream that writes down what it hears.
type streamFixture struct {
	*scripted
	heard  chan string
	ended  chan error
	cancel context.CancelFunc
}

func openDispatch(t *testing.T) *streamFixture {
	f := &streamFixture{scripted: newScripted(t), heard: make(chan string, 100), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	stream := &dispatchStream{
		client:  f.client(),
		request: &pb.DispatchRequest{Group: "g", Pid: "p", MaxInFlight: proto.Int32(3)},
		log:     orSilent(nil),
		hello:   func(hello *pb.DispatchHello) { f.heard <- "hello " + hello.GetSessionId() },
		execute: func(execute *pb.DispatchExecute) {
			f.heard <- fmt.Sprintf("execute %s %d", execute.GetTaskId(), execute.GetVersion())
			if execute.GetTaskId() == "stop" {
				cancel()
			}
		},
		unblock: func(unblock *pb.DispatchUnblock) { f.heard <- "unblock " + unblock.GetAddress() },
		lapsed:  func() { f.heard <- "lapsed" },
	}
	go func() { f.ended <- stream.run(ctx) }()
	t.Cleanup(cancel)
	return f
}

func (f *streamFixture) opened(session string) *scriptedStream {
	f.t.Helper()
	open := f.nextStream()
	open.hello(session, 15*time.Second)
	f.hears("hello " + session)
	return open
}

func (f *streamFixture) hears(event string) {
	f.t.Helper()
	requireEqual(f.t, receive(f.t, f.heard), event)
}

// reconnects checks that the next stream comes after a jittered delay of this length.
func (f *streamFixture) reconnects(session string, longest time.Duration) *scriptedStream {
	f.t.Helper()
	f.hears("lapsed")
	ended := time.Now()
	open := f.opened(session)
	requireBackoff(f.t, ended, longest)
	return open
}

func TestDispatchStream(t *testing.T) {
	bubble("opens as asked, and tells each event in order; unknown ones are passed over", t, func(t *testing.T) {
		f := openDispatch(t)
		open := f.opened("s1")
		requireSame(t, open.request, &pb.DispatchRequest{Group: "g", Pid: "p", MaxInFlight: proto.Int32(3)})
		open.send(executeEvent("t", 2), &pb.DispatchEvent{}, unblockEvent(settled("p", nil), "a"), executeEvent("u", 0))
		f.hears("execute t 2")
		f.hears("unblock a")
		f.hears("execute u 0")
	})

	bubble("reconnects after any end, each time later, up to five seconds", t, func(t *testing.T) {
		f := openDispatch(t)
		open := f.opened("s")
		for i, delay := range []time.Duration{100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000} {
			switch i % 3 {
			case 0:
				open.fail(draining)
			case 1:
				open.fail(refusal{code: codes.ResourceExhausted, reason: "SESSION_STALLED"})
			case 2:
				open.end()
			}
			open = f.reconnects(fmt.Sprint(i), delay*time.Millisecond)
		}
	})

	bubble("counts the end of a stream that lasted as a first one", t, func(t *testing.T) {
		f := openDispatch(t)
		f.opened("s1").fail(draining)
		f.reconnects("s2", 100*time.Millisecond).fail(draining)
		open := f.reconnects("s3", 200*time.Millisecond)
		time.Sleep(10 * time.Second)
		open.fail(draining)
		f.reconnects("s4", 100*time.Millisecond)
	})

	bubble("reconnects after three ping intervals of silence, and lets go of the silent stream", t, func(t *testing.T) {
		f := openDispatch(t)
		open := f.nextStream()
		open.hello("s1", time.Second)
		f.hears("hello s1")
		time.Sleep(2_999 * time.Millisecond)
		open.send(pingEvent)
		silentSince := time.Now()
		open.left()
		requireEqual(t, time.Since(silentSince), 3*time.Second)
		f.reconnects("s2", 100*time.Millisecond)
	})

	bubble("reconnects when no hello comes", t, func(t *testing.T) {
		f := openDispatch(t)
		silent := f.nextStream()
		openedAt := time.Now()
		silent.left()
		requireEqual(t, time.Since(openedAt), 15*time.Second)
		f.reconnects("s1", 100*time.Millisecond)
	})

	bubble("does not hear a stream that it has let go of", t, func(t *testing.T) {
		f := openDispatch(t)
		old := f.nextStream()
		old.left()
		old.fail(refusal{code: codes.Aborted, reason: "SESSION_REPLACED"})
		f.reconnects("s1", 100*time.Millisecond).execute("t", 0)
		f.hears("execute t 0")
	})

	bubble("spreads the reconnect after a drain", t, func(t *testing.T) {
		f := openDispatch(t)
		open := f.opened("s1")
		open.send(drainEvent)
		f.hears("lapsed")
		open.fail(draining)
		f.reconnects("s2", 2*time.Second)
	})

	for _, final := range []refusal{
		{code: codes.Aborted, reason: "SESSION_REPLACED"},
		{code: codes.InvalidArgument, reason: "INVALID_REQUEST"},
	} {
		bubble("ends for good with "+final.reason, t, func(t *testing.T) {
			f := openDispatch(t)
			f.opened("s1").fail(final)
			f.hears("lapsed")
			requireEqual(t, ReasonOf(receive(t, f.ended)), final.reason)
			requireEqual(t, len(f.streams), 0)
		})
	}

	bubble("hears nothing more once it was stopped, in the same frame or the next", t, func(t *testing.T) {
		f := openDispatch(t)
		open := f.opened("s1")
		open.send(executeEvent("stop", 0), executeEvent("t", 0))
		open.execute("u", 0)
		open.left()
		f.hears("execute stop 0")
		requireEqual(t, receive(t, f.ended), nil)
		requireEqual(t, len(f.heard), 0)
	})

	bubble("stops while it waits to come back", t, func(t *testing.T) {
		f := openDispatch(t)
		f.opened("s1").fail(draining)
		f.hears("lapsed")
		synctest.Wait()
		f.cancel()
		stoppedAt := time.Now()
		requireEqual(t, receive(t, f.ended), nil)
		requireEqual(t, time.Since(stoppedAt), 0)
	})

	bubble("finds the server again after it was killed", t, func(t *testing.T) {
		f := openDispatch(t)
		f.opened("s1")
		f.kill()
		f.hears("lapsed")
		time.Sleep(time.Minute)
		f.start()
		open := f.nextStream()
		for len(f.heard) > 0 {
			f.hears("lapsed")
		}
		open.hello("s2", 15*time.Second)
		f.hears("hello s2")
	})
}

package resonate

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	// How long the server may take to say hello.
	helloTimeout = 15 * time.Second
	// A stream is dead after this many ping intervals of silence.
	silentIntervals = 3
	// A stream that lasted this long was a good one: the next reconnect is a first one again.
	stableAfter = 10 * time.Second
)

// After a drain all clients of a server come back at about the same time: this spreads them.
var drainBackoff = Backoff{Initial: 2 * time.Second, Max: 2 * time.Second}

var errSilent = errors.New("the stream is silent")

// dispatchStream keeps one Dispatch stream open: it reconnects with jittered back-off after any end but a final one, and after three ping
// intervals of silence. Its functions are called one after the other, and must return soon.
type dispatchStream struct {
	client  *Client
	request *pb.DispatchRequest
	log     *slog.Logger
	// The stream is open: the first time, or again.
	hello func(*pb.DispatchHello)
	// A task can be acquired.
	execute func(*pb.DispatchExecute)
	// A promise has settled. The same one may come twice.
	unblock func(*pb.DispatchUnblock)
	// What was pushed and not acquired goes to others: the server is about to stop, or the stream has ended.
	lapsed func()
}

// run returns nil once the context is done, and an error when the stream has ended for good: another process has this pid, or the request
// is wrong.
func (s *dispatchStream) run(ctx context.Context) error {
	for failures := 0; ; failures++ {
		life := &streamLife{dispatchStream: s}
		err := life.live(ctx)
		if ctx.Err() != nil {
			return nil
		}
		s.lapsed()
		if isFinal(err) {
			s.log.Error("dispatch stream has ended for good", "error", err)
			return err
		}
		s.log.Warn("dispatch stream has ended", "error", err)
		if !life.helloAt.IsZero() && time.Since(life.helloAt) >= stableAfter {
			failures = 0
		}
		backoff := callBackoff
		if life.draining {
			backoff = drainBackoff
		}
		if sleep(ctx, backoff.delay(failures)) != nil {
			return nil
		}
	}
}

// isFinal tells that coming back would meet the same end.
func isFinal(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	return ok && (failure.Reason == "SESSION_REPLACED" || failure.Code == codes.InvalidArgument)
}

// streamLife is one stream, from its opening to its end.
type streamLife struct {
	*dispatchStream
	helloAt  time.Time
	silence  time.Duration
	draining bool
}

func (s *streamLife) live(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.silence = helloTimeout
	watch := time.AfterFunc(s.silence, func() { cancel(errSilent) })
	defer watch.Stop()
	stream, err := s.client.Dispatch(ctx, s.request)
	if err != nil {
		return err
	}
	for {
		frame, err := stream.Recv()
		if err != nil {
			return err
		}
		for _, event := range frame.GetEvents() {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			s.hear(event)
		}
		watch.Reset(s.silence)
	}
}

func (s *streamLife) hear(event *pb.DispatchEvent) {
	switch event := event.GetEvent().(type) {
	case *pb.DispatchEvent_Hello:
		s.helloAt = time.Now()
		if interval := event.Hello.GetPingIntervalMs(); interval > 0 {
			s.silence = silentIntervals * time.Duration(interval) * time.Millisecond
		}
		s.hello(event.Hello)
	case *pb.DispatchEvent_Execute:
		s.execute(event.Execute)
	case *pb.DispatchEvent_Unblock:
		s.unblock(event.Unblock)
	case *pb.DispatchEvent_Drain:
		s.draining = true
		s.lapsed()
	}
}

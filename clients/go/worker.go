package resonate

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	defaultMaxInFlight = 16
	defaultTTL         = 30 * time.Second
	defaultGrace       = 10 * time.Second
)

// Worker does the tasks of a group as the server pushes them. Fill in its fields and call Run.
type Worker struct {
	// Client reaches the server. It stays open when the worker has stopped.
	Client *Client
	// Group says whose tasks to do: the group of their targets.
	Group string
	// PID names the process: unique among all, and the same for the life of this one. Empty: a new one.
	PID string
	// Handler does the work. Up to MaxInFlight run at the same time.
	Handler Handler
	// MaxInFlight is how many tasks to hold at one time. 0: 16.
	MaxInFlight int
	// TTL is how long the server leaves a task with a worker that it does not hear from; whole milliseconds. 0: 30 s.
	TTL time.Duration
	// AttemptBackoff is how long to hold a task whose handler failed before giving it back. Zero: 1 s, doubled up to 60 s.
	AttemptBackoff Backoff
	// Grace is how long the handlers may go on once the worker drains. 0: 10 s. Less than 0: not at all.
	Grace time.Duration
	// OnHello is called whenever the stream is open, the first time or again, and must return soon.
	OnHello func(hello *pb.DispatchHello)
	// OnUnblock is called for promises that have settled and that an address of this worker listens to, one after the other. They are
	// acknowledged unless it returns an error or panics; the same one may come twice.
	OnUnblock func(ctx context.Context, promise *pb.PromiseRecord, address string) error
	// Logger is told what happens: ids, never payloads. Nil: nothing is reported.
	Logger *slog.Logger
}

// Run works until the context is done, and then drains: it takes nothing new, lets the handlers that run go on for the grace period, gives
// back what is left, and returns nil. It returns an error if it had to stop: another process has this pid (SESSION_REPLACED), or the fields
// are wrong. See UntilSignal for a context.
func (w *Worker) Run(ctx context.Context) error {
	settings, err := w.settings()
	if err != nil || ctx.Err() != nil {
		return err
	}
	return newDuty(ctx, settings).run(ctx)
}

// settings is the worker with its defaults filled in.
func (w *Worker) settings() (*Worker, error) {
	s := *w
	s.PID = cmp.Or(s.PID, newPID())
	s.MaxInFlight = cmp.Or(s.MaxInFlight, defaultMaxInFlight)
	s.TTL = cmp.Or(s.TTL, defaultTTL)
	s.AttemptBackoff = cmp.Or(s.AttemptBackoff, attemptBackoff)
	s.Grace = max(0, cmp.Or(s.Grace, defaultGrace))
	s.Logger = orSilent(s.Logger)
	switch {
	case s.Client == nil:
		return nil, errors.New("a worker needs a Client")
	case s.Handler == nil:
		return nil, errors.New("a worker needs a Handler")
	case s.MaxInFlight < 0 || s.MaxInFlight > math.MaxInt32:
		return nil, errors.New("a worker's MaxInFlight is 1 to 2^31 - 1")
	case s.TTL < time.Millisecond:
		return nil, errors.New("a worker's TTL is at least 1 ms")
	}
	return &s, nil
}

func orSilent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

package resonate

import (
	"context"
	"errors"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// A call about a task gets this long for its answer: then it is taken for lost, and there is time to ask again.
func answerTimeout(ttl time.Duration) time.Duration { return min(ttl/3, 10*time.Second) }

// lease is one task held under one version, for as long as this process may believe so: until one ttl after the sending of the last call
// that renewed it. The server counts from later, so the belief ends first.
type lease struct {
	task *pb.TaskRef
	ttl  time.Duration
	// Done when the run is over, with a *RunOver as its cause.
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	endsAt   time.Time
	timer    *time.Timer
	givingUp int
	offered  bool
}

func newLease(ctx context.Context, task *pb.TaskRef, ttl time.Duration, sentAt time.Time) *lease {
	l := &lease{task: task, ttl: ttl, endsAt: sentAt.Add(ttl)}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	l.mu.Lock() // The timer may fire at once.
	defer l.mu.Unlock()
	l.timer = time.AfterFunc(time.Until(l.endsAt), func() { l.check() })
	return l
}

// renew says that the server has renewed the lease, with a call sent at this time.
func (l *lease) renew(sentAt time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	endsAt := sentAt.Add(l.ttl)
	if !endsAt.After(l.endsAt) {
		return
	}
	l.endsAt = endsAt
	l.timer.Reset(time.Until(endsAt))
}

// check returns the *RunOver if the run is over. It looks at the time itself: the timer of a process that was frozen is late.
func (l *lease) check() error {
	l.mu.Lock()
	expired := !time.Now().Before(l.endsAt)
	l.mu.Unlock()
	if expired {
		return l.end(Lost, nil)
	}
	return context.Cause(l.ctx)
}

// end ends the run. The first reason stands, and is returned.
func (l *lease) end(end RunEnd, cause error) error {
	l.cancel(&RunOver{End: end, cause: cause})
	l.timer.Stop()
	return context.Cause(l.ctx)
}

// over is how the run has ended; empty while it has not.
func (l *lease) over() RunEnd {
	if over, ok := errors.AsType[*RunOver](context.Cause(l.ctx)); ok {
		return over.End
	}
	return ""
}

// giveUp marks the task as being suspended, fulfilled or released, until the returned function is called: an offer of it is then no sign
// of loss, unless the run goes on after all.
func (l *lease) giveUp() (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.givingUp++
	return func() {
		l.mu.Lock()
		l.givingUp--
		lost := l.offered && l.givingUp == 0
		l.mu.Unlock()
		if lost {
			l.end(Lost, nil)
		}
	}
}

// offeredAgain says that the server offers the task under the version that this lease is for.
func (l *lease) offeredAgain() {
	l.mu.Lock()
	l.offered = true
	lost := l.givingUp == 0
	l.mu.Unlock()
	if lost {
		l.end(Lost, nil)
	}
}

// callContext is for one call on behalf of the task: the caller's, for as long as an answer is waited for, and the run goes on.
func (l *lease) callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return l.whileHeld(context.WithTimeout(ctx, answerTimeout(l.ttl)))
}

// whileHeld makes the context end with the run, too.
func (l *lease) whileHeld(ctx context.Context, cancel context.CancelFunc) (context.Context, context.CancelFunc) {
	stop := context.AfterFunc(l.ctx, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

package resonate

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	// The server learns of a drain, and of the last unblocks that were handled, at once or not at all.
	farewellTimeout = 2 * time.Second
	// When a worker stops, handlers whose runs are over get this long to see it and return.
	returnTimeout = time.Second
)

// duty is a worker on duty: one call of its Run.
type duty struct {
	*Worker
	environment  *environment
	pool         *pool
	unblocks     *queue[*pb.DispatchUnblock]
	acknowledger *acknowledger

	mu        sync.Mutex
	sessionID string
}

// newDuty takes a worker whose fields are all filled in.
func newDuty(ctx context.Context, w *Worker) *duty {
	base := context.WithoutCancel(ctx) // What is held is held while the worker drains, too.
	stopping, stop := context.WithCancel(base)
	environment := &environment{
		client:         w.Client,
		pid:            w.PID,
		ttl:            w.TTL,
		handler:        w.Handler,
		attemptBackoff: w.AttemptBackoff,
		heartbeats:     newHeartbeats(w.Client, w.PID, w.TTL, w.Logger),
		failures:       &failures{},
		log:            w.Logger,
		base:           base,
		stopping:       stopping,
	}
	return &duty{
		Worker:       w,
		environment:  environment,
		pool:         &pool{environment: environment, places: w.MaxInFlight, stop: stop, running: map[string]*run{}},
		unblocks:     newQueue[*pb.DispatchUnblock](),
		acknowledger: startAcknowledger(base, w.Client, w.Logger),
	}
}

// run keeps the stream open and does what is pushed, until the context is done or the stream has ended for good; then it drains.
func (d *duty) run(ctx context.Context) error {
	open, leave := context.WithCancel(d.environment.base)
	defer leave()
	ended := make(chan error, 1)
	var connected sync.WaitGroup
	connected.Go(func() { ended <- d.stream().run(open) })
	connected.Go(func() { d.environment.heartbeats.run(open) })
	d.environment.handlers.Go(func() { d.handleUnblocks(open) })

	var failure error
	grace := d.Grace
	select {
	case <-ctx.Done():
		d.Logger.Info("worker drains", "group", d.Group, "pid", d.PID)
	case failure = <-ended:
		grace = 0
	}
	d.pool.close()
	d.announceDrain()
	d.pool.drain(grace)
	leave()
	connected.Wait()
	d.unblocks.close()
	finishesWithin(returnTimeout, &d.environment.handlers)
	d.acknowledger.stop()
	d.Logger.Info("worker stopped", "group", d.Group, "pid", d.PID)
	return failure
}

func (d *duty) stream() *dispatchStream {
	maxInFlight := int32(d.MaxInFlight)
	return &dispatchStream{
		client:  d.Client,
		request: &pb.DispatchRequest{Group: d.Group, Pid: d.PID, MaxInFlight: &maxInFlight},
		log:     d.Logger,
		hello:   d.hello,
		execute: d.pool.offer,
		unblock: d.unblocks.put,
		lapsed:  d.lapsed,
	}
}

func (d *duty) hello(hello *pb.DispatchHello) {
	d.mu.Lock()
	d.sessionID = hello.GetSessionId()
	d.mu.Unlock()
	d.Logger.Info("worker connected", "group", d.Group, "pid", d.PID, "session", hello.GetSessionId())
	if d.OnHello != nil {
		d.OnHello(hello)
	}
	if d.environment.stopping.Err() != nil {
		go d.announceDrain()
	}
	// The server may have been away for most of a lease.
	go d.environment.heartbeats.beat(d.environment.base)
}

func (d *duty) lapsed() {
	d.mu.Lock()
	d.sessionID = ""
	d.mu.Unlock()
	d.pool.lapsed()
}

func (d *duty) announceDrain() {
	d.mu.Lock()
	session := d.sessionID
	d.mu.Unlock()
	if session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.environment.base, farewellTimeout)
	defer cancel()
	if _, err := d.Client.DispatchDrain(ctx, &pb.DispatchDrainRequest{SessionId: session}); err != nil {
		d.Logger.Warn("drain was not announced", "error", err)
	}
}

// handleUnblocks has each unblock handled, and acknowledged if that went well: what is not comes again on the next stream.
func (d *duty) handleUnblocks(ctx context.Context) {
	for batch := range d.unblocks.batches() {
		for _, unblock := range batch {
			if ctx.Err() != nil {
				break
			}
			if err := d.handleUnblock(ctx, unblock); err != nil {
				d.Logger.Warn("unblock was not handled", "promise", unblock.GetPromise().GetId(), "error", err)
				continue
			}
			d.acknowledger.acknowledge(unblock)
		}
	}
}

func (d *duty) handleUnblock(ctx context.Context, unblock *pb.DispatchUnblock) (err error) {
	if d.OnUnblock == nil {
		return nil
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			d.Logger.Error("OnUnblock panicked", "panic", panicked, "stack", string(debug.Stack()))
			err = fmt.Errorf("OnUnblock panicked: %v", panicked)
		}
	}()
	return d.OnUnblock(ctx, unblock.GetPromise(), unblock.GetAddress())
}

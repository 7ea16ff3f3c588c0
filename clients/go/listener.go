package resonate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// Listener waits for many promises over one stream. The registration is durable: an unblock is sent until it is acknowledged, over
// reconnects and restarts of the server; the listener acknowledges it once those that wait have it.
type Listener struct {
	client  *Client
	request *pb.DispatchRequest
	address string
	log     *slog.Logger
	// Closed when Run has returned; the failure is set before.
	ended   chan struct{}
	failure error

	mu      sync.Mutex
	waiters map[string][]chan<- *pb.PromiseRecord
}

// ListenerOptions says whom unblocks are sent to.
type ListenerOptions struct {
	// Group has no slash: it is part of the address.
	Group string
	// PID is unique among the processes. Empty: a new one; then a listener that was registered before a restart of this process waits for
	// nobody.
	PID string
	// Logger is told what happens: ids, never payloads. Nil: nothing is reported.
	Logger *slog.Logger
}

// NewListener returns a listener, to be run. It returns an error if the group has a slash.
func NewListener(client *Client, options ListenerOptions) (*Listener, error) {
	if strings.Contains(options.Group, "/") {
		return nil, fmt.Errorf("a group with a slash has no uni address: %q", options.Group)
	}
	pid := cmp.Or(options.PID, newPID())
	return &Listener{
		client:  client,
		request: &pb.DispatchRequest{Group: options.Group, Pid: pid, MaxInFlight: new(int32)},
		address: fmt.Sprintf("uni@%s/%s", options.Group, pid),
		log:     orSilent(options.Logger),
		ended:   make(chan struct{}),
		waiters: map[string][]chan<- *pb.PromiseRecord{},
	}, nil
}

// Address is where unblocks are sent.
func (l *Listener) Address() string { return l.address }

// Run keeps the stream open until the context is done, and then returns nil; or returns an error when it has ended for good: another
// process has this pid. Who still waits gets an error; what was registered stays registered. It is called once; Listen may be before.
func (l *Listener) Run(ctx context.Context) error {
	acknowledger := startAcknowledger(context.WithoutCancel(ctx), l.client, l.log)
	defer acknowledger.stop()
	stream := &dispatchStream{
		client:  l.client,
		request: l.request,
		log:     l.log,
		hello:   func(*pb.DispatchHello) { l.log.Info("listening", "address", l.address) },
		execute: func(*pb.DispatchExecute) {},
		unblock: func(unblock *pb.DispatchUnblock) {
			l.tell(unblock.GetPromise())
			// Also if nobody waits for it: whoever asks again gets the outcome as the answer to registering.
			acknowledger.acknowledge(unblock)
		},
		lapsed: func() {},
	}
	err := stream.run(ctx)
	l.failure = err
	if err == nil {
		l.failure = errors.New("the listener was stopped")
	}
	close(l.ended)
	return err
}

// Listen registers for the promise and returns it once it is settled, at once if it is already. It returns NOT_FOUND for an unknown
// promise.
func (l *Listener) Listen(ctx context.Context, id string) (*pb.PromiseRecord, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Before registering: the unblock can overtake the answer.
	outcome := l.enter(id)
	defer l.leave(id, outcome)
	refused := make(chan error, 1)
	go func() {
		request := &pb.PromiseRegisterListenerRequest{AwaitedId: id, Address: l.address}
		response, err := l.client.PromiseRegisterListener(ctx, request)
		record, err := present(response.GetPromise(), err)
		switch {
		case err != nil:
			refused <- err
		case IsSettled(record):
			l.tell(record)
		}
	}()
	select {
	case record := <-outcome:
		return record, nil
	case err := <-refused:
		return nil, err
	case <-l.ended:
		return nil, l.failure
	case <-ctx.Done():
		return nil, contextError(ctx)
	}
}

func (l *Listener) enter(id string) chan *pb.PromiseRecord {
	l.mu.Lock()
	defer l.mu.Unlock()
	outcome := make(chan *pb.PromiseRecord, 1)
	l.waiters[id] = append(l.waiters[id], outcome)
	return outcome
}

func (l *Listener) leave(id string, outcome chan<- *pb.PromiseRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := slices.DeleteFunc(l.waiters[id], func(each chan<- *pb.PromiseRecord) bool { return each == outcome })
	if len(rest) == 0 {
		delete(l.waiters, id)
	} else {
		l.waiters[id] = rest
	}
}

// tell hands the settled promise to all that wait for it: its outcome never changes.
func (l *Listener) tell(record *pb.PromiseRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, outcome := range l.waiters[record.GetId()] {
		select {
		case outcome <- record:
		default: // It has it already.
		}
	}
}

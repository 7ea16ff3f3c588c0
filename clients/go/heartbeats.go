package resonate

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// heartbeats renews all leases of a worker together, three times within each ttl.
type heartbeats struct {
	client   *Client
	pid      string
	interval time.Duration
	log      *slog.Logger

	mu     sync.Mutex
	leases map[*lease]struct{}
}

func newHeartbeats(client *Client, pid string, ttl time.Duration, log *slog.Logger) *heartbeats {
	return &heartbeats{client: client, pid: pid, interval: ttl / 3, log: log, leases: map[*lease]struct{}{}}
}

// run beats until the context is done.
func (h *heartbeats) run(ctx context.Context) {
	ticker := time.NewTicker(h.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			h.beat(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// beat renews now. A lease that cannot be renewed ends by itself.
func (h *heartbeats) beat(ctx context.Context) {
	h.mu.Lock()
	leases := slices.Collect(maps.Keys(h.leases))
	h.mu.Unlock()
	var calls sync.WaitGroup
	for some := range slices.Chunk(leases, maxBatch) {
		calls.Go(func() { h.renew(ctx, some) })
	}
	calls.Wait()
}

func (h *heartbeats) renew(ctx context.Context, leases []*lease) {
	ctx, cancel := context.WithTimeout(ctx, h.interval)
	defer cancel()
	request := &pb.TaskHeartbeatRequest{Pid: h.pid}
	for _, lease := range leases {
		request.Tasks = append(request.Tasks, lease.task)
	}
	sentAt := time.Now()
	if _, err := h.client.TaskHeartbeat(ctx, request); err != nil {
		h.log.Warn("heartbeat failed", "error", err, "tasks", len(leases))
		return
	}
	for _, lease := range leases {
		lease.renew(sentAt)
	}
}

// add renews this one from now on.
func (h *heartbeats) add(l *lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leases[l] = struct{}{}
}

// remove leaves this one alone from now on.
func (h *heartbeats) remove(l *lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.leases, l)
}

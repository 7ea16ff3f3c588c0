package resonate

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// acknowledger acknowledges unblocks, all those that come during one call in the next. If that fails, the server sends them again on the
// next stream, and they are acknowledged then.
type acknowledger struct {
	client *Client
	log    *slog.Logger
	refs   *queue[*pb.UnblockRef]
	loop   sync.WaitGroup
	giveUp context.CancelFunc
}

func startAcknowledger(ctx context.Context, client *Client, log *slog.Logger) *acknowledger {
	ctx, giveUp := context.WithCancel(ctx)
	a := &acknowledger{client: client, log: log, refs: newQueue[*pb.UnblockRef](), giveUp: giveUp}
	a.loop.Go(func() { a.run(ctx) })
	return a
}

// acknowledge returns at once.
func (a *acknowledger) acknowledge(unblock *pb.DispatchUnblock) {
	a.refs.put(&pb.UnblockRef{PromiseId: unblock.GetPromise().GetId(), Address: unblock.GetAddress()})
}

// stop acknowledges what is left, and returns soon.
func (a *acknowledger) stop() {
	a.refs.close()
	finishesWithin(farewellTimeout, &a.loop)
	a.giveUp()
	a.loop.Wait()
}

func (a *acknowledger) run(ctx context.Context) {
	for batch := range a.refs.batches() {
		for refs := range slices.Chunk(batch, maxBatch) {
			if _, err := a.client.DispatchAcknowledge(ctx, &pb.DispatchAcknowledgeRequest{Unblocks: refs}); err != nil {
				a.log.Warn("unblocks were not acknowledged", "count", len(refs), "error", err)
			}
		}
	}
}

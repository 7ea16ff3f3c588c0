package resonate

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// One PromiseWait: proxies cut calls that are silent for long.
const waitSlice = time.Minute

// Create creates the work, or finds it under its id, and returns its promise as it stands.
func (c *Client) Create(ctx context.Context, work Work) (*pb.PromiseRecord, error) {
	spec, err := work.spec(0)
	if err != nil {
		return nil, err
	}
	response, err := c.PromiseCreate(ctx, &pb.PromiseCreateRequest{Promise: spec})
	return present(response.GetPromise(), err)
}

// Invoke creates the work as Create does, and waits for its outcome as Wait does. Calling it again with the same id, from any process,
// waits for the same work. See Result for the value.
func (c *Client) Invoke(ctx context.Context, work Work) (*pb.PromiseRecord, error) {
	if _, err := c.Create(ctx, work); err != nil {
		return nil, err
	}
	return c.Wait(ctx, work.ID)
}

// Wait returns the promise once it is settled, over restarts of the server, for as long as the context lasts. It returns NOT_FOUND for
// an unknown promise.
func (c *Client) Wait(ctx context.Context, id string) (*pb.PromiseRecord, error) {
	for failures := 0; ; failures++ {
		slice, cancel := context.WithTimeout(ctx, waitSlice)
		response, err := c.PromiseWait(slice, &pb.PromiseWaitRequest{Id: id})
		cancel()
		if err == nil {
			return present(response.GetPromise(), nil)
		}
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		failure := toError(slice, err)
		if !failure.isTransient() {
			return nil, failure
		}
		if failure.Code == codes.DeadlineExceeded {
			failures = 0 // A slice that passed quietly is no failure.
		}
		if sleep(ctx, callBackoff.delay(failures)) != nil {
			return nil, contextError(ctx)
		}
	}
}

package resonate

import (
	"math"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// Client has a method for every RPC, named as in the proto, and the caller's side of durable work: Invoke and Wait.
//
// Every error of a call is an *Error. A call whose context has no deadline gets 30 s. Calls of which the proto says that a retry is
// always safe are repeated on UNAVAILABLE, with jittered back-off, until the deadline; no other call and no other error ever is.
//
// A Client is one connection, and safe for use by many goroutines.
type Client struct {
	pb.PromiseServiceClient
	pb.TaskServiceClient
	pb.ScheduleServiceClient
	pb.DispatchServiceClient
	connection *grpc.ClientConn
}

// NewClient returns a client of the server at this address, such as "localhost:50051". It connects when it is first used. The options
// go over the client's own, such as grpc.WithTransportCredentials: without it there is no TLS.
func NewClient(address string, options ...grpc.DialOption) (*Client, error) {
	own := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(callUnary),
		grpc.WithChainStreamInterceptor(openStream),
		// The server bounds its messages by its own limit on requests, which its operator may have raised.
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
		// A connection that a network swallowed is found out even while only a Dispatch stream is open.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		// The default waits up to two minutes before it looks whether the server is back.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay:  callBackoff.Initial,
				Multiplier: 2,
				Jitter:     0.2,
				MaxDelay:   callBackoff.Max,
			},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
	connection, err := grpc.NewClient(address, append(own, options...)...)
	if err != nil {
		return nil, err
	}
	return &Client{
		PromiseServiceClient:  pb.NewPromiseServiceClient(connection),
		TaskServiceClient:     pb.NewTaskServiceClient(connection),
		ScheduleServiceClient: pb.NewScheduleServiceClient(connection),
		DispatchServiceClient: pb.NewDispatchServiceClient(connection),
		connection:            connection,
	}, nil
}

// Close closes the connection. Calls that are under way fail.
func (c *Client) Close() error { return c.connection.Close() }

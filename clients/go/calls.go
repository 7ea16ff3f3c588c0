package resonate

import (
	"context"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	// How long a call may take whose context has no deadline.
	defaultTimeout = 30 * time.Second
	// The server lets deadlines of 25 to 50 days expire at once.
	longestTimeout = 24 * 24 * time.Hour
	// How many tasks or unblocks one call names at the most: with the longest ids it is still within the limit of a request.
	maxBatch = 1_000
)

// The calls of which the proto says that a retry is always safe.
var retrySafe = map[string]bool{
	pb.PromiseService_PromiseGet_FullMethodName:              true,
	pb.PromiseService_PromiseCreate_FullMethodName:           true,
	pb.PromiseService_PromiseSettle_FullMethodName:           true,
	pb.PromiseService_PromiseRegisterCallback_FullMethodName: true,
	pb.PromiseService_PromiseRegisterListener_FullMethodName: true,
	pb.PromiseService_PromiseWait_FullMethodName:             true,
	pb.TaskService_TaskGet_FullMethodName:                    true,
	pb.TaskService_TaskHeartbeat_FullMethodName:              true,
	pb.TaskService_TaskHalt_FullMethodName:                   true,
	pb.ScheduleService_ScheduleGet_FullMethodName:            true,
	pb.ScheduleService_ScheduleCreate_FullMethodName:         true,
	pb.DispatchService_DispatchAcknowledge_FullMethodName:    true,
	pb.DispatchService_DispatchDrain_FullMethodName:          true,
}

// callUnary makes every unary call: it bounds its time, repeats it where that is safe, and unpacks its error.
func callUnary(
	ctx context.Context, method string, request, response any,
	connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	timeout := longestTimeout
	if _, ok := ctx.Deadline(); !ok {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for failures := 0; ; failures++ {
		err := invoke(ctx, method, request, response, connection, options...)
		if err == nil {
			return nil
		}
		failure := toError(ctx, err)
		if !retrySafe[method] || failure.Code != codes.Unavailable {
			return failure
		}
		delay := callBackoff.delay(failures)
		if end, _ := ctx.Deadline(); time.Until(end) <= delay {
			return failure
		}
		if sleep(ctx, delay) != nil {
			return contextError(ctx)
		}
	}
}

// openStream makes the errors of a stream like those of the unary calls.
func openStream(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn,
	method string, open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, description, connection, method, options...)
	if err != nil {
		return nil, toError(ctx, err)
	}
	return typedStream{stream}, nil
}

type typedStream struct{ grpc.ClientStream }

// RecvMsg passes io.EOF on as it is, as every stream ends with it after an OK.
func (s typedStream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if err == nil || err == io.EOF {
		return err
	}
	return toError(s.Context(), err)
}

package resonate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const errorDomain = "resonate-grpc"

var codeOfStatus = map[int32]codes.Code{
	404: codes.NotFound,
	409: codes.Aborted,
	422: codes.FailedPrecondition,
	501: codes.Unimplemented,
}

// Error is why a call failed: refused by the server, cut off by the network, past its deadline, or cancelled by its caller.
// The functions of the package status work on it, too.
type Error struct {
	// Code is the gRPC status code.
	Code codes.Code
	// Reason is why, for programs: the name of a value of the enum Reason, without its prefix. Empty when the error is not from
	// the server itself but from the network, a proxy or gRPC.
	Reason string
	// Status is the protocol's number: 404, 409, 422 or 501; 0 when the protocol has none for it.
	Status int
	// Metadata has the facts behind the reason, as refusal.proto lists them.
	Metadata map[string]string
	// Message is why, for people.
	Message string
	cause   error
}

// Error names the reason, or else the code, and the message.
func (e *Error) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s: %s", e.Reason, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns what ended the call's context, if that is why it failed, or else the error that gRPC reported.
func (e *Error) Unwrap() error { return e.cause }

// GRPCStatus makes status.Code and status.FromError work.
func (e *Error) GRPCStatus() *status.Status { return status.New(e.Code, e.Message) }

// ReasonOf returns the reason of an *Error, however it is wrapped, and of anything else the empty string.
func ReasonOf(err error) string {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.Reason
	}
	return ""
}

// toError unpacks what gRPC reported about a call made with this context.
func toError(ctx context.Context, err error) *Error {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure
	}
	reported := status.Convert(err)
	if code := reported.Code(); ctx.Err() != nil && (code == codes.Canceled || code == codes.DeadlineExceeded) {
		return contextError(ctx)
	}
	failure := &Error{Code: reported.Code(), Message: reported.Message(), cause: err}
	for _, detail := range reported.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == errorDomain {
			failure.Reason = info.GetReason()
			failure.Metadata = info.GetMetadata()
			failure.Status, _ = strconv.Atoi(failure.Metadata["status"])
		}
	}
	return failure
}

// contextError is the error of a call whose context is done.
func contextError(ctx context.Context) *Error {
	reported := status.FromContextError(ctx.Err())
	return &Error{Code: reported.Code(), Message: reported.Message(), cause: context.Cause(ctx)}
}

// refusalError is the inner refusal of a fence, as the error that the inner call would have met.
func refusalError(refusal *pb.Refusal) *Error {
	code, known := codeOfStatus[refusal.GetProtocolStatus()]
	if !known {
		code = codes.Unknown
	}
	return &Error{
		Code:     code,
		Reason:   strings.TrimPrefix(refusal.GetReason().String(), "REASON_"),
		Status:   int(refusal.GetProtocolStatus()),
		Metadata: refusal.GetMetadata(),
		Message:  refusal.GetMessage(),
	}
}

// isTransient tells that the server or the network is in trouble, and the call may do better later. Whether it has already taken
// effect is open.
func (e *Error) isTransient() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.ResourceExhausted:
		return e.Reason == "OVERLOADED" || e.Reason == "STORAGE_FULL"
	case codes.Internal, codes.Unknown, codes.Canceled:
		// Without a reason it is not from our server: a stream that was reset on the way.
		return e.Reason == ""
	default:
		return false
	}
}

// showsHolder tells that the refusal names pid as the holder under this version: an earlier answer to it was lost, and it goes on.
func (e *Error) showsHolder(pid string, version int64) bool {
	return e.Code == codes.Aborted &&
		e.Metadata["task_pid"] == pid &&
		e.Metadata["task_version"] == strconv.FormatInt(version, 10)
}

package resonate

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// IsSettled tells that the promise has its outcome, which never changes.
func IsSettled(record *pb.PromiseRecord) bool { return record != nil && record.SettledAtMs != nil }

// Result reads what the promise resolved with, as DecodeJSON does. If it was rejected, it returns a *Reject with the value it was
// rejected with, so that a handler that returns this error rejects its own promise in turn.
func Result(record *pb.PromiseRecord, into any) error {
	if !IsSettled(record) {
		return fmt.Errorf("promise %q is pending", record.GetId())
	}
	if record.GetState() == pb.PromiseState_PROMISE_STATE_RESOLVED {
		return DecodeJSON(record.GetValue(), into)
	}
	state := strings.TrimPrefix(record.GetState().String(), "PROMISE_STATE_")
	return &Reject{Value: record.GetValue(), Message: fmt.Sprintf("promise %q is %s", record.GetId(), state)}
}

// present checks that an answer carries the promise that every answer of its kind does.
func present(record *pb.PromiseRecord, err error) (*pb.PromiseRecord, error) {
	if err == nil && record == nil {
		err = &Error{Code: codes.Internal, Message: "the answer carries no promise"}
	}
	return record, err
}

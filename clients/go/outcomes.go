package resonate

import "fmt"

// Reject, returned by a handler, rejects its promise with the value; wrapped as an error may be. Any other error is a failed
// attempt, and is retried.
type Reject struct {
	// Value is what the promise is rejected with: JSON, or a *pb.Value as it is.
	Value any
	// Message is for people, and stays in this process.
	Message string
}

// Error returns the message.
func (r *Reject) Error() string {
	if r.Message == "" {
		return "rejected"
	}
	return r.Message
}

// RunEnd is why a run of a handler is over.
type RunEnd string

const (
	// Suspended: the task waits for a promise. Its handler is called again, from its start, when that has settled.
	Suspended RunEnd = "suspended"
	// Lost: the lease is lost, or must be taken for lost. Somebody else may hold the task.
	Lost RunEnd = "lost"
	// Stopped: the worker stops and gives the task back.
	Stopped RunEnd = "stopped"
	// Finished: the handler has returned.
	Finished RunEnd = "finished"
)

// RunOver is what every method of a Task returns once its run is over, and the cause of its context's end. A handler returns it, or
// anything else: what it does after its run has no effect on the task.
type RunOver struct {
	// End is why.
	End   RunEnd
	cause error
}

// Error says why.
func (o *RunOver) Error() string {
	if o.cause != nil {
		return fmt.Sprintf("this run of the handler is over: %s: %v", o.End, o.cause)
	}
	return fmt.Sprintf("this run of the handler is over: %s", o.End)
}

// Unwrap returns the refusal that showed the loss, if one did.
func (o *RunOver) Unwrap() error { return o.cause }

package resonate

import (
	"errors"
	"maps"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

const (
	targetTag = "resonate:target"
	timerTag  = "resonate:timer"
	// The largest instant of the protocol.
	maxInstantMs = 1<<53 - 1
)

// Work is something to be done: a promise, and with a target the task that fulfils it.
type Work struct {
	// ID names it, and is its idempotency key: 1 to 512 bytes.
	ID string
	// Target is the address that gets the task, such as "any@group". Empty: no task; somebody settles the promise by its id.
	Target string
	// Param is the input: JSON, or a *pb.Value as it is.
	Param any
	// Timeout is how long it may take from now, by this machine's clock.
	Timeout time.Duration
	// Deadline counts instead of Timeout, unless it is zero.
	Deadline time.Time
	// Tags are more tags.
	Tags map[string]string
}

// spec is the proto's form of it. Work without a time limit gets the fallback, or an error if that is 0.
func (w Work) spec(fallbackMs int64) (*pb.PromiseSpec, error) {
	param, err := EncodeJSON(w.Param)
	if err != nil {
		return nil, err
	}
	timeoutAtMs := fallbackMs
	switch {
	case !w.Deadline.IsZero():
		timeoutAtMs = instantMs(w.Deadline)
	case w.Timeout != 0:
		timeoutAtMs = instantMs(time.Now().Add(w.Timeout))
	case fallbackMs == 0:
		return nil, errors.New("work needs a Timeout or a Deadline")
	}
	tags := maps.Clone(w.Tags)
	if w.Target != "" {
		if tags == nil {
			tags = map[string]string{}
		}
		tags[targetTag] = w.Target
	}
	return &pb.PromiseSpec{Id: w.ID, TimeoutAtMs: timeoutAtMs, Param: param, Tags: tags}, nil
}

// instantMs is the instant on the wire, no earlier than t, and within the protocol's bounds.
func instantMs(t time.Time) int64 {
	return min(max(0, t.Add(time.Millisecond-time.Nanosecond).UnixMilli()), maxInstantMs)
}

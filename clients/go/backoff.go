package resonate

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff is an exponential back-off: the longest delay doubles with each failure in a row, and each delay is cut by up to half at
// random, so that many clients do not come back at the same instant, and none at once.
type Backoff struct {
	// Initial is the longest first delay.
	Initial time.Duration
	// Max is the longest delay of all.
	Max time.Duration
}

var (
	// For calls and streams that met a server or a network in trouble.
	callBackoff = Backoff{Initial: 100 * time.Millisecond, Max: 5 * time.Second}
	// For a task whose handler failed.
	attemptBackoff = Backoff{Initial: time.Second, Max: time.Minute}
)

// delay is the one after so many earlier failures, from 0.
func (b Backoff) delay(failures int) time.Duration {
	longest := min(b.Initial, b.Max)
	for ; failures > 0 && longest > 0 && longest < b.Max; failures-- {
		longest += min(longest, b.Max-longest)
	}
	return longest - time.Duration(rand.Float64()*float64(longest)/2)
}

// sleep returns after d, or as soon as the context is done, with its error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package resonate

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// UntilSignal returns a context that is done at the first SIGTERM or SIGINT, so that a worker that runs with it drains. A second one ends
// the process as it would without this.
func UntilSignal(parent context.Context) context.Context {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGTERM, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx
}

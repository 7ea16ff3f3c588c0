package resonate

import (
	"context"
	"slices"
	"sync"
	"time"

	pb "github.com/resonate-grpc/resonate-grpc/clients/go/resonategrpcv1"
)

// pool does the tasks that are pushed, so many at a time.
type pool struct {
	environment *environment
	places      int
	// Begins the drain: see environment.
	stop context.CancelFunc
	runs sync.WaitGroup

	mu      sync.Mutex
	running map[string]*run
	// What was pushed and waits for a free place, or for the end of an earlier run of the same task.
	offers []*pb.DispatchExecute
}

// offer is told of each push.
func (p *pool) offer(execute *pb.DispatchExecute) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.environment.stopping.Err() != nil {
		return
	}
	if running := p.running[execute.GetTaskId()]; running != nil {
		if execute.GetVersion() < running.task.Version {
			return // The push that this run came from, once more.
		}
		running.offeredAgain()
	}
	isSame := func(offer *pb.DispatchExecute) bool { return offer.GetTaskId() == execute.GetTaskId() }
	if i := slices.IndexFunc(p.offers, isSame); i >= 0 {
		p.offers[i] = execute
	} else {
		p.offers = append(p.offers, execute)
	}
	p.next()
}

// next begins what there is room for, oldest first.
func (p *pool) next() {
	p.offers = slices.DeleteFunc(p.offers, func(offer *pb.DispatchExecute) bool {
		if len(p.running) >= p.places || p.running[offer.GetTaskId()] != nil {
			return false
		}
		p.begin(offer)
		return true
	})
}

func (p *pool) begin(execute *pb.DispatchExecute) {
	run := newRun(p.environment, execute)
	p.running[execute.GetTaskId()] = run
	p.runs.Go(func() {
		run.perform()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, execute.GetTaskId())
		p.next()
	})
}

// lapsed is told when pushes that were not acquired are no longer ours.
func (p *pool) lapsed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.offers = nil
}

// close begins nothing new.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	p.offers = nil
}

// drain lets what runs go on for so long, gives back the rest, and returns when nothing is held any more. The pool is closed.
func (p *pool) drain(grace time.Duration) {
	if finishesWithin(grace, &p.runs) {
		return
	}
	p.mu.Lock()
	for _, run := range p.running {
		run.stop()
	}
	p.mu.Unlock()
	p.runs.Wait()
}

// finishesWithin waits for a group, but no longer than this.
func finishesWithin(limit time.Duration, group *sync.WaitGroup) bool {
	finished := make(chan struct{})
	go func() {
		group.Wait()
		close(finished)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-finished:
		return true
	case <-timer.C:
		return false
	}
}

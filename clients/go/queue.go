package resonate

import (
	"iter"
	"sync"
)

// queue hands items from one goroutine to another, without bound and without waiting.
type queue[T any] struct {
	mu     sync.Mutex
	items  []T
	more   chan struct{}
	closed bool
}

func newQueue[T any]() *queue[T] { return &queue[T]{more: make(chan struct{}, 1)} }

func (q *queue[T]) put(item T) {
	q.mu.Lock()
	q.items = append(q.items, item)
	q.mu.Unlock()
	q.signal()
}

// close lets the receiver end once it has had everything.
func (q *queue[T]) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
}

// batches yields what has come meanwhile, in order, until the queue is closed. For one receiver.
func (q *queue[T]) batches() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for {
			q.mu.Lock()
			batch, closed := q.items, q.closed
			q.items = nil
			q.mu.Unlock()
			switch {
			case len(batch) > 0:
				if !yield(batch) {
					return
				}
			case closed:
				return
			default:
				<-q.more
			}
		}
	}
}

func (q *queue[T]) signal() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

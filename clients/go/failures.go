package resonate

import "sync"

// More than this many failing tasks are not told apart: some are forgotten, whose next back-off is then a first one.
const rememberedFailures = 10_000

// failures counts how often each task has failed in a row, in this process.
type failures struct {
	mu     sync.Mutex
	counts map[string]int
}

// add counts one more failure and returns how many there were before.
func (f *failures) add(taskID string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[string]int{}
	}
	earlier := f.counts[taskID]
	f.counts[taskID] = earlier + 1
	for other := range f.counts {
		if len(f.counts) <= rememberedFailures {
			break
		}
		if other != taskID {
			delete(f.counts, other)
		}
	}
	return earlier
}

// clear forgets a task that has made progress.
func (f *failures) clear(taskID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.counts, taskID)
}

package resonate

import (
	"crypto/rand"
	"fmt"
	"os"
)

// newPID is a process name that no other process has: the host and the number for people, the rest for uniqueness.
func newPID() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%.200s-%d-%s", host, os.Getpid(), rand.Text()[:8])
}

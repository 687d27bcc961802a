//go:build linux

package torture

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// ward knows the servers that run, so that everything else that has become a
// child of ours can be told from them: it has lost its parents.
type ward struct {
	mu      sync.Mutex
	servers map[int]bool
}

// start starts a server and takes note of it.
func (w *ward) start(t testing.TB, dir, tmp string) *testkit.Server {
	s := testkit.Start(t, testkit.Options{Dir: dir, Tmp: tmp, Env: environment()})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.servers[s.PID()] = true
	go func() {
		<-s.Exited()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.servers, s.PID())
	}()
	return s
}

// bury takes note of the end of an orphan, as init would.
func (w *ward) bury(p testkit.Proc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Parent == os.Getpid() && !w.servers[p.PID] {
		_, _ = syscall.Wait4(p.PID, nil, syscall.WNOHANG, nil)
	}
}

// orphans are all processes that have come to us, whoever's they were. With no
// server running there may be none.
func (w *ward) orphans() []string {
	var list []string
	for _, p := range testkit.Descendants(os.Getpid()) {
		if p.State == "Z" {
			w.bury(p)
			continue
		}
		list = append(list, fmt.Sprint("process ", p))
	}
	return list
}

// settle waits until no orphan is left, bounded, and says which are.
func (w *ward) settle() []string { return settled(w.orphans) }

package handlers

import (
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/session"
)

// Who keeps another waiting without holding what that waits for is not said to hold it.
func TestWordsOfARing(t *testing.T) {
	waits := func(who, what, on, does string) session.Wait {
		return session.Wait{Whos: []string{who}, Count: 1, For: what, Holders: []adapters.Holder{{Who: on, Does: does}}}
	}
	for want, ring := range map[string][]session.Wait{
		"goroutine 1 waits for sync.RWMutex.RLock of m, and goroutine 2 waits to write; goroutine 2 waits for sync.RWMutex.Lock of m, held by goroutine 1": {
			waits("goroutine 1", "sync.RWMutex.RLock of m", "goroutine 2", "waits to write"), waits("goroutine 2", "sync.RWMutex.Lock of m", "goroutine 1", ""),
		},
		"thread 1 waits for a mutex, which it holds itself":                     {waits("thread 1", "a mutex", "thread 1", "")},
		"goroutine 3 waits for sync.Once.Do, and goroutine 3 runs its function": {waits("goroutine 3", "sync.Once.Do", "goroutine 3", "runs its function")},
	} {
		if got := strings.Join((show{}).cycles([][]session.Wait{ring}), "\n"); got != want {
			t.Errorf("said is\n%s\nwant\n%s", got, want)
		}
	}
}

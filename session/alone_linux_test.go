package session

import (
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// Three that compute on one processor have it for a third of the time, and the rest does not count: each has
// as much time as it would have alone. What sleeps has no more.
func TestTimeWithoutAProcessorDoesNotCount(t *testing.T) {
	testkit.OnOneProcessor(t)
	const longest = 400 * time.Millisecond
	for script, computes := range map[string]bool{
		"for i in 1 2; do (while :; do :; done) & done; while :; do :; done": true, "sleep 60": false,
	} {
		child, err := process.Start(process.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Streams: true})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		queued, over, err := until{over: begun.Add(time.Minute), longest: longest}.wait(t.Context(), child)
		lasted := time.Since(begun)
		child.Kill()
		if err != nil || !over {
			t.Fatalf("%s: it ended by itself, or %v", script, err)
		}
		if computes && (queued < longest || lasted < longest+queued) {
			t.Errorf("%s: ended after %s, in which it waited %s for a processor", script, lasted, queued)
		}
		if !computes && queued > longest {
			t.Errorf("%s: it waited %s for a processor, and sleeps", script, queued)
		}
	}
}

// The time that the caller has is over when it is, however busy the machine.
func TestTheCallersTimeIsOver(t *testing.T) {
	child, err := process.Start(process.Spec{Path: "/bin/sh", Args: []string{"-c", "while :; do :; done"}, Streams: true})
	if err != nil {
		t.Fatal(err)
	}
	defer child.Kill()
	begun := time.Now()
	if _, over, err := (until{over: begun.Add(300 * time.Millisecond), longest: time.Hour}).wait(t.Context(), child); err != nil || !over {
		t.Errorf("it ended by itself, or %v", err)
	}
	if lasted := time.Since(begun); lasted < 300*time.Millisecond || lasted > 20*time.Second {
		t.Errorf("its 300 ms were over after %s", lasted)
	}
}

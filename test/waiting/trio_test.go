//go:build linux

package waiting

import (
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// While all tasks of trio wait, what runs them is on no stack.
func TestTrio(t *testing.T) {
	if text, err := exec.Command("python3", "-c", "import trio").CombinedOutput(); err != nil {
		t.Skipf("python3 has no trio here: %s", strings.TrimSpace(string(text)))
	}
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("diagnose", A{"target": "nursery.py", "timeout_ms": 12_000, "keep": true}).Want("blocked", "data", "verdict")
	told := s.OK("inspect", A{"target": "waits"})
	kernel{Waits: []wait{
		{At: "wants", For: "lock (trio.Lock", Held: "trio task __main__.keeper", Taken: "locks"},
		{At: "receives", For: "MemoryReceiveChannel.receive: messages"},
		{At: "sleeps", For: "(trio)"},
		{At: "nursery", For: "NurseryManager"},
	}}.compare(t, told, p, tongue{File: "nursery.py"})
	told.Lacks("TrioToken", "<init>")
}

//go:build linux

package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// call calls a tool over HTTP and returns its text, with the structured content that
// stands beside it.
func call(ctx context.Context, session *mcp.ClientSession, tool string, args A) (string, error) {
	if args == nil {
		args = A{}
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, block := range result.Content {
		if b, ok := block.(*mcp.TextContent); ok {
			text.WriteString(b.Text)
		}
	}
	if result.StructuredContent != nil {
		structured, err := json.Marshal(result.StructuredContent)
		if err != nil {
			return "", err
		}
		text.Write(structured)
	}
	return text.String(), nil
}

// must calls a tool that must answer with these words.
func must(t *testing.T, session *mcp.ClientSession, tool string, args A, words ...string) string {
	t.Helper()
	text, err := call(t.Context(), session, tool, args)
	for _, word := range words {
		if err != nil || !strings.Contains(text, word) {
			t.Fatalf("%s %v: %v, want %q in\n%s", tool, args, err, word, text)
		}
	}
	return text
}

// A worker that is killed while a call waits: the call says what was lost, and
// the next has a new worker, in the same MCP session.
func TestAWorkerIsKilledWhileACallWaits(t *testing.T) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			g := serve(t)
			client := g.Join(t, secret, revision)
			p := testkit.NewProgram(t, "endless")
			must(t, client, "session_start", A{"target": p.Dir, "timeout_ms": 0}, `"success":true`)
			testkit.Eventually(t, testkit.CallLimit, "a running program", func() bool {
				text, _ := call(t.Context(), client, "session", nil)
				return strings.Contains(text, `"running"`)
			})
			answer := make(chan string, 1)
			go func() {
				text, err := call(t.Context(), client, "execute", A{"action": "wait", "timeout_ms": 60_000})
				answer <- fmt.Sprint(text, err)
			}()
			g.waits(t, 1)
			_ = syscall.Kill(g.workers("ada")[0].PID, syscall.SIGKILL)
			text := <-answer
			if !strings.Contains(text, "AIDB_WORKER_CRASHED") || !strings.Contains(text, "lost") || !strings.Contains(text, "session_start") {
				t.Fatalf("the waiting call: %s", text)
			}
			must(t, client, "session", A{"action": "list"}, `"success":true`)
		})
	}
}

// waits waits until the program's worker has a call that is not answered.
func (g *gateway) waits(t *testing.T, calls int) {
	t.Helper()
	testkit.Eventually(t, testkit.CallLimit, "calls that wait", func() bool {
		_, text := g.knock(t, "GET", "/metrics", "", "Authorization", "Bearer "+secret)
		return strings.Contains(text, fmt.Sprintf("\naidb_calls_open %d\n", calls))
	})
}

// A shutdown lets nothing new begin, answers who waits, and ends everything in time.
func TestDrain(t *testing.T) {
	g := serve(t)
	p := testkit.NewProgram(t, "endless")
	clients := []*mcp.ClientSession{g.Join(t, secret, revisions[0]), g.Join(t, another, revisions[1])}
	answers := make(chan string, len(clients))
	for _, client := range clients {
		must(t, client, "session_start", A{"target": p.Dir, "timeout_ms": 0}, `"success":true`)
		testkit.Eventually(t, testkit.CallLimit, "a running program", func() bool {
			text, _ := call(t.Context(), client, "session", nil)
			return strings.Contains(text, `"running"`)
		})
		go func() {
			text, err := call(t.Context(), client, "execute", A{"action": "wait", "timeout_ms": 60_000})
			answers <- fmt.Sprint(text, err)
		}()
	}
	g.waits(t, len(clients))
	begun := time.Now()
	g.Signal(syscall.SIGTERM)
	for range clients {
		if text := <-answers; !strings.Contains(text, "shutting down") && !strings.Contains(text, "AIDB_") {
			t.Errorf("a waiting call was answered: %s", text)
		}
	}
	<-g.Exited()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Each worker has a trace of its own.
func TestTraces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	g := serve(t, "--trace-dap", file)
	p := testkit.NewProgram(t, "averages")
	for _, token := range []string{secret, another} {
		must(t, g.Join(t, token, revisions[0]), "session_start", A{"target": p.Dir, "breakpoints": []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}, "timeout_ms": longest}, "stopped_at_breakpoint")
	}
	for _, worker := range []string{"w1", "w2"} {
		if text, err := os.ReadFile(file + "." + worker); err != nil || !strings.Contains(string(text), "setBreakpoints") {
			t.Errorf("the trace of %s: %v, %.200s", worker, err, text)
		}
	}
}

// A command that is none is told to the client, and in the log.
func TestACommandThatIsNone(t *testing.T) {
	g := serve(t, "--", "/does/not/exist", "at-all")
	status, text := g.knock(t, "POST", "/mcp", hello, "Authorization", "Bearer "+secret)
	if status != 200 || !strings.Contains(text, "AIDB_WORKER_CRASHED") || !strings.Contains(text, "/does/not/exist") {
		t.Errorf("%d %s", status, text)
	}
}

// A worker that grows is ended, with a true answer; its neighbour stays.
func TestMemory(t *testing.T) {
	g := serve(t, "--worker-memory", "400")
	neighbour := g.Join(t, another, revisions[0])
	must(t, neighbour, "context", nil, `"success":true`)
	before := g.workers("bob")[0].PID
	p := testkit.NewProgramOf(t, "python", "tour")
	p.Write("grow.py", "import time\nheld = []\nwhile True:\n    held.append(bytearray(20_000_000))\n    time.sleep(0.02)\n")
	client := g.Join(t, secret, revisions[0])
	must(t, client, "session_start", A{"target": p.Dir + "/grow.py", "timeout_ms": longest}, "AIDB_WORKER_LIMIT", "MiB")
	must(t, client, "session", A{"action": "list"}, `"success":true`)
	if after := g.workers("bob"); len(after) != 1 || after[0].PID != before {
		t.Errorf("the neighbour's worker was %d and is %v", before, after)
	}
}

// Many clients debug at the same time, each its own program; "make bench" has fifty.
func TestCrowd(t *testing.T) {
	const clients = 12
	g := serve(t, "--workers", fmt.Sprint(clients))
	p := testkit.NewProgram(t, "averages")
	binary := p.Build(".")
	at := []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}
	var crowd sync.WaitGroup
	for i := range clients {
		crowd.Go(func() {
			client := g.Join(t, []string{secret, another}[i%2], revisions[0])
			start := A{"target": binary, "breakpoints": at, "timeout_ms": longest}
			text, err := call(t.Context(), client, "session_start", start)
			if err != nil || !strings.Contains(text, `"stopped_at_breakpoint"`) {
				t.Errorf("client %d: %v, %.500s", i, err, text)
				return
			}
			if text, err = call(t.Context(), client, "variable", A{"action": "get", "expression": "i"}); err != nil || !strings.Contains(text, `"1"`) {
				t.Errorf("client %d: %v, %.500s", i, err, text)
			}
		})
	}
	crowd.Wait()
	if n := len(g.workers("")); n != clients {
		t.Errorf("%d workers for %d clients", n, clients)
	}
}

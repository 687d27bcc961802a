//go:build linux

package diagnosing

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// asking are the languages in which the ways to ask are tried.
var asking = []struct {
	tongue
	flaky, fine A
}{
	{golang, A{"test": "TestFlaky"}, A{"test": "TestFine"}},
	{python, A{"test": "test_flaky"}, A{"test": "test_fine"}},
	{javascript, A{"target": "shop.test.js", "test": "flaky"}, A{"target": "shop.test.js", "test": "fine"}},
	{typescript, A{"target": "src/shop.test.ts", "test": "flaky"}, A{"target": "src/shop.test.ts", "test": "fine"}},
}

// A test that fails now and then is run until it does, and no longer.
func TestRepeat(t *testing.T) {
	t.Parallel()
	for _, l := range asking {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.through(t)
			if l.Name != golang.Name {
				testkit.Long(t, "how often it is run, and what is said of that, is the same as in "+golang.Name)
			}
			s := open(t, l.tongue)
			r := s.OK("diagnose", s.with(l.flaky, A{"repeat": 8, "timeout_ms": 120_000}))
			r.Want("flaky", "data", "verdict").Want("test_failure", "data", "fails_as")
			r.Want("3", "data", "runs", "made").Want("1", "data", "runs", "failed")
			if l.Name == golang.Name { // the recorder finds the failure again three runs later
				r.Has("runs(").Has("the program was run 3 times more, to note its calls")
			}
			r = s.OK("diagnose", s.with(l.fine, A{"repeat": 2, "timeout_ms": 120_000}))
			r.Want("ok", "data", "verdict").Want("2", "data", "runs", "made").Want("0", "data", "runs", "failed")
			s.OK("session", A{"action": "list"}).Want("[]", "data", "sessions")
		})
	}
}

// What is kept stands at the failure, where it can be looked at, asked and stepped; a
// session that has ended is as good to ask in as one that stands.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, l := range asking {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.through(t)
			if l.Name != golang.Name {
				testkit.Long(t, "what is kept, and what can be asked of it, is the same as in "+golang.Name)
			}
			s := open(t, l.tongue)
			zero := l.Failures["zero"]
			r := s.OK("diagnose", s.with(zero.Start, A{"keep": true})).Want(zero.Verdict, "data", "verdict")
			kept := A{"session_id": r.At("session_id")}
			s.OK("inspect", A{"target": "expression", "expression": zero.Culprit}).Has(zero.Value)
			s.OK("why", with(kept, A{"expression": zero.Culprit, "timeout_ms": 60_000})).Has("count")
			s.OK("step", with(kept, A{"action": "over"}))
			s.OK("session", with(kept, A{"action": "stop"}))

			fine := s.with(l.Failures["fine"].Start)
			delete(fine, "keep")
			ended := s.OK("session_start", fine).Want("terminated", "data", "execution_state", "status").At("session_id")
			s.OK("diagnose", A{"session_id": ended, "timeout_ms": 60_000}).Want("ok", "data", "verdict")
		})
	}
}

func with(a, b A) A {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// The session in which it is asked stays as it was; what is kept stands at the failure.
func TestAskingSession(t *testing.T) {
	t.Parallel()
	s := open(t, golang)
	r := s.OK("session_start", A{"target": ".", "args": []string{"zero"}, "breakpoints": []string{s.at("main.go@zero")}})
	r.Stopped("stopped_at_breakpoint", s.at("main.go@zero"))
	id := r.At("session_id")
	s.OK("diagnose", A{"session_id": id, "keep": false, "timeout_ms": 60_000}).Want("panic", "data", "verdict")
	s.OK("inspect", A{"target": "expression", "expression": "count"}).Has("2")
	s.OK("diagnose", A{"target": ".", "args": []string{"fine"}, "timeout_ms": 60_000}).Want("ok", "data", "verdict")
	s.OK("inspect", A{"target": "expression", "expression": "count"}).Has("2")
	kept := s.OK("diagnose", A{"session_id": id, "timeout_ms": 60_000}).At("session_id")
	if kept == "" || kept == id {
		t.Fatalf("kept is %q", kept)
	}
	s.OK("inspect", A{"target": "expression", "expression": "count", "session_id": kept}).Has("0")
	s.OK("inspect", A{"target": "expression", "expression": "count", "session_id": id}).Has("2")
}

// The client's model is asked on request; without one there is a diagnosis all the same.
//
//nolint:staticcheck // deprecated is not gone
func TestExplain(t *testing.T) {
	t.Parallel()
	for i, era := range []string{"2026-07-28", "2025-06-18"} {
		t.Run("era "+era, func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				testkit.Long(t, "a model is asked by the code of TestExplain in test, which asks one in each era")
			}
			p := testkit.NewProgramOf(t, "go", "faulty")
			var shown []string
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: era, Client: func(o *mcp.ClientOptions) {
				o.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
					shown = append(shown, r.Params.Messages[0].Content.(*mcp.TextContent).Text)
					return &mcp.CreateMessageResult{Role: "assistant", Model: "scripted-1", Content: &mcp.TextContent{Text: "Order 2 has no prices."}}, nil
				}
			}})
			ask := A{"target": ".", "args": []string{"zero"}, "timeout_ms": 60_000, "keep": false, "explain": true}
			s.OK("diagnose", ask).Want("Order 2 has no prices.", "data", "opinion", "text").Want("scripted-1", "data", "opinion", "model").Want("count", "data", "culprit", "expression")
			if len(shown) != 1 || !strings.Contains(shown[0], "integer divide by zero") || !strings.Contains(shown[0], "count") {
				t.Errorf("shown was %q", shown)
			}
			s.OK("session", A{"action": "list"}).Want("[]", "data", "sessions")
		})
	}
	t.Run("no model", func(t *testing.T) {
		t.Parallel()
		s := open(t, golang)
		s.OK("diagnose", s.with(A{"target": ".", "args": []string{"zero"}, "explain": true})).
			Want("count", "data", "culprit", "expression").Contains([]string{"data", "warnings"}, "sampling")
	})
}

// A diagnosis is a start: a server that only looks refuses it, and one that is confined
// to a folder what lies outside.
func TestADiagnosisIsAStart(t *testing.T) {
	t.Parallel()
	p, outside := testkit.NewProgramOf(t, "python", "faulty"), testkit.NewProgramOf(t, "python", "faulty")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--read-only"}})
	s.Fail("POLICY_DENIED", "diagnose", shopPython("fine"))
	s = testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--allow-root", p.Dir}})
	for _, more := range []A{{"target": outside.Dir + "/faulty.py"}, {"target": "faulty.py", "cwd": outside.Dir}, {"target": "faulty.py", "start": A{"workspace_root": outside.Dir}}} {
		s.Fail("POLICY_DENIED", "diagnose", more)
	}
}

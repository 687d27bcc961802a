//go:build linux

package test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// follower collects what a client is told of resources.
type follower struct {
	mu   sync.Mutex
	uris []string
	list int
}

// client makes the official client tell the follower.
func (f *follower) client(o *mcp.ClientOptions) {
	o.ResourceUpdatedHandler = func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.uris = append(f.uris, r.Params.URI)
	}
	o.ResourceListChangedHandler = func(context.Context, *mcp.ResourceListChangedRequest) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.list++
	}
}

// hears waits until it was told of these resources, and forgets all it was told.
func (f *follower) hears(t *testing.T, uris ...string) {
	t.Helper()
	testkit.Eventually(t, 20*time.Second, strings.Join(uris, ", "), func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, uri := range uris {
			if !slices.Contains(f.uris, uri) {
				return false
			}
		}
		return true
	})
	f.forget()
}

func (f *follower) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.uris, f.list = nil, 0
}

func read(t *testing.T, s *testkit.Server, uri string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.CallLimit)
	defer cancel()
	res, err := s.Client.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil || len(res.Contents) != 1 || res.Contents[0].URI != uri {
		t.Fatalf("reading %s: %+v, %v", uri, res, err)
	}
	return res.Contents[0].Text
}

func has(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: no %q in\n%s", what, part, text)
		}
	}
}

// In both eras a client reads sessions, follows them, and has its prompts filled in.
func TestResources(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "averages")
			stop := p.BreakAt("divide")
			var f follower
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: revision, Client: f.client, Env: []string{"SOME_TOKEN=known-secret-1"}})
			for _, uri := range []string{"aidb://session/go-1", "aidb://session/go-1/stack", "aidb://session/go-1/transcript", "aidb://sessions"} {
				if err := s.Client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
					t.Fatal(err)
				}
			}
			s.OK("session_start", A{"target": ".", "breakpoints": stop, "env": A{"MY_PASSWORD": "hush-hush"}, "args": []string{"known-secret-1"}})
			f.hears(t, "aidb://session/go-1", "aidb://session/go-1/stack", "aidb://session/go-1/transcript", "aidb://sessions")

			has(t, "session", read(t, s, "aidb://session/go-1"), `"status":"stopped_at_breakpoint"`, `"code_snapshot"`, `"locals"`, `"stack"`)
			has(t, "stack", read(t, s, "aidb://session/go-1/stack"), `"success":true`, `main.main`)
			has(t, "breakpoints", read(t, s, "aidb://session/go-1/breakpoints"), `"hits":1`, `"verified":true`)
			has(t, "output", read(t, s, "aidb://session/go-1/output"), `"success":true`)
			has(t, "sessions", read(t, s, "aidb://sessions"), `"session_id":"go-1"`)
			has(t, "config", read(t, s, "aidb://config"), `"max_bytes":8000`)

			stopped := prompt(t, s, "explain_stop", nil)
			has(t, "explain_stop", stopped, "stopped at breakpoint at main.go", "→", "locals", "stack")
			s.OK("inspect", A{"expression": "1+1"})
			time.Sleep(time.Second) // the round for the transcript
			f.forget()

			s.OK("step", nil)
			f.hears(t, "aidb://session/go-1", "aidb://session/go-1/stack")
			story := read(t, s, "aidb://session/go-1/transcript")
			has(t, "transcript", story, "# Debugging session go-1", "1. ", "`session_start {", "## Where it stands", "`inspect {\"expression\":\"1+1\"}`", "`step`", "‹masked›")
			for _, secret := range []string{"hush-hush", "known-secret-1"} {
				if strings.Contains(story, secret) {
					t.Errorf("the transcript shows %s:\n%s", secret, story)
				}
			}
			s.OK("session", A{"action": "stop"})
			f.hears(t, "aidb://session/go-1", "aidb://session/go-1/stack", "aidb://sessions")
			has(t, "ended", read(t, s, "aidb://session/go-1/stack"), `"status":"terminated"`)
			has(t, "ended", read(t, s, "aidb://session/go-1/transcript"), "stopped go-1")
			s.OK("session", A{"action": "cleanup"})
			_, err := s.Client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "aidb://session/go-1"})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || !strings.Contains(string(wire.Data), "aidb://session/go-1") || !strings.Contains(wire.Message, "no session has been started") {
				t.Errorf("a session that is forgotten: %v", err)
			}
		})
	}
}

func prompt(t *testing.T, s *testkit.Server, name string, args map[string]string) string {
	t.Helper()
	res, err := s.Client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil || len(res.Messages) != 1 {
		t.Fatalf("prompt %s: %v", name, err)
	}
	return res.Messages[0].Content.(*mcp.TextContent).Text
}

// A read waits for no call, and says that a program runs.
func TestReadingBesideACall(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "timeout_ms": 0})
	s.Running()
	waits, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		close(waits)
		_, _ = s.CallContext(context.Background(), "execute", A{"action": "wait", "timeout_ms": 60_000})
	}()
	<-waits
	start := time.Now()
	for _, uri := range []string{"aidb://session/go-1", "aidb://session/go-1/stack", "aidb://session/go-1/output", "aidb://session/go-1/breakpoints", "aidb://session/go-1/transcript", "aidb://sessions"} {
		if text := read(t, s, uri); !strings.HasSuffix(uri, "output") && !strings.HasSuffix(uri, "breakpoints") {
			has(t, uri, text, "running")
		}
	}
	has(t, "explain_stop", prompt(t, s, "explain_stop", nil), "does not stand still", `execute {"action":"pause"}`)
	has(t, "find_hang", prompt(t, s, "find_hang", map[string]string{"session_id": "go-1"}), "running", `execute {"action":"pause","session_id":"go-1"}`)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("the reads took %v", took)
	}
	s.OK("execute", A{"action": "pause"})
	<-done
}

// What a prompt tells an agent to call works here as it stands.
func TestPromptForAFailingTest(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module shop\n\ngo 1.24\n")
	p.Write("price/price.go", "package price\n\nfunc Total(a, b int) int { return a - b }\n")
	p.Write("price/price_test.go", "package price\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf(\"total is %d\", got)\n\t}\n}\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	values, err := s.Client.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "debug_failing_test"}, Argument: mcp.CompleteParamsArgument{Name: "test", Value: "tot"},
	})
	if err != nil || !slices.Equal(values.Completion.Values, []string{"TestTotal"}) {
		t.Fatalf("completion: %v, %v", values, err)
	}
	text := prompt(t, s, "debug_failing_test", map[string]string{"test": "TestTotal"})
	has(t, "debug_failing_test", text, `diagnose {"mode":"test","target":"./price","test":"TestTotal","language":"go"}`)
	s.OK("diagnose", A{"mode": "test", "target": "./price", "test": "TestTotal", "language": "go"}).Want("test_failure", "data", "verdict")
	has(t, "explain_stop", prompt(t, s, "explain_stop", nil), "total is -1", "got = -1")
}

// The account of calls can be read where one is kept; what is read is no call.
func TestUsageResource(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "aidb.db")
	s := testkit.Start(t, testkit.Options{Env: []string{"AIDB_NO_STORE=false", "AIDB_STORE=" + store}})
	s.OK("session", A{"action": "list"})
	read(t, s, "aidb://config")
	text := read(t, s, "aidb://usage")
	has(t, "usage", text, `"tool":"session"`, `"calls":1`)
	if strings.Contains(text, `"tool":"config"`) {
		t.Errorf("a resource was counted as a call: %s", text)
	}
	none := testkit.Start(t, testkit.Options{})
	if _, err := none.Client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "aidb://usage"}); err == nil || !strings.Contains(err.Error(), "there are aidb://config") {
		t.Errorf("an account that nobody keeps: %v", err)
	}
}

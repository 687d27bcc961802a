//go:build linux

package serving

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// A handle, as it stands in a reply.
var spelled = regexp.MustCompile(`[a-z]+-\d+\.h1\.[0-9A-Za-z]+\.w\d+\.[0-9A-Za-z]{22}`)

func handleIn(t *testing.T, text string) string {
	t.Helper()
	id := spelled.FindString(text)
	if id == "" {
		t.Fatalf("there is no handle in\n%s", text)
	}
	return id
}

// perCall makes one call on a connection of its own, as some clients do with each.
func (g *gateway) perCall(t *testing.T, token, tool string, args A) string {
	t.Helper()
	client := g.Join(t, token, "2025-11-25")
	defer client.Close()
	text, err := call(t.Context(), client, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return text
}

// wants calls as perCall does, and wants these words in the reply.
func (g *gateway) wants(t *testing.T, token, tool string, args A, words ...string) string {
	t.Helper()
	text := g.perCall(t, token, tool, args)
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s %v: want %q in\n%s", tool, args, word, text)
		}
	}
	return text
}

// program is one that stops where its total is known.
type program struct{ language, file, text, line, expression, value string }

var programs = []program{
	{"python", "sum.py", "total = 0\nfor i in range(4):\n    print('go-1 says', i)\n    total += i\nprint(total)  # here\n", "5", "total", "6"},
	{"javascript", "sum.js", "let total = 0\nfor (let i = 0; i < 5; i++) {\n  console.log('go-1 says', i)\n  total += i\n}\nconsole.log(total) // here\n", "6", "total", "10"},
	{"c", "sum.c", "#include <stdio.h>\nint main(void) {\n  int total = 0;\n  for (int i = 0; i < 6; i++) total += i;\n  printf(\"go-1 says %d\\n\", total);\n  return 0;\n}\n", "5", "total", "15"},
	{"go", "main.go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\ttotal := 0\n\tfor i := range 7 {\n\t\ttotal += i\n\t}\n\tfmt.Println(\"go-1 says\", total)\n}\n", "10", "total", "21"},
}

func (p program) write(t *testing.T) (target string) {
	t.Helper()
	target = filepath.Join(t.TempDir(), p.file)
	if err := os.WriteFile(target, []byte(p.text), 0o600); err != nil {
		t.Fatal(err)
	}
	return target
}

func (p program) start(target string) A {
	return A{"target": target, "breakpoints": []A{{"file": target, "line": p.line}}, "timeout_ms": longest}
}

// A client that has a connection for each call debugs to the end: its session is
// found by its handle, in five ways to call, and the program's own words stay as they are.
func TestAConnectionForEachCall(t *testing.T) {
	testkit.Adapters(t)
	g := serve(t)
	modern := g.Join(t, secret, "2026-07-28")
	if _, err := modern.ListTools(t.Context(), nil); err != nil { // by which it knows the header to send
		t.Fatal(err)
	}
	bridge, newBridge := g.bridged(t, testkit.Options{Protocol: "2025-11-25"}), g.bridged(t, testkit.Options{Protocol: "2026-07-28"})
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			target := p.write(t)
			id := handleIn(t, g.wants(t, secret, "session_start", p.start(target), "stopped_at_breakpoint"))
			get := A{"action": "get", "expression": p.expression, "session_id": id}
			g.wants(t, secret, "variable", get, `"`+p.value+`"`, id)
			must(t, modern, "variable", get, `"`+p.value+`"`, id)
			for _, b := range []*testkit.Server{bridge, newBridge} { // whose clients never ask for the tools
				if r := b.OK("variable", get); r.At("session_id") != id {
					t.Errorf("by the bridge: %s", r.At("session_id"))
				}
			}
			read, err := modern.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "aidb://session/" + id + "/stack"})
			if err != nil || !strings.Contains(read.Contents[0].Text, filepath.Base(target)) {
				t.Errorf("the stack as a resource: %+v, %v", read, err)
			}
			g.wants(t, secret, "variable", A{"action": "get", "expression": p.expression}, `"`+p.value+`"`, id) // it is the only one
			g.wants(t, secret, "session", A{"action": "list"}, id, p.language)
			g.completes(t, id)
			g.wants(t, secret, "execute", A{"action": "continue", "session_id": id, "timeout_ms": longest}, `"exit_code":0`)
			g.wants(t, secret, "inspect", A{"target": "output", "session_id": id}, "go-1 says")
			g.wants(t, secret, "session", A{"action": "stop", "session_id": id}, id)
			if text := g.perCall(t, secret, "step", A{"action": "over", "session_id": id}); !strings.Contains(text, "AIDB_SESSION_TERMINATED") {
				t.Errorf("a step after the end: %s", text)
			}
		})
	}
}

// completes says that the handle is among those that are offered in a resource's address.
func (g *gateway) completes(t *testing.T, id string) {
	t.Helper()
	for _, revision := range revisions {
		client := g.Join(t, secret, revision)
		result, err := client.Complete(t.Context(), &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "aidb://session/{id}"}, Argument: mcp.CompleteParamsArgument{Name: "id", Value: id[:8]},
		})
		if err != nil || !slices.Contains(result.Completion.Values, id) {
			t.Errorf("%s: completing %s: %+v, %v", revision, id, result, err)
		}
		_ = client.Close()
	}
}

// Where there are several sessions, a call that names none is answered with a list of them.
func TestWhichSession(t *testing.T) {
	testkit.Adapters(t)
	g, p := serve(t), programs[0]
	one := handleIn(t, g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
	two := handleIn(t, g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
	for _, args := range []A{{"action": "over"}, {"action": "over", "session_id": "go-1"}} {
		g.wants(t, secret, "step", args, one, two, "sum.py", "stopped_at_breakpoint", "since")
	}
	g.wants(t, secret, "session", A{"action": "list"}, one, two)
	modern := g.Join(t, secret, "2026-07-28")
	must(t, modern, "step", A{"action": "over"}, one, two, "AIDB_VALIDATION_MISSING_PARAM")
	if text := g.perCall(t, another, "session", A{"action": "list"}); spelled.MatchString(text) {
		t.Errorf("bob sees %s", text)
	}
}

// What has become of a session is told to its owner, and to nobody else; a stranger is
// answered as if it had never been.
func TestEndedLostAndForeign(t *testing.T) {
	testkit.Adapters(t)
	g, p := serve(t), programs[0]
	id := handleIn(t, g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
	never := id[:strings.LastIndex(id, ".")+1] + strings.Repeat("0", 22)
	get := func(id string) A { return A{"action": "get", "expression": "total", "session_id": id} }
	stranger := func() {
		t.Helper()
		real, none := g.perCall(t, another, "variable", get(id)), g.perCall(t, another, "variable", get(never))
		if strings.ReplaceAll(real, id, "ID") != strings.ReplaceAll(none, never, "ID") || !strings.Contains(real, "AIDB_SESSION_NOT_FOUND") {
			t.Errorf("bob is told\n%s\nand of what never was\n%s", real, none)
		}
	}
	stranger()
	g.wants(t, secret, "variable", get(never), "AIDB_SESSION_NOT_FOUND", "there is no session")
	g.wants(t, secret, "variable", get(id[:len(id)-3]), "AIDB_SESSION_NOT_FOUND", "missing or changed")
	g.wants(t, secret, "variable", get(strings.Replace(id, ".h1.", ".h2.", 1)), "AIDB_SESSION_NOT_FOUND", "another version")
	g.wants(t, secret, "variable", get(regexp.MustCompile(`\.h1\.[^.]+`).ReplaceAllString(id, ".h1.other")), "AIDB_SESSION_NOT_FOUND", "another machine")

	for _, w := range g.workers("ada") {
		_ = syscall.Kill(w.PID, syscall.SIGKILL)
	}
	testkit.Eventually(t, testkit.CallLimit, "a session that is told to be lost", func() bool {
		text := g.perCall(t, secret, "variable", get(id))
		return strings.Contains(text, "AIDB_WORKER_CRASHED") && strings.Contains(text, "is lost since") && strings.Contains(text, "sum.py")
	})
	stranger()
}

// A token that is taken away takes the sessions out of reach.
func TestRevokedToken(t *testing.T) {
	testkit.Adapters(t)
	g, p := serve(t, "--log-level", "info"), programs[0]
	id := handleIn(t, g.wants(t, another, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
	if err := os.WriteFile(g.Tokens, []byte("ada "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.Signal(syscall.SIGHUP)
	testkit.Eventually(t, testkit.CallLimit, "the tokens read again", func() bool { return strings.Contains(g.Stderr(), "read again") })
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","arguments":{"action":"over","session_id":%q},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id)
	status, text := g.knock(t, "POST", "/mcp", body, "Authorization", "Bearer "+another, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "step", "Mcp-Param-Session-Id", id)
	if status != http.StatusUnauthorized {
		t.Errorf("%d %s", status, text)
	}
}

// The sessions of a client that has gone end when nobody asks for them, or at once where
// that is wished; those of a bridge end with it.
func TestHowLongSessionsStay(t *testing.T) {
	testkit.Adapters(t)
	p := programs[0]
	gone := func(t *testing.T, g *gateway) {
		t.Helper()
		testkit.Eventually(t, testkit.CallLimit, "no worker", func() bool { return len(g.workers("ada")) == 0 })
	}
	t.Run("unused", func(t *testing.T) {
		g := serve(t, "--worker-keep", "1s")
		id := handleIn(t, g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
		gone(t, g)
		testkit.Eventually(t, testkit.CallLimit, "a session that has ended", func() bool { // for a moment it is ending still
			text := g.perCall(t, secret, "step", A{"action": "over", "session_id": id})
			return strings.Contains(text, "AIDB_SESSION_NOT_FOUND") && strings.Contains(text, "has ended") && strings.Contains(text, "nobody used it for 1s")
		})
	})
	t.Run("none", func(t *testing.T) {
		g := serve(t, "--worker-keep", "0s")
		g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint")
		gone(t, g)
	})
	t.Run("a bridge", func(t *testing.T) {
		g := serve(t)
		bridge := g.bridged(t, testkit.Options{Protocol: "2025-11-25"})
		bridge.OK("session_start", p.start(p.write(t)))
		bridge.CloseInput()
		gone(t, g)
	})
}

// A call elsewhere can be cancelled, and tells of its progress.
func TestAVisitIsCancelled(t *testing.T) {
	testkit.Adapters(t)
	g := serve(t)
	p := testkit.NewProgram(t, "echo")
	id := handleIn(t, g.wants(t, secret, "session_start", A{"target": p.Dir, "stdin_open": true, "timeout_ms": 0}, `"success":true`))
	testkit.Eventually(t, testkit.CallLimit, "a running program", func() bool {
		return strings.Contains(g.perCall(t, secret, "session", A{"session_id": id}), `"running"`)
	})
	for _, revision := range revisions {
		heard := make(chan struct{}, 100)
		client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, &mcp.ClientOptions{
			ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { heard <- struct{}{} },
		})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: g.URL, HTTPClient: testkit.Bearer(t, secret)}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		wait := &mcp.CallToolParams{Name: "execute", Arguments: A{"action": "wait", "session_id": id, "timeout_ms": 60_000}}
		wait.SetProgressToken("mine")
		ended := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, wait)
			ended <- err
		}()
		<-heard
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%s: the wait was answered", revision)
		}
		g.waits(t, 0)
		_ = session.Close()
	}
	g.wants(t, secret, "session", A{"action": "stop", "session_id": id}, id)
}

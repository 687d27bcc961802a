package joining

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/testkit"
)

// tongue is one language's program, which computes the same in all.
type tongue struct {
	name, file, target, kind string
	text                     string
	extra                    map[string]string // other files
}

var tongues = []tongue{
	{name: "python", file: "sum.py", target: "sum.py", kind: "debugpy", text: `def add(a, b):
    total = a + b
    twice = 2 * total  # @mark stop
    return twice + 1  # @mark next


print("got", add(20, 1), flush=True)
`},
	{name: "go", file: "main.go", target: ".", kind: "go", extra: map[string]string{"go.mod": "module sum\n\ngo 1.24\n"}, text: `package main

import "fmt"

func add(a, b int) int {
	total := a + b
	twice := 2 * total // @mark stop
	return twice + 1   // @mark next
}

func main() { fmt.Println("got", add(20, 1)) }
`},
	{name: "javascript", file: "sum.js", target: "sum.js", kind: "pwa-node", text: `function add(a, b) {
  const total = a + b;
  const twice = 2 * total; // @mark stop
  return twice + 1; // @mark next
}
console.log("got", add(20, 1));
`},
	{name: "cpp", file: "sum.c", target: "sum.c", kind: "lldb", text: `#include <stdio.h>

static int add(int a, int b) {
    int total = a + b;
    int twice = 2 * total; // @mark stop
    return twice + 1; // @mark next
}

int main(void) {
    printf("got %d\n", add(20, 1));
    return 0;
}
`},
}

// runtimeOf is where a server writes down what can be joined.
func runtimeOf(p *testkit.Program) string { return filepath.Join(filepath.Dir(p.Dir), "runtime") }

// start starts a program of a language, which stops.
func (l tongue) start(t *testing.T, args ...string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgram(t, "")
	for name, text := range l.extra {
		p.Write(name, text)
	}
	p.Write(l.file, l.text)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: args, Env: []string{"XDG_RUNTIME_DIR=" + runtimeOf(p)}})
	s.OK("session_start", A{"target": l.target, "breakpoints": []string{p.At(l.file, "stop")}}).
		Stopped("stopped_at_breakpoint", p.At(l.file, "stop"))
	return s, p
}

// A person joins while the agent is at work, sees what it sees, takes over, steps, gives back;
// the agent is refused meanwhile, and told afterwards.
func TestTakeStepAndGive(t *testing.T) {
	t.Parallel()
	for _, l := range tongues {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, p := l.start(t)
			at := shown(t, s)
			if at.Type != l.kind {
				t.Errorf("the type for VS Code is %q", at.Type)
			}
			e := join(t, at, "ada")
			var stop godap.StoppedEventBody
			e.event("stopped", &stop)
			frame, locals := e.top(stop.ThreadId)
			if stop.Reason != "breakpoint" || frame.Line != p.Line("stop") || filepath.Base(frame.Source.Path) != l.file || locals["total"] != "21" {
				t.Errorf("%+v at %+v with %v", stop, frame, locals)
			}
			var value godap.EvaluateResponseBody
			e.ok("evaluate", A{"expression": "total + 2", "frameId": frame.Id, "context": "watch"}, &value)
			if value.Result != "23" {
				t.Errorf("total + 2 is %q", value.Result)
			}
			if said := e.refused("next", A{"threadId": stop.ThreadId}); !strings.Contains(said, ":take") {
				t.Error(said)
			}

			e.says(":take")
			s.Fail("HELD_BY_PERSON", "step", A{}).Has("ada has held this session", "gives it back", "took the session")
			s.OK("inspect", A{"target": "locals"}).Has("total").Lacks("took the session")
			seen := e.soFar()
			e.ok("next", A{"threadId": stop.ThreadId}, nil)
			e.eventAfter(seen, "stopped", &stop)
			if frame, locals = e.top(stop.ThreadId); frame.Line != p.Line("next") || locals["twice"] != "42" {
				t.Errorf("after the step at %+v with %v", frame, locals)
			}
			e.says(":note twice is right")
			e.says(":give")

			r := s.OK("execute", A{"action": "continue"})
			want := []string{
				fmt.Sprintf("ada stepped over from %s to %s", p.At(l.file, "stop"), p.At(l.file, "next")),
				"ada wrote a note: twice is right", "ada gave the session back",
			}
			if did := acts(t, r); !slices.Equal(did, want) {
				t.Errorf("the reply tells %q, want %q", did, want)
			}
			r.Has("got 43")
			e.event("terminated", nil)
		})
	}
}

// Who joins reads the program's files, and none of others.
func TestSourcesOfTheProgramOnly(t *testing.T) {
	t.Parallel()
	l := tongues[0]
	s, p := l.start(t)
	e := join(t, shown(t, s), "ada")
	var text struct {
		Content string `json:"content"`
	}
	e.ok("source", A{"source": A{"path": filepath.Join(p.Dir, l.file)}}, &text)
	if !strings.Contains(text.Content, "def add") {
		t.Errorf("the program's own file is %q", text.Content)
	}
	if said := e.refused("source", A{"source": A{"path": "/etc/passwd"}}); !strings.Contains(said, "no file of this program") {
		t.Error(said)
	}
}

// Two persons at once: one drives, both see, and the breakpoints of all stand.
func TestTwoPersonsAtOnce(t *testing.T) {
	t.Parallel()
	l := tongues[0]
	s, p := l.start(t)
	at := shown(t, s)
	ada, bob := join(t, at, "editor"), join(t, at, "editor")
	for _, e := range []*editor{ada, bob} {
		var b godap.BreakpointEventBody
		e.event("breakpoint", &b)
		if b.Reason != "new" || b.Breakpoint.Line != p.Line("stop") || b.Breakpoint.Message != "set by the agent" {
			t.Errorf("%+v", b)
		}
		e.event("stopped", nil)
	}
	ada.says(":take")
	if said := bob.refused("evaluate", A{"expression": ":take", "context": "repl"}); !strings.Contains(said, "editor has held this session") {
		t.Error(said)
	}
	file := filepath.Join(p.Dir, l.file)
	var set struct{ Breakpoints []godap.Breakpoint }
	seen := ada.soFar()
	bob.ok("setBreakpoints", A{"source": A{"path": file}, "breakpoints": []A{{"line": p.Line("stop")}, {"line": p.Line("next"), "condition": "total == 21"}}}, &set)
	if len(set.Breakpoints) != 2 || set.Breakpoints[0].Id != 1 || !set.Breakpoints[1].Verified {
		t.Errorf("%+v", set)
	}
	var b godap.BreakpointEventBody
	ada.eventAfter(seen, "breakpoint", &b)
	if b.Reason != "new" || b.Breakpoint.Line != p.Line("next") || b.Breakpoint.Message != "set by editor 2" {
		t.Errorf("%+v", b)
	}
	seen = bob.soFar()
	ada.ok("continue", A{"threadId": 1}, nil)
	bob.eventAfter(seen, "continued", nil)
	var stop godap.StoppedEventBody
	bob.eventAfter(seen, "stopped", &stop)
	if !slices.Equal(stop.HitBreakpointIds, []int{set.Breakpoints[1].Id}) {
		t.Errorf("%+v", stop)
	}
	// Without bob's, the agent's is still there.
	bob.ok("setBreakpoints", A{"source": A{"path": file}, "breakpoints": []A{}}, &set)
	r := s.OK("breakpoint", A{"action": "list"})
	r.Has(p.At(l.file, "stop")).Lacks("condition")
	var whose []string
	for _, did := range persons(t, r) {
		whose = append(whose, did.Who+" "+strings.Fields(did.Did)[0])
	}
	if !slices.Equal(whose, []string{"editor took", "editor 2 set", "editor let", "editor 2 removed"}) {
		t.Errorf("%q", whose)
	}
}

// Who has no token gets nothing, however it asks.
func TestWithoutTheToken(t *testing.T) {
	t.Parallel()
	s, _ := tongues[0].start(t)
	at := shown(t, s)
	e := connect(t, at.DebugServer)
	e.ok("initialize", A{"adapterID": "x"}, nil)
	for _, command := range []string{"configurationDone", "threads", "stackTrace", "evaluate", "aidb/take"} {
		if said := e.refused(command, A{"expression": "1"}); !strings.Contains(said, "attach first") {
			t.Error(command, said)
		}
	}
	if said := e.refused("attach", A{"aidbToken": at.AidbToken[:len(at.AidbToken)-1]}); !strings.Contains(said, "opens no session") {
		t.Error(said)
	}
	e.ended()
	for _, junk := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "Content-Length: 999999999\r\n\r\n", strings.Repeat("x", 1<<16)} {
		e := connect(t, at.DebugServer)
		_, _ = e.out.Write([]byte(junk))
		e.ended()
	}
	s.OK("session", A{"action": "status"}).Lacks("took")
}

// An agent that waits for the program is woken by what a person does, and its question is
// answered.
func TestAgentThatWaits(t *testing.T) {
	t.Parallel()
	l := tongue{file: "wait.py", target: "wait.py", text: `import time
print("ready", flush=True)  # @mark stop
n = 0
while n >= 0:
    n += 1
    time.sleep(0.01)
print("never", flush=True)  # @mark read
`}
	s, p := l.start(t)
	s.OK("session", A{"action": "ask", "text": "is anybody there?"}).Has("nobody watches", "pending")
	e := join(t, shown(t, s), "ada")
	e.event("stopped", nil)
	e.says(":answer here I am")
	waits := make(chan testkit.Reply)
	ask := func(tool string, args A) {
		go func() {
			r, err := s.CallContext(t.Context(), tool, args)
			if err != nil {
				t.Error(err)
			}
			waits <- r
		}()
	}
	seen := e.soFar()
	ask("execute", A{"action": "continue", "timeout_ms": 60000})
	e.eventAfter(seen, "continued", nil)
	var set struct{ Breakpoints []godap.Breakpoint }
	e.ok("setBreakpoints", A{"source": A{"path": filepath.Join(p.Dir, l.file)}, "breakpoints": []A{{"line": p.Line("read")}}}, &set)
	r := <-waits
	did := persons(t, r)
	if len(did) != 2 || did[0].Text != "here I am" || did[0].Did != "answered: is anybody there?" || did[1].Did != fmt.Sprintf("set breakpoint %d at %s", set.Breakpoints[0].Id, p.At(l.file, "read")) {
		t.Errorf("%+v", did)
	}
	if r.Status() != "running" {
		t.Error(r)
	}
	ask("session", A{"action": "ask", "text": "which line?", "timeout_ms": 60000})
	e.await("the question", 0, func(m message) bool { return strings.Contains(string(m.Body), "which line?") })
	e.says(":answer the fourth")
	if r := <-waits; r.At("data", "answer") != "the fourth" || r.At("data", "by") != "ada" || r.At("person") != "" {
		t.Error(r)
	}
	e.says(":take")
	ask("execute", A{"action": "wait", "timeout_ms": 60000})
	e.await("the agent's wait", 0, func(m message) bool { return strings.Contains(string(m.Body), "agent: execute wait") })
	seen = e.soFar()
	e.ok("pause", A{"threadId": 1}, nil)
	e.eventAfter(seen, "stopped", nil)
	if r := <-waits; !slices.ContainsFunc(persons(t, r), func(p person) bool { return p.Did == "paused the program" }) {
		t.Error(r)
	}
	s.Fail("HELD_BY_PERSON", "session", A{"action": "stop"})
	e.ok("disconnect", A{}, nil)
	s.Fail("HELD_BY_PERSON", "session", A{"action": "stop"}).Has("ada has left: it ends in ")
}

// An editor that starts a debug adapter as a command needs no token.
func TestBridge(t *testing.T) {
	t.Parallel()
	s, p := tongues[0].start(t)
	shown(t, s)
	cmd := exec.Command(testkit.Binary(t), "dap", "--session", "python-1")
	cmd.Env = append(cmd.Environ(), "XDG_RUNTIME_DIR="+runtimeOf(p))
	joinBy(t, cmd)
	absent := exec.Command(testkit.Binary(t), "dap", "--session", "python-9")
	absent.Env = cmd.Env
	if text, err := absent.CombinedOutput(); err == nil || !strings.Contains(string(text), "no session python-9 is open to be joined; there are python-1 (./sum.py)") {
		t.Errorf("%v: %s", err, text)
	}
}

// Where a socket is asked for, there is no port: aidb-mcp dap comes by the socket, which is the
// user's alone.
func TestBridgeBySocket(t *testing.T) {
	t.Parallel()
	l := tongues[0]
	p := testkit.NewProgram(t, "")
	p.Write(l.file, l.text)
	runtime, err := os.MkdirTemp("", "r") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(runtime) })
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--join-socket"}, Env: []string{"XDG_RUNTIME_DIR=" + runtime}})
	s.OK("session_start", A{"target": l.target, "breakpoints": []string{p.At(l.file, "stop")}})
	r := s.OK("session", A{"action": "show"}).Has("type = 'pipe'", "aidb-mcp dap --session python-1").Lacks("debugServer", "tcp_connection")
	dir := filepath.Join(runtime, "aidb-mcp")
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v: %s", info, err, r.Text)
	}
	cmd := exec.Command(testkit.Binary(t), "dap")
	cmd.Env = append(cmd.Environ(), "XDG_RUNTIME_DIR="+runtime)
	joinBy(t, cmd)
}

// joinBy joins by a command as an editor does that starts one, sees the stop and leaves.
func joinBy(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := newEditor(t, out, in)
	e.greet("zed", A{"request": "attach"})
	var stop godap.StoppedEventBody
	e.event("stopped", &stop)
	if _, locals := e.top(stop.ThreadId); locals["total"] != "21" {
		t.Error(locals)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

//go:build linux

package test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// eras are a revision in which the server asks, and one in which the call is made
// again with the answer.
var eras = []string{"2025-06-18", "2026-07-28"}

// logged is the log message in m, empty if it is another message.
func logged(t *testing.T, m *testkit.Message) string {
	t.Helper()
	if m.Method != "notifications/message" {
		return ""
	}
	var body struct {
		Params struct {
			Level, Logger string
			Data          json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(m.Raw), &body); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %s %s", body.Params.Level, body.Params.Logger, body.Params.Data)
}

// logUntil collects the log messages before the answer to a request.
func logUntil(t *testing.T, w *testkit.Wire, id int) []string {
	t.Helper()
	var log []string
	for {
		m := w.Next()
		if m == nil {
			t.Fatalf("the output ended before the answer to request %d", id)
			return nil
		}
		if text := logged(t, m); text != "" {
			log = append(log, text)
		}
		if string(m.ID) == fmt.Sprint(id) && m.Method == "" {
			return log
		}
	}
}

// A client that has set a level hears what its sessions do, of each thing before
// the reply that shows it; one that has not hears nothing.
func TestLog(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	stops := p.BreakAt("divide")
	w := testkit.StartWire(t, testkit.Options{Dir: p.Dir})
	w.Initialize("2025-06-18")
	w.CallTool(1, "session_start", A{"target": ".", "session_id": "quiet"})
	if log := logUntil(t, w, 1); log != nil {
		t.Errorf("unasked: %q", log)
	}
	w.Request(2, "logging/setLevel", A{"level": "info"})
	w.Answer(2)
	w.CallTool(3, "session_start", A{"target": ".", "breakpoints": stops, "session_id": "loud"})
	place := fmt.Sprintf(`"location":%q,"function":"main.mean"`, p.At("main.go", "divide"))
	want := []string{
		`info session {"event":"started","session_id":"loud","language":"go","target":"."}`,
		`info session {"event":"stopped","session_id":"loud","reason":"breakpoint","breakpoints":[1],` + place + `,"thread_id":1}`,
	}
	if diff := cmp.Diff(want, logUntil(t, w, 3)); diff != "" {
		t.Error(diff)
	}
	w.CallTool(4, "session", A{"action": "stop"})
	if diff := cmp.Diff([]string{`info session {"event":"ended","session_id":"loud"}`}, logUntil(t, w, 4)); diff != "" {
		t.Error(diff)
	}
}

// In the revision without sessions the level rides with each call.
func TestLogOfACall(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit3")
	w := testkit.StartWire(t, testkit.Options{Dir: p.Dir})
	for i, level := range []string{"warning", ""} {
		meta := A{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": A{}}
		var want []string
		if level != "" {
			meta["io.modelcontextprotocol/logLevel"] = level
			want = []string{`warning session {"event":"ended","session_id":"go-1","exit_code":3}`}
		}
		w.Request(i, "tools/call", A{"_meta": meta, "name": "session_start", "arguments": A{"target": "."}})
		if diff := cmp.Diff(want, logUntil(t, w, i)); diff != "" {
			t.Error(diff)
		}
	}
}

// person answers what the server asks, and remembers it.
type person struct {
	mu    sync.Mutex
	asked []string
	says  func(question *mcp.ElicitParams) *mcp.ElicitResult
}

func (p *person) answers(o *mcp.ClientOptions) {
	o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked = append(p.asked, r.Params.Message)
		return p.says(r.Params), nil
	}
}

func says(action string) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action} }
}

// pythonProgram is a program whose adapter is not in a new home.
func pythonProgram(t *testing.T) *testkit.Program {
	t.Helper()
	p := testkit.NewProgram(t, "")
	if err := os.WriteFile(filepath.Join(p.Dir, "app.py"), []byte("answer = 42\nprint(answer)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// A start that lacks its adapter asks the user, installs it and goes on; so does one of
// several programs.
func TestAskedToInstall(t *testing.T) {
	t.Parallel()
	starts := []A{{"target": "app.py"}, {"launch_config_name": "Both"}}
	for i, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			if era != eras[len(eras)-1] {
				testkit.Long(t, "who is asked in the older era is asked where the answer is no, and what is installed then is the same")
			}
			p, user, home := pythonProgram(t), &person{says: says("accept")}, t.TempDir()
			p.Write(".vscode/launch.json", `{"configurations": [
				{"name": "App", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/app.py"},
				{"name": "Again", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/app.py"}],
				"compounds": [{"name": "Both", "configurations": ["App", "Again"]}]}`)
			var mu sync.Mutex
			var told []string
			s := testkit.Start(t, testkit.Options{
				Dir: p.Dir, Protocol: era, Env: []string{"AIDB_HOME=" + home}, Client: user.answers,
				Progress: func(m string) { mu.Lock(); defer mu.Unlock(); told = append(told, m) },
			})
			start := maps.Clone(starts[i%len(starts)])
			start["breakpoints"] = []A{{"file": "app.py", "line": 2}}
			s.OK("session_start", start).Want("app.py:2", "data", "location")
			if len(user.asked) != 1 || !strings.Contains(user.asked[0], "debugpy 1.8.22, 5 MB, fetched with pip") || !strings.Contains(user.asked[0], home) {
				t.Errorf("asked was %q", user.asked)
			}
			mu.Lock()
			defer mu.Unlock()
			if all := strings.Join(told, "; "); !strings.Contains(all, "debugpy: fetching") || !strings.Contains(all, "unpacking, 100 %") {
				t.Errorf("progress was %s", all)
			}
		})
	}
}

// Who says no has the error that a client without a person has, and nothing is
// installed; where nothing may be changed nobody is asked.
func TestNotInstalledUnasked(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		for _, action := range []string{"decline", "cancel"} {
			t.Run(era+" "+action, func(t *testing.T) {
				t.Parallel()
				p, user, home := pythonProgram(t), &person{says: says(action)}, t.TempDir()
				s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: era, Env: []string{"AIDB_HOME=" + home}, Client: user.answers})
				s.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "app.py"}).
					Has("the client was asked and declined").Has("aidb-mcp adapters install python")
				if _, err := os.Stat(filepath.Join(home, "adapters")); err == nil {
					t.Error("there are adapters now")
				}
			})
		}
	}
	t.Run("read-only", func(t *testing.T) {
		t.Parallel()
		sleeping := exec.Command("python3", "-c", "import time; time.sleep(60)")
		if err := sleeping.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = sleeping.Process.Kill(); _ = sleeping.Wait() }()
		user := &person{says: says("accept")}
		s := testkit.Start(t, testkit.Options{Args: []string{"--read-only"}, Env: []string{"AIDB_HOME=" + t.TempDir()}, Client: user.answers})
		s.Fail("ADAPTER_NOT_FOUND", "session_start", A{"language": "python", "mode": "attach", "pid": sleeping.Process.Pid})
		s.Fail("POLICY_DENIED", "session_start", A{"target": "app.py", "language": "python"})
		if user.asked != nil {
			t.Errorf("asked was %q", user.asked)
		}
	})
}

// An attach that names several processes asks which.
func TestAskedWhichProcess(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			p, program, _ := serving(t)
			other, _ := serve(t, fmt.Sprintf("/proc/%d/exe", program.Pid), p.Dir, p.Dir)
			var offered []string
			user := &person{says: func(q *mcp.ElicitParams) *mcp.ElicitResult {
				text, err := json.Marshal(q.RequestedSchema)
				if err != nil {
					t.Error(err)
				}
				var form struct {
					Properties struct{ Choice struct{ Enum []string } }
				}
				if err := json.Unmarshal(text, &form); err != nil {
					t.Error(err)
				}
				offered = form.Properties.Choice.Enum
				for _, choice := range offered {
					if strings.HasPrefix(choice, strconv.Itoa(program.Pid)+" ") {
						return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": choice}}
					}
				}
				return &mcp.ElicitResult{Action: "cancel"}
			}}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: era, Client: user.answers})
			start := A{"mode": "attach", "language": "go", "target": filepath.Dir(p.Dir), "breakpoints": p.BreakAt("handle")}
			r := s.OK("session_start", start)
			if len(user.asked) != 1 || len(offered) != 2 || !strings.HasPrefix(offered[0], strconv.Itoa(other.Pid)+" ") {
				t.Errorf("asked was %q with %q", user.asked, offered)
			}
			r.Stopped("stopped_at_breakpoint", p.At("main.go", "handle"))
			start["target"] = "no-such-program"
			s.Fail("VALIDATION_INVALID_TARGET", "session_start", start).Has("no go process", "no-such-program")
			if len(user.asked) != 1 {
				t.Errorf("asked was %q", user.asked)
			}
		})
	}
}

// The client's model is asked on request, is shown the stop, and what it says is
// labelled as what it is.
//
//nolint:staticcheck // deprecated is not gone
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "averages")
			var shown []string
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: era, Client: func(o *mcp.ClientOptions) {
				o.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
					shown = append(shown, r.Params.Messages[0].Content.(*mcp.TextContent).Text)
					return &mcp.CreateMessageResult{Role: "assistant", Model: "scripted-1", Content: &mcp.TextContent{Text: "Cyd has no marks."}}, nil
				}
			}})
			s.Fail("SESSION_NOT_STARTED", "context", A{"explain": true})
			s.OK("session_start", A{"target": "."})
			s.OK("context", A{})
			if shown != nil {
				t.Error("asked without being asked to")
			}
			s.OK("context", A{"explain": true}).
				Want("Cyd has no marks.", "data", "opinion", "text").Want("scripted-1", "data", "opinion", "model").
				Want("the opinion of the client's model, not checked", "data", "opinion", "note")
			if len(shown) != 1 {
				t.Fatalf("shown was %q", shown)
			}
			for _, part := range []string{
				"language: go", "integer divide by zero", "main.mean", "main.report", ">", "return total / len(marks)", "marks = ", "total = 0",
			} {
				if !strings.Contains(shown[0], part) {
					t.Errorf("%q is missing in\n%s", part, shown[0])
				}
			}
			if len(shown[0]) > 6000 {
				t.Errorf("%d bytes were shown", len(shown[0]))
			}
			s.OK("session", A{"action": "stop"})
			s.Fail("SESSION_TERMINATED", "context", A{"explain": true})
		})
	}
}

// A client that lends no model, or whose user says no, is told so.
func TestExplainWithoutAModel(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "averages")
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: era})
			s.OK("session_start", A{"target": "."})
			s.Fail("CAPABILITY_NOT_SUPPORTED", "context", A{"explain": true}).Has("sampling", "leave out explain")
		})
	}
}

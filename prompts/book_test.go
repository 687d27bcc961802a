package prompts

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/adapters"
	debugpy "aidb-mcp/adapters/debugpy/project"
	delve "aidb-mcp/adapters/delve/project"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/testkit/filetree"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// building is an adapter whose builds never end: its sessions stay in starting.
type building struct{ language string }

func (b building) Info() adapters.Info {
	known := map[string]*workspace.Support{"go": &delve.Support, "python": &debugpy.Support}
	return adapters.Info{
		Language: b.language, Name: "Slow", Aliases: []string{b.language + "lang"}, Modes: []adapters.Mode{adapters.Launch}, Project: known[b.language],
	}
}
func (building) Claims(adapters.Request) int              { return 100 }
func (building) Services() adapters.Services              { return adapters.Services{} }
func (building) Check(context.Context) adapters.Readiness { return adapters.Readiness{Ready: true} }
func (building) Plan(ctx context.Context, _ adapters.Request, _ func(string)) (*adapters.Plan, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// looks answers with what stands in it.
type looks struct {
	context *responses.Context
	ready   bool
}

func (l *looks) Look(_ context.Context, call responses.Call) (*responses.Envelope, responses.Reply) {
	env := &responses.Envelope{Success: true, Summary: "building ./app"}
	switch {
	case call.Tool == "config":
		env.Data = &responses.Config{Adapters: []responses.Adapter{{Name: "Slow", Ready: l.ready, Problem: "it is not there", Remedy: "install it"}}}
	case call.Tool == "context" && l.context != nil:
		env.Data = l.context
	case call.Tool == "context":
		env = responses.Failure(fault.New(fault.AdapterTimeout, "no answer"))
	}
	return env, responses.Reply{}
}

func book(t *testing.T, l *looks) *Book {
	dir := t.TempDir()
	filetree.Write(t, dir, map[string]string{
		"go.mod":            "module shop\ngo 1.24\n",
		"cmd/shop/main.go":  "package main\nfunc main() {}\n",
		"price/a_test.go":   "package price\nimport \"testing\"\nfunc TestTotal(t *testing.T) {}\nfunc TestSum(t *testing.T) {}\n",
		"tests/test_api.py": "def test_get():\n    assert True\n",
	})
	registry := adapters.NewRegistry(building{"go"}, building{"python"})
	return New(Options{
		Calls: l, Adapters: registry, Sessions: session.NewManager(session.Options{Registry: registry}), Workspace: dir,
		Mask: secret.New([]string{"API_KEY=known-secret-1"}),
	})
}

// callIn is a call as a prompt writes it.
var callIn = regexp.MustCompile(`(?m)^\s+(\w+) (\{.*\})$|: (\w+) (\{.*\})$`)

// placeholders stand for what the agent fills in.
var placeholders = strings.NewReplacer(`"THREAD"`, "1", "FILE:LINE", "main.go:1")

// What diagnose has no parameter for is given within start.
func TestDiagnosisOfAModule(t *testing.T) {
	call := diagnoseCall(responses.NewCall("session_start", "target", ".", "module", "shop.prices", "args", []string{"-v"}))
	if got, want := callText(call), `diagnose {"target":".","start":{"module":"shop.prices"},"args":["-v"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if checkCalls(t, "   "+callText(call)+"\n") != 1 {
		t.Error("it is no call")
	}
}

// Every call that a prompt names is one that this server takes.
func checkCalls(t *testing.T, text string) (n int) {
	t.Helper()
	for _, m := range callIn.FindAllStringSubmatch(text, -1) {
		tool, args := m[1]+m[3], placeholders.Replace(m[2]+m[4])
		all := handlers.Definitions(0)
		i := slices.IndexFunc(all, func(d *tools.Definition) bool { return d.Name == tool })
		if i < 0 {
			t.Errorf("there is no tool %s", tool)
			continue
		}
		if err := all[i].Validate(json.RawMessage(args)); err != nil {
			t.Errorf("%s %s: %v", tool, args, err)
		}
		n++
	}
	return n
}

func TestPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &looks{ready: true}
		b := book(t, l)
		for _, test := range []struct {
			name  string
			args  map[string]string
			calls int
			want  []string
		}{
			{"debug_failing_test", nil, 8, []string{`diagnose {"mode":"test"}`, "target ./price (go test): TestTotal, TestSum", "test_get"}},
			{"debug_failing_test", map[string]string{"test": "TestSum"}, 8, []string{`diagnose {"mode":"test","target":"./price","test":"TestSum","language":"go"}`}},
			{"debug_failing_test", map[string]string{"test": "TestSum/two"}, 8, []string{`"target":"./price","test":"TestSum/two"`}},
			{"debug_failing_test", map[string]string{"language": "pythonlang"}, 8, []string{`"test":"test_get","language":"python"`}},
			{"debug_failing_test", map[string]string{"test": "TestNope", "target": "./x"}, 8, []string{`{"mode":"test","target":"./x","test":"TestNope"}`, "Tests of this workspace"}},
			{"find_crash", nil, 7, []string{`diagnose {"target":"./cmd/shop","language":"go"}`, `session_start {"target":"./cmd/shop","language":"go","exceptions":["all"]}`}},
			{"find_crash", map[string]string{"target": "a.py", "args": "-v known-secret-1"}, 8, []string{`{"target":"a.py","args":["-v","‹masked›"]}`}},
			{"find_hang", nil, 8, []string{`diagnose {"target":"./cmd/shop","language":"go","timeout_ms":15000}`, `execute {"action":"pause"}`}},
			{"explain_stop", nil, 2, []string{"No program is being debugged"}},
		} {
			text, err := b.Get(t.Context(), test.name, test.args)
			if err != nil || text.Description == "" {
				t.Fatalf("%s %v: %v", test.name, test.args, err)
			}
			if n := checkCalls(t, text.Text); n < test.calls {
				t.Errorf("%s %v names %d calls, want %d:\n%s", test.name, test.args, n, test.calls, text.Text)
			}
			for _, want := range test.want {
				if !strings.Contains(text.Text, want) {
					t.Errorf("%s %v: no %s in\n%s", test.name, test.args, want, text.Text)
				}
			}
			if len(text.Text) > 3000 {
				t.Errorf("%s takes %d bytes", test.name, len(text.Text))
			}
		}
	})
}

func TestPromptsSayWhatIsMissing(t *testing.T) {
	b := book(t, &looks{})
	b.o.Policy = policy.Policy{ReadOnly: true}
	text, err := b.Get(t.Context(), "find_crash", map[string]string{"language": "go"})
	for _, want := range []string{"Slow for go is not ready: it is not there. install it", "Of this server: "} {
		if err != nil || !strings.Contains(text.Text, want) {
			t.Errorf("%v: no %q in\n%s", err, want, text.Text)
		}
	}
}

func TestPromptsRefuse(t *testing.T) {
	b := book(t, &looks{})
	for _, test := range []struct{ name, key, value, want string }{
		{"find_crash", "languag", "go", "did you mean language?"},
		{"find_crash", "zzz", "go", "it has target, args, language"},
		{"find_crash", "language", "cobol", "the languages are go, python"},
		{"find_crash", "target", strings.Repeat("x", 501), "has 501 bytes"},
		{"explain_stop", "session_id", "go-9", "none has been started"},
		{"find_hang", "session_id", "go-9", "none has been started"},
		{"find_nothing", "a", "b", "no prompt"},
	} {
		if _, err := b.Get(t.Context(), test.name, map[string]string{test.key: test.value}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v", test.name, test.key, err)
		}
	}
}

func TestExplainStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &looks{}
		b := book(t, l)
		s, err := b.o.Sessions.Open(session.StartRequest{Program: adapters.Request{Language: "go", Target: "./app"}})
		if err != nil {
			t.Fatal(err)
		}
		defer b.o.Sessions.Close(t.Context())
		text, err := b.Get(t.Context(), "explain_stop", nil)
		if err != nil || !strings.Contains(text.Text, "cannot be looked at now: no answer") {
			t.Errorf("%v: %s", err, text.Text)
		}
		l.context = &responses.Context{}
		text, err = b.Get(t.Context(), "explain_stop", nil)
		if err != nil || !strings.Contains(text.Text, "does not stand still: building ./app") || checkCalls(t, text.Text) != 1 {
			t.Errorf("%v: %s", err, text.Text)
		}
		w := &script{}
		b.writeStop(w, s, "stopped at breakpoint 1", &responses.Context{
			Location: "main.go:7", Function: "main.f", Snapshot: &responses.Snapshot{First: 7, Current: 7, Lines: []string{"x := \"```\""}},
			Locals: responses.NewVariables([]responses.Variable{{Name: "x", Value: "known\x1b[0m"}}, responses.Page{What: "locals", Total: 5, More: func(int) responses.Call {
				return responses.NewCall("inspect", "target", "locals", "start", 1)
			}}),
			Values: responses.NewList([]responses.ValueTrail{{Name: "x", Seen: []string{"main.go:3: 1", "main.go:7: 2"}}}, responses.Page{}),
		}, responses.NewCall)
		for _, want := range []string{"````\nmain.go:7 in main.f", "7→ x := \"```\"", "… and 4 more", "- x: main.go:3: 1; main.go:7: 2", `- locals (1 of 5 are here): inspect {"target":"locals","start":1}`} {
			if !strings.Contains(w.String(), want) {
				t.Errorf("no %q in\n%s", want, w)
			}
		}
		if n := checkCalls(t, w.String()); n != 4 {
			t.Errorf("%d calls", n)
		}
	})
}

func TestComplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := book(t, &looks{})
		defer b.o.Sessions.Close(t.Context())
		for range 2 {
			if _, err := b.o.Sessions.Open(session.StartRequest{Program: adapters.Request{Target: "./app", Language: "go"}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			prompt, argument, typed string
			given                   map[string]string
			want                    []string
		}{
			{"debug_failing_test", "test", "sum", nil, []string{"TestSum"}},
			{"debug_failing_test", "test", "test", map[string]string{"target": "tests/test_api.py"}, []string{"test_get"}},
			{"debug_failing_test", "target", "", map[string]string{"test": "TestSum"}, []string{"./price"}},
			{"debug_failing_test", "language", "", nil, []string{"go", "python"}},
			{"debug_failing_test", "language", "PY", nil, []string{"python"}},
			{"find_crash", "target", "", nil, []string{"./cmd/shop"}},
			{"explain_stop", "session_id", "", nil, []string{"go-2", "go-1"}},
			{"explain_stop", "session_id", "1", nil, []string{"go-1"}},
			{"explain_stop", "language", "", nil, nil},
			{"nobody", "language", "", nil, nil},
			{"find_crash", "args", "x", nil, nil},
		} {
			if got := b.Complete(t.Context(), test.prompt, test.argument, test.typed, test.given); !slices.Equal(got, test.want) {
				t.Errorf("%s %s %q: %v, want %v", test.prompt, test.argument, test.typed, got, test.want)
			}
		}
	})
}

func TestEveryPromptIsDescribed(t *testing.T) {
	for _, p := range new(Book).List() {
		for _, a := range append(p.Arguments, Argument{p.Title, p.Description, false}) {
			if a.Name == "" || a.Description == "" {
				t.Errorf("%s: %s", p.Name, fmt.Sprint(a))
			}
		}
	}
}

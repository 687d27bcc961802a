package resources

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// building is an adapter whose builds never end: its sessions stay in starting.
type building struct{}

func (building) Info() adapters.Info {
	return adapters.Info{Language: "go", Name: "Slow", Modes: []adapters.Mode{adapters.Launch}}
}
func (building) Claims(adapters.Request) int              { return 100 }
func (building) Services() adapters.Services              { return adapters.Services{} }
func (building) Check(context.Context) adapters.Readiness { return adapters.Readiness{Ready: true} }
func (building) Plan(ctx context.Context, _ adapters.Request, _ func(string)) (*adapters.Plan, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// calls remembers what was looked at.
type calls struct{ made []string }

func (c *calls) Look(_ context.Context, call responses.Call) (*responses.Envelope, responses.Reply) {
	text := call.Tool
	for _, p := range call.Params {
		text += fmt.Sprintf(" %v", p.Value)
	}
	c.made = append(c.made, text)
	env := &responses.Envelope{Success: true}
	if strings.HasPrefix(text, "inspect stack") {
		env = responses.Failure(fault.New(fault.NotPaused, "it runs"))
	}
	return env, responses.Reply{JSON: []byte(`{"asked":"` + text + `"}`)}
}

func (c *calls) Transcript(_ context.Context, id string) (string, error) {
	return "# " + id, nil
}

func (c *calls) Attempts(_ context.Context, problem string) (*responses.Envelope, error) {
	if problem != "0123456789ab" {
		return nil, errors.New("nothing was tried")
	}
	return &responses.Envelope{Success: true, Summary: "one passed"}, nil
}

func library(t *testing.T, usage func(context.Context) (any, error)) (*Library, *session.Manager, *calls) {
	m := session.NewManager(session.Options{Registry: adapters.NewRegistry(building{})})
	c := &calls{}
	return New(Options{Sessions: m, Calls: c, Usage: usage}), m, c
}

func open(t *testing.T, m *session.Manager, id string) {
	t.Helper()
	if _, err := m.Open(session.StartRequest{ID: id, Program: adapters.Request{Target: "./app"}}); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, m, c := library(t, func(context.Context) (any, error) { return responses.Object{{Name: "calls", Value: 3}}, nil })
		open(t, m, "go-1")
		defer m.Close(t.Context())
		for uri, want := range map[string]string{
			"aidb://config":                       `{"asked":"config show"}`,
			"aidb://sessions":                     `{"asked":"session list"}`,
			"aidb://usage":                        `{"success":true,"summary":"the calls of this user's servers","data":{"calls":3}}`,
			"aidb://session/go-1":                 `{"asked":"context detailed go-1"}`,
			"aidb://session/go-1/stack":           `{"asked":"session status go-1"}`, // it runs
			"aidb://session/go%2D1/output":        `{"asked":"inspect output go-1"}`,
			"aidb://session/go-1/breakpoints":     `{"asked":"breakpoint list go-1"}`,
			"aidb://session/go-1/%74ranscript":    "# go-1",
			"aidb://session/go-2":                 "the sessions are go-1",
			"aidb://session/":                     "names no session",
			"aidb://session":                      "names no session",
			"aidb://session/../config":            "names no session",
			"aidb://session/%2e%2e/stack":         "names no session",
			"aidb://session/go-1%2Fstack":         "names no session",
			"aidb://session/go-1/stacks":          "did you mean aidb://session/go-1/stack?",
			"aidb://session/go-1/zzzzzzzz":        "it has stack, output, breakpoints, transcript",
			"aidb://session/go-1/stack/0":         "there is no resource",
			"aidb://session/go-1/":                "a session has no",
			"aidb://session/%zz":                  "is no URI",
			"aidb://attempts/0123456789ab":        `{"success":true,"summary":"one passed"`,
			"aidb://attempts/0123456789ac":        "nothing was tried",
			"aidb://attempts/../x":                "there is no resource",
			"aidb://attempts/x":                   "names no problem",
			"aidb://conifg":                       "did you mean aidb://config?",
			"aidb://":                             "there are aidb://config",
			"file:///etc/passwd":                  "all begin with aidb://",
			"":                                    "all begin with aidb://",
			"aidb://" + strings.Repeat("a", 1000): "has 1007 bytes",
			"aidb://session/go-1\x00":             "names no session",
		} {
			content, err := l.Read(t.Context(), uri)
			if err != nil != !strings.HasPrefix(want, "{") && !strings.HasPrefix(want, "#") || err != nil && !errors.Is(err, ErrUnknown) {
				t.Errorf("%q: %v", uri, err)
			}
			if got := content.Text + fmt.Sprint(err); !strings.Contains(got, want) {
				t.Errorf("%q is %s, want %s", uri, got, want)
			}
		}
		if len(c.made) == 0 {
			t.Error("nothing was looked at")
		}
	})
}

// An account that cannot be read says so, and is no bug of ours.
func TestUsageThatCannotBeRead(t *testing.T) {
	l, _, _ := library(t, func(context.Context) (any, error) { return nil, errors.New("the disk is gone") })
	content, err := l.Read(t.Context(), Usage)
	if err != nil || !strings.Contains(content.Text, "AIDB_CONFIG_INVALID") || !strings.Contains(content.Text, "the disk is gone") {
		t.Errorf("%v: %s", err, content.Text)
	}
}

func TestList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, m, _ := library(t, nil)
		defer m.Close(t.Context())
		open(t, m, "b")
		open(t, m, "a")
		var uris, names []string
		for _, r := range l.List() {
			uris, names = append(uris, r.URI), append(names, r.Name)
			if r.Title == "" || r.Description == "" || r.MIMEType == "" {
				t.Errorf("%s is not described: %+v", r.URI, r)
			}
			if content, err := l.Read(t.Context(), r.URI); err != nil || content.MIMEType != r.MIMEType {
				t.Errorf("%s is listed and cannot be read: %v", r.URI, err)
			}
		}
		want := []string{
			"aidb://config", "aidb://sessions", "aidb://session/b", "aidb://session/b/stack", "aidb://session/b/output", "aidb://session/b/breakpoints",
			"aidb://session/b/transcript", "aidb://session/a", "aidb://session/a/stack", "aidb://session/a/output", "aidb://session/a/breakpoints", "aidb://session/a/transcript",
		}
		if diff := cmp.Diff(want, uris); diff != "" {
			t.Error(diff)
		}
		if names[3] != "b/stack" || names[2] != "b" {
			t.Errorf("names are %v", names)
		}
		if _, err := l.Read(t.Context(), Usage); !errors.Is(err, ErrUnknown) {
			t.Errorf("an account that nobody keeps: %v", err)
		}
		if diff := cmp.Diff([]string{"a", "b"}, l.Complete("aidb://session/{id}/stack", "id", "")); diff != "" {
			t.Error(diff)
		}
		for _, none := range [][]string{l.Complete("aidb://session/{id}", "id", "x"), l.Complete("aidb://session/{id}", "other", ""), l.Complete("file://{id}", "id", "")} {
			if none != nil {
				t.Errorf("completed by %v", none)
			}
		}
	})
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, m, _ := library(t, nil)
		w := l.Watch()
		defer w.End()
		open(t, m, "go-1")
		synctest.Wait() // it builds
		changed, list, ok := w.Wait(t.Context())
		if !list || !ok || !cmp.Equal(changed[len(changed)-1], Sessions) {
			t.Errorf("a session that appears: %v, %v, %v", changed, list, ok)
		}
		s, err := m.Get("go-1")
		if err != nil {
			t.Fatal(err)
		}
		s.Record(session.Operation{Looked: true})
		if changed, _, _ := w.Wait(t.Context()); !cmp.Equal(changed, []string{"aidb://session/go-1/transcript", Usage}) {
			t.Errorf("a look changes %v", changed)
		}
		m.Close(t.Context())
		changed, _, _ = w.Wait(t.Context())
		for _, uri := range []string{"aidb://session/go-1", "aidb://session/go-1/stack", "aidb://session/go-1/output", Sessions} {
			if !strings.Contains(strings.Join(changed, " ")+" ", uri+" ") {
				t.Errorf("the end leaves %s as it was: %v", uri, changed)
			}
		}
	})
}

// A report can be read where one is written, and is told to have changed with the session.
func TestReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, m, _ := library(t, nil)
		defer m.Close(t.Context())
		open(t, m, "go-1")
		if _, err := l.Read(t.Context(), "aidb://session/go-1/report"); !errors.Is(err, ErrUnknown) {
			t.Errorf("where none is written: %v", err)
		}
		l.o.Report = func(id string) (string, error) { return "<h1>" + id, nil }
		content, err := l.Read(t.Context(), "aidb://session/go-1/report")
		if err != nil || content != (Content{asHTML, "<h1>go-1"}) {
			t.Errorf("%+v, %v", content, err)
		}
		var listed []string
		for _, r := range append(l.List(), l.Templates()...) {
			if r.MIMEType == asHTML {
				listed = append(listed, r.URI)
			}
		}
		if diff := cmp.Diff([]string{"aidb://session/go-1/report", "aidb://session/{id}/report"}, listed); diff != "" {
			t.Error(diff)
		}
		w := l.Watch()
		defer w.End()
		s, err := m.Get("go-1")
		if err != nil {
			t.Fatal(err)
		}
		s.Record(session.Operation{})
		if changed, _, _ := w.Wait(t.Context()); !strings.Contains(strings.Join(changed, " ")+" ", "aidb://session/go-1/report ") {
			t.Errorf("what is recorded changes %v", changed)
		}
	})
}

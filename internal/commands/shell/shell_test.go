package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/mcp/caller"
)

var tools = []caller.Tool{
	{Name: "inspect", About: "Look. And more.", Params: []caller.Param{
		{Name: "expression", Type: "string"}, {Name: "target", Type: "string", Values: []string{"locals", "stack", "threads"}},
	}},
	{Name: "init", About: "First."},
	{Name: "step", About: "Step.", Params: []caller.Param{{Name: "action", Values: []string{"over", "out"}}, {Name: "count", Type: "integer"}}},
}

// fake answers with what it was asked.
type fake struct{ asked []string }

func (f *fake) Call(_ context.Context, tool string, arguments json.RawMessage) (caller.Reply, error) {
	f.asked = append(f.asked, tool+" "+string(arguments))
	if strings.Contains(string(arguments), "broken") {
		return caller.Reply{}, errors.New("the server has gone")
	}
	return caller.Reply{Text: "reply of " + tool, JSON: json.RawMessage(`{"session_id": "go-1"}`), IsError: strings.Contains(string(arguments), "wrong")}, nil
}
func (f *fake) Read(_ context.Context, uri string) (string, error) { return "read " + uri, nil }
func (f *fake) Tools() []caller.Tool                               { return tools }
func (f *fake) Names() []string                                    { return []string{"inspect", "init", "step"} }
func (f *fake) Tool(name string) (caller.Tool, bool) {
	i := slices.IndexFunc(tools, func(t caller.Tool) bool { return t.Name == name })
	if i < 0 {
		return caller.Tool{}, false
	}
	return tools[i], true
}

// scripted runs lines and returns what was asked and printed.
func scripted(t *testing.T, lines string) (asked []string, printed string, err error) {
	t.Helper()
	var out strings.Builder
	server := &fake{}
	s := &Shell{Server: server, Lines: NewScript(strings.NewReader(lines)), Out: &out, Show: strings.ToUpper}
	err = s.Run(t.Context())
	return server.asked, out.String(), err
}

func TestLinesAreCalls(t *testing.T) {
	asked, printed, err := scripted(t, "# remark\n\ninit\n inspect target=stack\r\nstep {\"count\":\n 2\n}\nstep out\nexit\ninit\n")
	want := []string{`init {}`, `inspect {"target":"stack"}`, "step {\"count\":\n 2\n}", `step {"action":"out"}`}
	if err != nil || !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q; %v", asked, want, err)
	}
	if want := "REPLY OF INIT\nREPLY OF INSPECT\nREPLY OF STEP\nREPLY OF STEP\n"; printed != want {
		t.Errorf("printed %q", printed)
	}
}

func TestWhatCannotBeCalled(t *testing.T) {
	for _, tt := range []struct{ lines, want string }{
		{"inspct\n", "did you mean inspect?"},
		{"frobnicate\n", `"tools" lists them`},
		{"inspect nothing\n", "want name=value"},
		{"inspect {\"target\":\n", "not closed"},
		{"inspect {\"target\":\n\ninit\n", "not closed"},
		{"inspect expression=broken\n", "the server has gone"},
		{"inspect expression=wrong\n", "REPLY OF INSPECT"},
	} {
		_, printed, err := scripted(t, tt.lines)
		if err == nil || !strings.Contains(err.Error(), "calls failed") || !strings.Contains(printed, tt.want) {
			t.Errorf("%q: %v\n%s", tt.lines, err, printed)
		}
	}
}

func TestHelp(t *testing.T) {
	_, printed, err := scripted(t, "help\nhelp inspect\nhelp nothing\ntools\n")
	for _, want := range []string{"TOOL name=value", "target=locals|stack|threads", `no tool "nothing"`, "inspect        Look.\n"} {
		if err != nil || !strings.Contains(printed, want) {
			t.Errorf("%v: no %q in\n%s", err, want, printed)
		}
	}
}

func TestTranscript(t *testing.T) {
	_, printed, err := scripted(t, "transcript\ninit\ntranscript\ntranscript go-7\n")
	for _, want := range []string{"there is no session yet", "READ AIDB://SESSION/GO-1/TRANSCRIPT", "READ AIDB://SESSION/GO-7/TRANSCRIPT"} {
		if err != nil || !strings.Contains(printed, want) {
			t.Errorf("%v: no %q in\n%s", err, want, printed)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct{ before, want string }{
		{"", "[inspect  init  step  help  tools transcript exit] at 0"},
		{"in", "[inspect  init ] at 0"},
		{"help in", "[inspect  init ] at 5"},
		{"inspect ", "[expression= target=] at 8"},
		{"inspect target=", "[locals  stack  threads ] at 15"},
		{"inspect target=st", "[stack ] at 15"},
		{"inspect target=stack ", "[expression=] at 21"},
		{"step o", "[over  out ] at 5"},
		{"nothing x", "[] at 9"},
		{`inspect {"ta`, `[target": ] at 10`},
		{`inspect {"target": "th`, `[threads"] at 20`},
		{`inspect {"target": `, "[] at 19"},
	} {
		start, choices := complete(tools, tt.before)
		if got := fmt.Sprintf("%s at %d", choices, start); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.before, got, tt.want)
		}
	}
	if got := commonPrefix([]string{"inspect ", "init "}); got != "in" {
		t.Errorf("%q is common", got)
	}
}

func TestHistoryIsKeptPrivately(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "shell_history")
	h := openHistory(file)
	for _, line := range []string{"init", " secret", "", "init", "step out", strings.Repeat("x", longest+1)} {
		h.keep(line)
	}
	if err := h.save(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Error(info.Mode(), err)
	}
	again := openHistory(file)
	if again.Len() != 2 || again.At(0) != "step out" || again.At(1) != "init" {
		t.Errorf("%q", again.lines)
	}
	for i := range 2 * remembered {
		again.keep(fmt.Sprint(i))
	}
	if again.Len() != remembered {
		t.Errorf("%d lines are kept", again.Len())
	}
}

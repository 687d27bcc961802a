package jsdebug

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
)

// standing answers stackTrace with one frame.
type standing struct{ frame godap.StackFrame }

func (s standing) Call(_ context.Context, _ string, _, body any) error {
	text, err := json.Marshal(godap.StackTraceResponseBody{StackFrames: []godap.StackFrame{s.frame}})
	if err == nil {
		err = json.Unmarshal(text, body)
	}
	return err
}

func (standing) Send(string, any) *dap.Pending { return nil }

func TestPauseThatNobodyAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "app.js")
	if err := os.WriteFile(file, []byte("const x = 1;\ndebugger;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := new(dialect)
	for _, tt := range []struct {
		line, reference int
		path            string
		resume          bool
	}{
		{line: 1, path: file, resume: true},
		{line: 2, path: file},
		{line: 9, path: file}, // a file that is not what runs: believed
		{line: 1, path: "/nowhere.js"},
		{line: 1, path: file, reference: 3}, // its text is the adapter's
	} {
		stop := d.Stopped(godap.StoppedEventBody{Reason: "pause", Description: "Paused on debugger statement", ThreadId: 1})
		if !stop.Ask {
			t.Fatal("it is not looked at")
		}
		at := standing{godap.StackFrame{Line: tt.line, Source: &godap.Source{Path: tt.path, SourceReference: tt.reference}}}
		if got := d.ReadStop(t.Context(), at, stop); got.Resume != tt.resume {
			t.Errorf("%+v: resume is %v", tt, got.Resume)
		}
	}
	if stop := d.ReadStop(t.Context(), standing{}, adapters.Stop{Reason: "breakpoint"}); stop.Resume {
		t.Error("a breakpoint is passed over")
	}
}

package test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// wireReply is a tool's result as it stands on the wire.
type wireReply struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

// Each form of replies on the wire. That text and JSON say the same is checked of
// every reply of these tests, which are sent in both.
func TestFormsOfReplies(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"default", "text", "json", "both"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "averages")
			w := testkit.StartWire(t, testkit.Options{Dir: p.Dir, Replies: form})
			w.Initialize("2025-06-18")
			reply := func(id int, tool string, args any) (r wireReply) {
				t.Helper()
				w.CallTool(id, tool, args)
				if err := json.Unmarshal(w.Answer(id).Result, &r); err != nil || len(r.Content) != 1 {
					t.Fatalf("%v: %+v", err, r)
				}
				return r
			}
			stop := reply(1, "session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("divide")}}})
			failed := reply(2, "inspect", A{"expression": "nosuch"})
			unknown := reply(3, "step", A{"session_id": "go-9"})
			for _, r := range []wireReply{stop, failed, unknown} {
				said := r.Content[0].Text
				switch {
				case json.Valid([]byte(said)) != (form == "json"):
					t.Errorf("the text is %s", said)
				case (r.StructuredContent == nil) != (form == "text" || form == "default"):
					t.Errorf("the structured content is %s", r.StructuredContent)
				}
			}
			begins := map[string]wireReply{"stopped at breakpoint 1, ": stop, "AIDB_EVALUATION_FAILED: ": failed, "AIDB_SESSION_NOT_FOUND: ": unknown}
			for want, r := range begins {
				if form != "json" && !strings.HasPrefix(r.Content[0].Text, want) || r.IsError != strings.HasPrefix(want, "AIDB_") {
					t.Errorf("isError is %v, and the text begins with no %q: %s", r.IsError, want, r.Content[0].Text)
				}
			}
		})
	}
}

// The environment and the settings file name the form too.
func TestFormOfRepliesBySettings(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("settings.json", `{"replies": "json"}`)
	for _, o := range []testkit.Options{
		{Env: []string{"AIDB_REPLIES=json"}},
		{Args: []string{"--config", filepath.Join(p.Dir, "settings.json")}},
	} {
		o.Replies = "default"
		if r := testkit.Start(t, o).OK("config", nil); !json.Valid([]byte(r.Text)) || r.Text != r.JSON {
			t.Errorf("the reply is %s", r.Text)
		}
	}
}

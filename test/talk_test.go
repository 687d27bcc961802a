//go:build linux

package test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

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

package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Reply is what a tool answered, with the call it answered.
type Reply struct {
	Call    string // "step {"action":"over"}", for messages
	Text    string // the text block as it came
	JSON    string // the structured content
	IsError bool

	t testing.TB
}

// At reads a field: At("data", "locals", "x", "v"); a number indexes a list. A
// string comes as it is, a missing field as "", anything else as compact JSON.
func (r Reply) At(path ...string) string {
	var at any
	if err := decode([]byte(r.JSON), &at); err != nil {
		return ""
	}
	for _, key := range path {
		switch node := at.(type) {
		case map[string]any:
			at = node[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(node) {
				return ""
			}
			at = node[i]
		default:
			return ""
		}
	}
	switch leaf := at.(type) {
	case nil:
		return ""
	case string:
		return leaf
	default:
		text, _ := json.Marshal(leaf)
		return string(text)
	}
}

// Int reads a number field, -1 when it is missing or no number.
func (r Reply) Int(path ...string) int {
	n, err := strconv.Atoi(r.At(path...))
	if err != nil {
		return -1
	}
	return n
}

// Decode decodes a field into v.
func (r Reply) Decode(v any, path ...string) {
	r.t.Helper()
	if text := r.At(path...); text != "" {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			r.t.Fatalf("decoding %v of\n%s\n%v", path, r, err)
		}
	}
}

// Status is data.execution_state.status.
func (r Reply) Status() string { return r.At("data", "execution_state", "status") }

// Want fails the test unless the field at path has this value.
func (r Reply) Want(want string, path ...string) Reply {
	r.t.Helper()
	if got := r.At(path...); got != want {
		r.t.Fatalf("%v: got %q, want %q, in\n%s", path, got, want, r)
	}
	return r
}

// Stopped fails the test unless the reply is a stop view of this status, here.
func (r Reply) Stopped(status, location string) Reply {
	r.t.Helper()
	r.Want(status, "data", "execution_state", "status")
	return r.Want(location, "data", "location")
}

// Contains fails the test unless the field at path contains each of the parts.
func (r Reply) Contains(path []string, parts ...string) Reply {
	r.t.Helper()
	got := r.At(path...)
	for _, part := range parts {
		if !strings.Contains(got, part) {
			r.t.Fatalf("%v: no %q in %q, in\n%s", path, part, got, r)
		}
	}
	return r
}

// Has fails the test unless the reply, as JSON, contains each of the parts.
func (r Reply) Has(parts ...string) Reply {
	r.t.Helper()
	for _, part := range parts {
		if !strings.Contains(r.JSON, part) {
			r.t.Fatalf("no %q in\n%s", part, r)
		}
	}
	return r
}

// Lacks fails the test when the reply contains one of the parts in any form.
func (r Reply) Lacks(parts ...string) Reply {
	r.t.Helper()
	for _, part := range parts {
		if strings.Contains(r.JSON, part) || strings.Contains(r.Text, part) {
			r.t.Fatalf("unwanted %q in\n%s", part, r)
		}
	}
	return r
}

// String shows the call and the reply, readably.
func (r Reply) String() string {
	return "> " + r.Call + "\n" + string(Pretty([]byte(r.JSON)))
}

// wireResult is the part of a JSON-RPC message that carries a tool's result.
type wireResult struct {
	Result struct {
		Content []struct {
			Type string
			Text string
		}
		StructuredContent json.RawMessage
		IsError           bool
		ResultType        string
	}
}

// checkResult says what is wrong with a tool result as it stood on the wire. Its
// forms must hold the same facts, without loss, and isError must be the opposite
// of success.
func checkResult(line []byte) error {
	var m wireResult
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("a line on stdout is not JSON: %w: %.200q", err, line)
	}
	if m.Result.Content == nil && m.Result.StructuredContent == nil {
		return nil // not the result of a tool
	}
	if m.Result.ResultType == "input_required" {
		return nil // nor is a question
	}
	if n := len(m.Result.Content); n != 1 || m.Result.Content[0].Type != "text" {
		return fmt.Errorf("a result of %d blocks, want one text block: %.200q", n, line)
	}
	text := m.Result.Content[0].Text
	if m.Result.StructuredContent == nil { // text alone
		if failed := strings.HasPrefix(text, "AIDB_"); failed != m.Result.IsError {
			return fmt.Errorf("isError is %v beside %.200q", m.Result.IsError, text)
		}
		return nil
	}
	var structured any
	if err := decode(m.Result.StructuredContent, &structured); err != nil {
		return fmt.Errorf("structured content: %w: %.200q", err, line)
	}
	object, _ := structured.(map[string]any)
	if success, ok := object["success"].(bool); !ok || success == m.Result.IsError {
		return fmt.Errorf("success is %v beside isError %v: %.200q", object["success"], m.Result.IsError, line)
	}
	if !json.Valid([]byte(text)) {
		return checkFacts(text, m.Result.StructuredContent)
	}
	var again any
	if err := decode([]byte(text), &again); err != nil || !reflect.DeepEqual(again, structured) {
		return fmt.Errorf("text and structured content differ:\n%s", cmp.Diff(again, structured))
	}
	return nil
}

// decode keeps numbers as they are written.
func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

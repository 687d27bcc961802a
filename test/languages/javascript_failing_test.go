//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// jest is what jest needs, for JavaScript and for TypeScript.
var jest = []string{"jest", "@jest/globals", "babel-jest", "ts-jest", "typescript"}

// TestJavaScriptFailures runs a file of tests with each runner: it stops at each
// failure, in the test's or the program's own frame, with its locals, and at
// nothing that is caught on the way.
func TestJavaScriptFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, runner, code string
		sum, row                 string // what the messages of the assertions have
		node                     func(*testing.T) string
		packages                 []string
	}{
		{name: "babel", file: "jest.test.js", code: "1", sum: "Expected: 4\nReceived: 3", row: `"id": 3`, packages: jest},
		{name: "ts-jest", file: "tsjest.test.ts", code: "1", sum: "Expected: 4\nReceived: 3", row: `"id": 3`, packages: jest},
		{name: "vitest", file: "vitest.test.ts", code: "1", sum: "expected 3 to be 4", row: "expected { id: 3 } to deeply equal { id: 4 }", packages: []string{"vitest"}},
		{name: "mocha", file: "mocha.test.cjs", runner: "mocha", code: "5", sum: "3 !== 4", row: "id: 3", packages: []string{"mocha"}},
		{name: "node", file: "node.test.cjs", code: "1", sum: "3 !== 4", row: "id: 3"},
		{name: "newer node", file: "node.test.cjs", code: "1", sum: "3 !== 4", row: "id: 3", node: newerNode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			switch {
			case tt.name == "babel" || tt.node != nil:
				testkit.Long(t, "the same runner with another compiler, or another node")
			case tt.name == "ts-jest", tt.name == "vitest":
				testkit.Long(t, "TestJavaScriptRunners starts tests of it, and test/diagnosing tells why they fail")
			}
			s, p := nodeProgram(t, "failing", tt.packages...)
			at := func(mark string) string { return tt.file + ":" + lineOf(t, p, tt.file, "// ["+mark+"]") }
			start := A{"target": tt.file, "mode": "test", "env": leavings(p), "timeout_ms": startLimit}
			if tt.runner != "" {
				start["adapter_options"] = A{"runner": tt.runner}
			}
			if tt.node != nil {
				start["runtime_path"] = tt.node(t)
			}
			goOn := func() testkit.Reply { return s.OK("execute", A{"timeout_ms": startLimit}) }
			s.OK("session_start", start).Stopped("stopped_at_exception", at("sum")).
				Contains([]string{"data", "exception", "message"}, tt.sum).Want("3", "data", "locals", "sum", "v").Lacks("aidb")
			goOn().Stopped("stopped_at_exception", at("load")).Want("RangeError", "data", "exception", "type").
				Want("no row 12", "data", "exception", "message").Want("12", "data", "locals", "id", "v").Want("load", "data", "function")
			goOn().Stopped("stopped_at_exception", at("resolves")).Contains([]string{"data", "exception", "message"}, tt.row).Lacks("aidb")
			goOn().Stopped("stopped_at_exception", at("doubles")).Want("2", "data", "locals", "n", "v").Want("5", "data", "locals", "twice", "v")
			goOn().Stopped("stopped_at_exception", at("hook")).Want("TypeError", "data", "exception", "type").Want("{}", "data", "locals", "state", "v")
			goOn().Want(tt.code, "data", "execution_state", "exit_code")
		})
	}
}

// TestJavaScriptNoTest says so when a name matches no test that runs.
func TestJavaScriptNoTest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, runner string
		packages           []string
	}{
		{name: "jest", file: "jest.test.js", packages: jest},
		{name: "mocha", file: "mocha.test.cjs", runner: "mocha", packages: []string{"mocha"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.name == "jest" {
				testkit.Long(t, "what mocha says is found out in the same way")
			}
			s, p := nodeProgram(t, "failing", tt.packages...)
			start := A{"target": tt.file, "test": "doubles 3", "env": leavings(p), "timeout_ms": startLimit}
			if tt.runner != "" {
				start["adapter_options"] = A{"runner": tt.runner}
			}
			r := s.Call("session_start", start)
			r.Contains([]string{"summary"}, "no test ran").Contains([]string{"error", "hint"}, "doubles 1")
		})
	}
}

// lineOf is the number of the line of a file that has a text.
func lineOf(t *testing.T, p *testkit.Program, file, text string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(p.Dir, file))
	before, _, found := strings.Cut(string(source), text)
	if err != nil || !found {
		t.Fatalf("%s has no %q: %v", file, text, err)
	}
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

//go:build linux

package languages

import (
	"bufio"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// TestJavaScriptRunners runs one test by its name with each runner.
func TestJavaScriptRunners(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, runner, file, test, source, mark string
		packages                               []string
	}{
		{"jest", "jest", "jest.test.js", "adds numbers", "src/sum.cjs", "add", []string{"jest", "@jest/globals"}},
		{"vitest", "vitest", "vitest.test.ts", "multiplies", "src/price.ts", "price", []string{"vitest"}},
		{"mocha", "mocha", "mocha.test.cjs", "sums adds numbers", "src/sum.cjs", "add", []string{"mocha"}},
		{"node", "node:test", "node.test.ts", "multiplies", "src/price.ts", "price", []string{"tsx"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.name == "mocha" || tt.name == "node" {
				testkit.Long(t, "TestJavaScriptFailures runs its tests by name, and test/tracing, too")
			}
			s, p := nodeProgram(t, "runners", tt.packages...)
			at := p.At(tt.source, tt.mark)
			breakpoints := []A{{"file": tt.source, "line": p.Line(tt.mark)}}
			if tt.name == "jest" { // which has transformed the file of the test, and put a function round it
				breakpoints = append(breakpoints, A{"file": tt.file, "line": 1})
			}
			r := s.OK("session_start", A{"test": tt.file + "::" + tt.test, "env": leavings(p), "breakpoints": breakpoints, "timeout_ms": startLimit})
			if tt.name == "jest" {
				r.Stopped("stopped_at_breakpoint", tt.file+":1")
				s.OK("breakpoint", A{"action": "remove", "id": 2})
				r = s.OK("execute", A{"timeout_ms": startLimit})
			}
			r.Stopped("stopped_at_breakpoint", at)
			s.OK("breakpoint", A{"action": "clear_all"})
			s.OK("execute", A{"timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code").Lacks("the wrong test")
		})
	}
	t.Run("unknown test", func(t *testing.T) {
		t.Parallel()
		s, _ := nodeProgram(t, "runners")
		r := s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "vitest.test.ts::multipleis"})
		r.Contains([]string{"error", "message"}, "multipleis", "vitest.test.ts").Contains([]string{"error", "hint"}, "multiplies")
	})
	t.Run("not installed", func(t *testing.T) {
		t.Parallel()
		s, _ := nodeProgram(t, "runners")
		r := s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"test": "vitest.test.ts::multiplies"})
		r.Contains([]string{"error", "message"}, "vitest", "not installed").Contains([]string{"error", "hint"}, "npm install")
	})
}

// TestTypeScript stops in a source in each way that it gets into node.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	const file = "src/shop.ts"
	stops := func(s *testkit.Server, p *testkit.Program, more A) {
		t.Helper()
		args := A{"target": file, "env": leavings(p), "breakpoints": []A{{"file": file, "line": p.Line("sum")}}, "timeout_ms": startLimit}
		maps.Copy(args, more)
		s.OK("session_start", args).Stopped("stopped_at_breakpoint", p.At(file, "sum")).Want("total", "data", "function").
			Want("0", "data", "locals", "sum", "v").Lacks("__defProp")
		s.OK("breakpoint", A{"action": "clear_all"})
		s.OK("execute", nil).Want("total 10\n", "data", "output", "stdout").Want("0", "data", "execution_state", "exit_code")
	}
	t.Run("tsx", func(t *testing.T) {
		t.Parallel()
		testkit.Long(t, "test/diagnosing and test/tracing have their programs compiled by it")
		s, p := nodeProgram(t, "typescript", "tsx")
		stops(s, p, nil)
	})
	t.Run("type stripping", func(t *testing.T) {
		t.Parallel()
		s, p := nodeProgram(t, "typescript")
		stops(s, p, A{"runtime_path": newerNode(t)})
	})
	t.Run("tsc", func(t *testing.T) {
		t.Parallel()
		s, p := nodeProgram(t, "typescript", "typescript")
		compile(t, p)
		stops(s, p, nil)
		stops(s, p, A{"target": "dist/shop.js"})
		s.OK("session_start", A{"target": file}).Want("", "data", "warnings")
		written := time.Now().Add(time.Minute) // an edit; clocks of file systems are coarse
		if err := os.Chtimes(filepath.Join(p.Dir, file), written, written); err != nil {
			t.Fatal(err)
		}
		s.OK("session_start", A{"target": file}).Contains([]string{"data", "warnings"}, file+" is newer", "npx tsc")
		p.Write("dist/shop.js.map", `{"version":3,"sources":["../elsewhere.ts"],"mappings":""}`)
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": file}).Contains([]string{"error", "message"}, "elsewhere.ts")
		p.Edit("dist/shop.js", "shop.js.map", "gone.js.map")
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": file}).Contains([]string{"error", "message"}, "points nowhere", "gone.js.map")
	})
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		s, _ := nodeProgram(t, "typescript")
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": file}).Contains([]string{"error", "hint"}, "tsx", "tsc", "22.18")
	})
}

// leavings lets the tools keep their caches where they go with the program.
func leavings(p *testkit.Program) A { return A{"TMPDIR": filepath.Dir(p.Dir)} }

// compile lets tsc compile a program as its tsconfig.json says.
func compile(t testing.TB, p *testkit.Program) {
	t.Helper()
	compileIn(t, p.Dir)
}

// compileIn lets tsc compile a directory.
func compileIn(t testing.TB, dir string) {
	t.Helper()
	cmd := exec.Command("node", filepath.Join(testkit.Packages(t), "typescript", "bin", "tsc"), "--noCheck", "-p", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
}

// TestJavaScriptErrors stops where an error is thrown that ends the program, in
// ES modules too, and at no error that is caught.
func TestJavaScriptErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, mark, kind, message, output string
		line                              int
	}{
		{file: "throws.js", mark: "throws", kind: "RangeError", message: "boom 2", output: "caught boom 1\n"},
		{file: "rejects.js", mark: "rejects", kind: "TypeError", message: "later 3", output: "caught later 1\ncaught later 2\n"},
		{file: "resumed.js", mark: "resumed", kind: "TypeError", message: "not iterable"},
		{file: "unhandled.js", mark: "unhandled", kind: "Error", message: "dropped"},
		{file: "cause.js", mark: "cause", kind: "Error", message: "wrapped"},
		{file: "many.js", mark: "many", kind: "Error", message: "the last", output: "caught 500\n"},
		{file: "handled.js", mark: "handled", kind: "Error", message: "the last", output: "handled 1\n"},
		{file: "races.cjs", mark: "races", kind: "Error", message: "the last", output: "caught 1\n"},
		{file: "absent.cjs", mark: "absent", kind: "Error", message: "Cannot find module 'no-such-package'", output: "here\n"},
		{file: "syntax.cjs", line: 2, kind: "SyntaxError", message: "Unexpected token ';'"},
		{file: "missing.js", line: 2, kind: "Error", message: "Cannot find module"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			if slices.Contains([]string{"unhandled.js", "many.js", "handled.js"}, tt.file) {
				testkit.Long(t, "it is caught, or not, as another one here")
			}
			s, p := nodeProgram(t, "modules")
			line := tt.line
			if tt.mark != "" {
				line = p.Line(tt.mark)
			}
			r := s.OK("session_start", A{"target": tt.file, "timeout_ms": startLimit})
			r.Stopped("stopped_at_exception", tt.file+":"+strconv.Itoa(line)).Want(tt.kind, "data", "exception", "type").
				Contains([]string{"data", "exception", "message"}, tt.message).Want(tt.output, "data", "output", "stdout")
			if tt.file == "cause.js" {
				r.Want("SyntaxError", "data", "exception", "inner", "type")
			}
			s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")
		})
	}
}

// TestJavaScriptProcesses stops in a worker thread and in a forked child.
func TestJavaScriptProcesses(t *testing.T) {
	t.Parallel()
	s, p := nodeProgram(t, "modules")
	at := p.At("processes.js", "work")
	s.OK("session_start", A{"target": "processes.js", "breakpoints": []A{{"file": "processes.js", "line": p.Line("work")}}, "timeout_ms": startLimit}).
		Stopped("stopped_at_breakpoint", at).Want("5", "data", "locals", "n", "v")
	s.OK("inspect", A{"target": "threads"}).Want("2", "data", "total").Has("worker 1")
	s.OK("execute", A{"timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", at).Want("21", "data", "locals", "n", "v").
		Want("worker 10\n", "data", "output", "stdout")
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code").Want("child 42\ngone 0\n", "data", "output", "stdout")
}

// TestJavaScriptInspector attaches by host and port, and leaves the program running.
func TestJavaScriptInspector(t *testing.T) {
	t.Parallel()
	s, p := nodeProgram(t, "modules")
	cmd := exec.Command("node", "--inspect=127.0.0.1:0", "server.cjs")
	cmd.Dir = p.Dir
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	port := regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindStringSubmatch(line)
	if err != nil || port == nil {
		t.Fatalf("node says %q, %v", line, err)
	}
	s.OK("session_start", A{
		"port": port[1], "breakpoints": []A{{"file": "server.cjs", "line": p.Line("tick")}}, "timeout_ms": startLimit,
	}).Stopped("stopped_at_breakpoint", p.At("server.cjs", "tick")).Lacks("not bound")
	s.OK("session", A{"action": "stop"})
	if err := cmd.Process.Signal(nothing); err != nil {
		t.Fatalf("the program has ended with the session: %v", err)
	}
}

// TestJavaScriptValues reads values as people write them.
func TestJavaScriptValues(t *testing.T) {
	t.Parallel()
	s, p := nodeProgram(t, "modules")
	s.OK("session_start", A{"target": "values.cjs", "breakpoints": []A{{"file": "values.cjs", "line": p.Line("values")}}, "timeout_ms": startLimit}).
		Stopped("stopped_at_breakpoint", p.At("values.cjs", "values")).
		Contains([]string{"data", "locals", "map", "v"}, "(1) {one => {n: 1}}").
		Contains([]string{"data", "locals", "set", "v"}, "(2) {1, 2}").
		Want("{fulfilled: 4}", "data", "locals", "done", "v").
		Want("ƒ (a, b) =>", "data", "locals", "add", "v").Lacks("[[Prototype]]")
	s.OK("inspect", A{"expression": "order"}).Contains([]string{"data", "result"}, "#secret", "items").Lacks("Prototype")
	s.OK("inspect", A{"expression": "long"}).Want("300000", "data", "result", "len")
	s.OK("inspect", A{"expression": "[long]"}).Want("300000", "data", "result", "children", "0", "len")
	s.OK("inspect", A{"expression": "long", "start": 299990, "count": 100}).Want("'üggggggggg'", "data", "result", "v")
	s.OK("inspect", A{"expression": "await done"}).Has("fulfilled: 4")
	s.OK("inspect", A{"expression": "text.length"}).Want("500", "data", "result", "v")
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "order.nothing.at.all"}).
		Want("TypeError: Cannot read properties of undefined (reading 'at')", "error", "message")
	s.OK("inspect", A{"target": "globals"}).Has("class Order").Lacks("structuredClone")
}

// TestJavaScriptFailedCondition stops where a condition fails as the program
// runs, and says why, but not in the program's own output.
func TestJavaScriptFailedCondition(t *testing.T) {
	t.Parallel()
	s, p := nodeProgram(t, "tour")
	at := p.At("tour.js", "sum")
	condition := A{"file": "tour.js", "line": p.Line("sum"), "condition": "i > 4 && items[i].price.net > 3"}
	s.OK("session_start", A{"target": "tour.js", "breakpoints": []A{condition}, "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", at).
		Contains([]string{"summary"}, "breakpoint 1 failed: TypeError: Cannot read properties of undefined (reading 'net')").Want("5", "data", "locals", "i", "v")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", nil).Want("total 40\n", "data", "output", "stdout").Want("", "data", "output", "stderr").Want("", "data", "warnings")
}

//go:build linux

package diagnosing

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

func shopJavaScript(file, way string) A { return A{"target": file, "args": []string{way}} }

// failuresOf are those of JavaScript, in a program in one of its forms, and its tests.
func failuresOf(file, tests string) map[string]failure {
	at := func(mark string) string { return file + "@" + mark }
	start := func(way string) A { return shopJavaScript(file, way) }
	mean := failure{
		Verdict: "exception", At: at("zero"), Culprit: "count", Value: "0n", Message: "RangeError: Division by zero", Parts: []string{"total = 0n", "count = 0n"},
	}
	return map[string]failure{
		"member": {
			Start: start("member"), Verdict: "exception", At: at("member"), Culprit: "order.customer", Value: "null",
			Message: "TypeError: Cannot read properties of null (reading 'address')",
			Parts:   []string{"order = {number: 2, customer: null, prices: Array(0)}", "order.customer = null"},
			Frames:  []string{at("member") + " cityOf order={number: 2, customer: null, prices: []} upper=true", at("member-caller") + " member"},
			Locals:  []string{}, Calls: []string{"'TURIN'"}, Lacks: []string{"undefined"},
		},
		"index": {
			Start: start("index"), Verdict: "exception", At: at("index"), Culprit: "lines[position]", Value: "undefined",
			Parts: []string{"lines = (2) [Order, Order]", "position = 4", "lines[position] = undefined"},
		},
		"key": {
			Start: start("key"), Verdict: "exception", At: at("key"), Culprit: "rates[kind]", Value: "undefined",
			Parts: []string{"rates = {gold: 3, silver: 5}", "kind = 'plain'", "rates[kind] = undefined"},
		},
		"zero":  mean.by(start("zero")),
		"task":  mean.by(start("task")),
		"child": mean.by(start("child")),
		"thread": {
			Start: start("thread"), Verdict: "exception", At: at("zero"), Message: "RangeError: Division by zero",
		},
		"result": {
			Start: start("result"), Verdict: "exception", At: at("result"), Culprit: "find(wanted)", Value: "undefined",
			Parts: []string{"wanted = 7", "find(wanted) = undefined"}, Calls: []string{"find(number=7) undefined"},
		},
		"called": {
			Start: start("called"), Verdict: "exception", At: at("called"), Culprit: "order.settle", Value: "undefined", Message: "order.settle is not a function",
		},
		"chained":   {Start: start("chained"), Verdict: "exception", At: at("chained"), Message: "Error: order 2 cannot be settled", Has: []string{"RangeError: Division by zero"}},
		"rejected":  {Start: start("rejected"), Verdict: "exception", At: at("rejected"), Message: "RangeError: too late"},
		"exit_code": {Start: start("exit_code"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "settling"}, Calls: []string{"exit_code() (not returned)"}},
		"caught":    {Start: start("caught"), Verdict: "exit_code", Has: []string{"RangeError: Division by zero, caught; raised in mean (" + file, "cannot settle"}},
		"busy": {
			Start: start("busy"), Verdict: "busy_loop", At: at("busy|busy-step|busy-rounds"), Has: []string{`{"rounds":{"old"`},
		},
		"blocked": {Start: hanging(start("blocked")), Verdict: "blocked", At: at("blocked")},
		"network": {Start: hanging(start("network")), Verdict: "blocked", Message: "it waits for an event"},
		"pending": {Start: hanging(start("pending")), Verdict: "blocked", Message: "it waits for an event"},
		"overflow": {
			Start: start("overflow"), Verdict: "exception", At: at("overflow"), Message: "RangeError: Maximum call stack size exceeded", Has: []string{`"times":`},
		},
		"memory": {
			Start:   A{"target": file, "args": []string{"memory"}, "env": A{"NODE_OPTIONS": "--max-old-space-size=64"}},
			Verdict: "exception", At: at("memory"), Message: "Out Of Memory",
		},
		"awaited":    {Start: start("awaited"), Verdict: "waiting_for_input"},
		"library":    {Start: start("library"), Verdict: "exception", At: at("library"), Message: "SyntaxError: Expected double-quoted property name", Culprit: "text", Value: `'{"number": 1,}'`, Parts: []string{`text = '{"number": 1,}'`}},
		"no_test":    {Start: A{"target": tests, "test": "nothing"}, Verdict: "no_test_ran", Message: "discount"},
		"unbuilt":    {Start: A{"target": "broken.js"}, Verdict: "build_failed", Message: "SyntaxError: Unexpected token '{'", Has: []string{"broken.js:1"}},
		"test_error": mean.by(A{"target": tests, "test": "mean"}),
		"test": {
			Start: A{"target": tests, "test": "discount"}, Verdict: "test_failure", At: tests + "@node-test", Culprit: "discount(order, 50)", Value: "210",
			Left: "210", Right: "21", Calls: []string{"discount(order="},
		},
		"fine": {Start: start("fine"), Verdict: "ok", Has: []string{"21n"}},
	}
}

var javascript = tongue{
	Name: "javascript", Long: []string{"busy", "caught", "chained", "exit_code", "fine", "key", "overflow", "pending", "task", "test_error", "thread", "zero"}, Failures: failuresOf("faulty.js", "shop.test.js"),
	Not: map[string]string{"deadlock": "a program has one thread, and nobody holds a promise", "channel": "a promise that never settles ends the program"},
}

// A failing test is told with its culprit under each runner.
func TestRunnersOfJavaScript(t *testing.T) {
	for name, file := range map[string]string{"jest": "jest.test.js", "vitest": "vitest.test.mjs", "mocha": "mocha.test.cjs"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "mocha" {
				testkit.Long(t, "what it says of a failure is found out as node's is, and test/languages stops at one")
			}
			p := testkit.NewProgramOf(t, "javascript", "faulty")
			install(t, p, name)
			p.Write("package.json", `{ "name": "faulty", "private": true, "scripts": { "test": "`+name+`" }, "devDependencies": { "`+name+`": "*" } }`)
			s := &shop{testkit.Start(t, testkit.Options{Dir: p.Dir}), p, javascript}
			start := A{"target": file, "test": "discount by " + name, "env": A{"TMPDIR": filepath.Dir(p.Dir)}, "timeout_ms": 120_000}
			r := s.OK("diagnose", s.with(start))
			f := failure{Verdict: "test_failure", At: file + "@" + name, Culprit: "discount(order, 50)", Value: "210", Left: "210", Right: "21", Calls: []string{"discount(order="}}
			s.holds(t, r, f)
			if t.Failed() {
				t.Logf("in\n%s", r)
			}
		})
	}
}

// install puts packages into a program.
func install(t *testing.T, p *testkit.Program, names ...string) {
	t.Helper()
	modules := filepath.Join(p.Dir, "node_modules")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.Symlink(filepath.Join(testkit.Packages(t), name), filepath.Join(modules, name)); err != nil {
			t.Fatal(err)
		}
	}
}

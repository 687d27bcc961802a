//go:build linux

package jsdebug

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// recordedCalls runs a program of which all calls are noted.
func recordedCalls(t *testing.T, source string, args ...string) recording.Log {
	t.Helper()
	node, home := nodeIn(t)
	if err := os.WriteFile(filepath.Join(home, "app.cjs"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, m := t.TempDir(), recorderOptions{}
	w := recording.Spec{Text: 100, Roots: []string{home}, Calls: &recording.Calls{Names: []string{"*"}}}
	if err := unpackRecorder(dir, w, m); err != nil {
		t.Fatal(err)
	}
	run(t, home, recording.Variable+"="+dir, node, append(append(m.load(dir, nil), args...), "app.cjs")...)
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

const classes = `class Part { constructor(o) { Object.assign(this, o); } }
class Shut { #n; constructor(n) { this.#n = n; } }
function take(a, b) {}
`

// Two values are compared by all that is in them, however little of that their text shows.
func TestRecordedValuesAreWhole(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want recording.Equality
	}{
		"the end of a text":    {"'a'.repeat(300) + 'b'", "'a'.repeat(300) + 'c'", recording.Different},
		"long texts":           {"'a'.repeat(300)", "'a'.repeat(300)", recording.Equal},
		"the end of a list":    {"Array.from({length: 500}, (_, i) => i)", "Array.from({length: 500}, (_, i) => i === 499 ? 0 : i)", recording.Different},
		"far down":             {"[[[[[[1]]]]]]", "[[[[[[2]]]]]]", recording.Different},
		"far down, alike":      {"[[[[[[1]]]]]]", "[[[[[[1]]]]]]", recording.Equal},
		"of a class":           {"[new Part({n: [1]})]", "[new Part({n: [2]})]", recording.Different},
		"a map's order":        {"[new Map([['a', 1], ['b', 2]])]", "[new Map([['b', 2], ['a', 1]])]", recording.Equal},
		"a set's elements":     {"[new Set([1, 2])]", "[new Set([1, 3])]", recording.Different},
		"numbers and texts":    {"[[[[[1]]]]]", "[[[[['1']]]]]", recording.Different},
		"of times":             {"new Date(5)", "new Date(7)", recording.Different},
		"what nobody can see":  {"new Shut(1)", "new Shut(1)", recording.NotCompared},
		"functions":            {"(x) => x + 1", "(x) => x + 2", recording.Different},
		"what holds itself":    {"(() => { const o = {n: {a: {b: {}}}}; o.n.a.b.o = o; return o; })()", "(() => { const o = {n: {a: {b: {}}}}; o.n.a.b.o = o; return o; })()", recording.Equal},
		"errors with a number": {"Object.assign(new Error('e'), {code: 1})", "Object.assign(new Error('e'), {code: 2})", recording.Different},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, e := range recordedCalls(t, classes+fmt.Sprintf("take(%s, %s);", c.a, c.b)).Events {
				if e.Kind != recording.Enter || e.Function != "take" {
					continue
				}
				if got := recording.Compare(e.Values[0], e.Values[1]); got != c.want {
					t.Errorf("%+v and %+v: %v, want %v", e.Values[0], e.Values[1], got, c.want)
				}
				return
			}
			t.Error("no call was noted")
		})
	}
	for _, e := range recordedCalls(t, classes+"take([1, [2, []]], {a: 1, b: {c: 'x'}});").Events {
		for i, v := range e.Values {
			if e.Kind == recording.Enter && (v.Cut || v.Whole() != "") {
				t.Errorf("value %d is told to be cut: %+v", i, v)
			}
		}
	}
}

// What ends a run is an event of it, at the user's line; so is where an error leaves a call.
func TestRecordedFailures(t *testing.T) {
	for name, c := range map[string]struct{ source, want, left string }{
		"none":          {"function f() {\n  throw new Error('e');\n}\ntry { f(); } catch {}", "", "app.cjs:2"},
		"uncaught":      {"function f() {\n  throw new Error('e');\n}\nf();", "uncaught app.cjs:2 Error: e", "app.cjs:2"},
		"further in":    {"function g() {\n  null.x;\n}\nfunction f() {\n  g();\n}\nf();", "uncaught app.cjs:2 TypeError: Cannot read properties of null (reading 'x')", "app.cjs:2 app.cjs:5"},
		"no error":      {"throw 5;", "uncaught  5", ""},
		"process.exit":  {"function f() {\n  process.exit(3);\n}\nf();", "exited app.cjs:2 3", ""},
		"exit code":     {"const o = {};\nfunction f(n) {\n  process.exitCode = o.exitCode = n;\n}\nf(0);\nf(3);\nf(3);\no.exitCode = 4;", "exited app.cjs:3 3", ""},
		"a rejection":   {"async function f() {\n  await null;\n  throw new Error('e');\n}\nf();", "uncaught app.cjs:3 Error: e", "app.cjs:3"},
		"one's handler": {"process.on('uncaughtException', () => {});\nfunction f() {\n  throw new Error('e');\n}\nf();", "uncaught app.cjs:3 Error: e", "app.cjs:3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failed, left []string
			for _, e := range recordedCalls(t, c.source).Events {
				at := e.At[strings.LastIndexByte(e.At, '/')+1:]
				switch {
				case e.Kind == recording.Failed:
					failed = append(failed, e.Text+" "+at+" "+e.Values[0].Text)
				case e.Kind == recording.Leave && e.Raised:
					left = append(left, at)
				}
			}
			if got := strings.Join(failed, "|"); got != c.want {
				t.Errorf("it failed with %q, want %q", got, c.want)
			}
			if got := strings.Join(left, " "); got != c.left {
				t.Errorf("calls were left at %q, want %q", got, c.left)
			}
		})
	}
}

// A failure of a test tells which test it is of.
func TestRecordedTestFailures(t *testing.T) {
	const tests = "const { test, describe } = require('node:test'); const assert = require('node:assert');\n" +
		"describe('sums', () => {\n  test('of two', () => {\n    assert.strictEqual(1 + 2, 4);\n  });\n  test('of none', () => {});\n});"
	var failed []string
	for _, e := range recordedCalls(t, tests, "--test").Events {
		if e.Kind == recording.Failed {
			failed = append(failed, fmt.Sprint(e.Text, " ", e.At[strings.LastIndexByte(e.At, '/')+1:], " ", e.Test()))
		}
	}
	if len(failed) > 0 && failed[0] != "uncaught app.cjs:4 sums > of two" {
		t.Errorf("%q", failed)
	}
	failed = nil
	for _, e := range recordedCalls(t, tests).Events {
		if e.Kind == recording.Failed {
			failed = append(failed, fmt.Sprint(e.Text, " ", e.At[strings.LastIndexByte(e.At, '/')+1:], " ", e.Test()))
		}
	}
	if got := strings.Join(failed, "|"); got != "uncaught app.cjs:4 sums > of two" {
		t.Errorf("%q", got)
	}
}

// What is put into a source moves the columns of its map, and no others.
func TestMapsFollowWhatIsPutIn(t *testing.T) {
	dir := t.TempDir()
	if err := unpackRecorder(dir, recording.Spec{}, recorderOptions{}); err != nil {
		t.Fatal(err)
	}
	const script = `const { moved } = require('./recorder/moved.cjs'); const { payloadOf } = require('./recorder/maps.cjs'); const { SourceMap } = require('module');
const map = Buffer.from(JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA,KACA,KACA;AACA,KACA' })).toString('base64');
const before = 'abcd efgh ijkl\nmnop qrst\n//# sourceMappingURL=data:application/json;base64,' + map;
const after = moved(before, [{ at: 5, length: 7 }, { at: 15, length: 3 }], before.slice(0, 5) + '1234567' + before.slice(5, 15) + '123' + before.slice(15));
const made = new SourceMap(payloadOf(after.split('sourceMappingURL=')[1]));
console.log([[0, 0], [0, 11], [0, 12], [0, 17], [1, 3], [1, 8]].map(([l, c]) => made.findEntry(l, c).originalLine).join());`
	printed, _ := run(t, dir, "", "node", "-e", script)
	if got := strings.TrimSpace(printed); got != "0,0,1,2,3,4" {
		t.Errorf("lines %s", got)
	}
}

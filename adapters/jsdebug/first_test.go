//go:build linux

package jsdebug

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
	"aidb-mcp/internal/testkit/filetree"
)

const heapScript = `'use strict';
class Heap {
  constructor() {
    this.size = 0; // made
    this.list = [];
  }
  push(x) {
    this.list.push(x);
    this.size++;
  }
  pop() {
    const x = this.list[this.list.length - 1]; // last
    this.list.length--; // popped
    if (x !== 7) {
      this.size--;
    }
    return x;
  }
}
const half = (n) => n === 12 ? 5 : n >> 1; // halves
function whole(n) {
  if (n === 12)
    return 5; // wrong
  return n;
}
async function later(n) {
  await null;
  return whole(n); // waited for
}
function outer(h) {
  h.size = 9; // by who calls
  inner(h);
}
function inner(h) { // inner
  return h.size;
}
function* numbers(most) {
  let sum = 0;
  for (let i = 0; i < most; i++) {
    const back = yield i; // gets
    if (back) sum = -1; // sent
  }
}
function closures() {
  let total = 0;
  const add = (x) => { total += x; }; // adds
  [1, 2, 3].forEach((x) => add(x)); // all
  return total;
}
function heads() {
  let k = 0;
  while (k++ < 3) { // loops
    half(k);
  }
  for (; k < 9; k += 2) // steps
    half(k);
  return k;
}
function fails(o) {
  o.x = 1;
  check(o); // it raises
}
function check(o) {
  o.x = 5; if (o.x > 3) throw new Error('no');
}
function lastly(o) {
  try { return 1; } finally { o.y = 5; } // at last
}
function main() {
  const h = new Heap();
  for (let i = 0; i < 20; i++) { // counts
    h.push(i);
    if (i % 2 === 1) h.pop(); // pops
    half(i); whole(i);
  }
  outer(new Heap());
  const g = numbers(5);
  g.next(); g.next(); g.next(true);
  closures(); heads(); lastly({});
  try { fails({}); } catch {}
  return later(12);
}
main();
`

// moments are those of a run of a script.
func moments(t *testing.T, name, script string, first recording.First) ([]recording.Event, recording.Log) {
	t.Helper()
	return momentsAmong(t, map[string]string{}, name, script, first)
}

// momentsAmong are those of a run of a script beside other files.
func momentsAmong(t *testing.T, others map[string]string, name, script string, first recording.First) ([]recording.Event, recording.Log) {
	t.Helper()
	node, home := nodeIn(t)
	others[name] = script
	filetree.Write(t, home, others)
	for i, at := range first.Scope {
		if strings.HasPrefix(at, "//") {
			first.Scope[i] = fmt.Sprintf("%s:%d", filepath.Join(home, name), marked(t, script, at))
		}
	}
	dir, m := t.TempDir(), recorderOptions{Modules: strings.HasSuffix(name, ".mjs")}
	if err := unpackRecorder(dir, recording.Spec{Text: 100, Roots: []string{home}, First: &first}, m); err != nil {
		t.Fatal(err)
	}
	if printed, code := run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), name)...); code != 0 {
		t.Fatal(printed)
	}
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return recordingtest.Moments(log), log
}

// marked is the number of the line that ends in a mark, or that has a text.
func marked(t *testing.T, script, mark string) int {
	t.Helper()
	before, _, found := strings.Cut(script, mark)
	if !found {
		t.Fatalf("no %s in the script", mark)
	}
	return strings.Count(before, "\n") + 1
}

// The moment is that of the statement which made the condition hold, in whatever function
// can read it.
func TestFirstMoment(t *testing.T) {
	for name, c := range map[string]struct {
		first                      recording.First
		at, function, before, then string
		text                       string
	}{
		"by a statement": {recording.First{Condition: "this.size > this.list.length", Expressions: []string{"x", "nothing"}, Scope: []string{"Heap.pop"}},
			"// popped", "Heap.pop", "this.size=2 this.list.length=2", "this.size=2 this.list.length=1 x=1 nothing=not readable here", ""},
		"by a call": {recording.First{Condition: "h.size !== h.list.length", Scope: []string{"main"}},
			"// pops", "main", "h.size=5 h.list.length=5", "h.size=5 h.list.length=4", ""},
		"by what it calls": {recording.First{Condition: "half(h.size) > half(h.list.length)", Scope: []string{"main"}},
			"h.push(i)", "main", "", "half(h.size)=3 half(h.list.length)=2", ""},
		"by a result": {recording.First{Condition: "result !== n", Expressions: []string{"n"}, Scope: []string{"whole"}},
			"// wrong", "whole", "", "result=5 n=12 n=12", ""},
		"by the result of an expression": {recording.First{Condition: "result !== n >> 1", Scope: []string{"half"}},
			"// halves", "half", "", "result=5 n >> 1=6", ""},
		"by a result that is waited for": {recording.First{Condition: "result !== n", Scope: []string{"later"}},
			"// waited for", "later", "", "result=5 n=12", ""},
		"by who calls": {recording.First{Condition: "h.size === 9 && h.list.length === 0", Scope: []string{"inner"}},
			"// inner", "inner", "", "h.size=9 h.list.length=0", recording.Begun},
		"everywhere": {recording.First{Condition: "h.size === 9 && h.list.length === 0"},
			"// by who calls", "outer", "h.size=0 h.list.length=0", "h.size=9 h.list.length=0", ""},
		"at a place": {recording.First{Condition: "this.size < this.list.length + 1 && x === 3", Scope: []string{"// popped"}},
			"// last", "Heap.pop", "", "this.size=3 this.list.length + 1=4 x=3", ""},
		"at another place": {recording.First{Condition: "this.size < this.list.length", Scope: []string{"// popped"}},
			"", "", "", "", ""},
		"in a generator":      {recording.First{Condition: "sum < 0"}, "// sent", "numbers", "sum=0", "sum=-1", ""},
		"in a closure":        {recording.First{Condition: "total === 3", Expressions: []string{"x"}}, "// adds", "add", "total=1", "total=3 x=2", ""},
		"around closures":     {recording.First{Condition: "[1, 2].length && total === 6", Scope: []string{"closures"}}, "// adds", "add", "[1, 2].length=2 total=3", "", ""},
		"by a loop's head":    {recording.First{Condition: "k === 4", Scope: []string{"heads"}}, "// loops", "heads", "k=3", "k=4", ""},
		"by a loop's step":    {recording.First{Condition: "k === 8", Scope: []string{"heads"}}, "// steps", "heads", "k=6", "k=8", ""},
		"by what raises":      {recording.First{Condition: "o.x === 5", Scope: []string{"fails"}}, "// it raises", "fails", "o.x=1", "o.x=5", ""},
		"behind a return":     {recording.First{Condition: "o.y === 5"}, "// at last", "lastly", "o.y=undefined", "o.y=5", ""},
		"of a constructor's":  {recording.First{Condition: "this.size !== this.list?.length", Scope: []string{"Heap"}}, "", "", "", "", ""},
		"in a file":           {recording.First{Condition: "k === 8", Scope: []string{"app.cjs"}}, "// steps", "heads", "k=6", "k=8", ""},
		"of what is declared": {recording.First{Condition: "back", Scope: []string{"num*"}}, "// gets", "numbers", "", "back=true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.first.Limit = 1
			list, log := moments(t, "app.cjs", heapScript, c.first)
			if c.at == "" {
				if len(list) > 0 || log.Judged.Times == 0 || !log.Judged.Whole {
					t.Errorf("%+v, %+v", list, log.Judged)
				}
				return
			}
			if len(list) != 1 || !log.Judged.Whole || log.Judged.Times != list[0].Hit {
				t.Fatalf("%+v, %+v", log.Events, log.Judged)
			}
			m := list[0]
			if _, line := recording.FileLine(m.At); line != marked(t, heapScript, c.at) || m.Function != c.function || m.Text != c.text {
				t.Errorf("%s in %s %s", m.At, m.Function, m.Text)
			}
			if before := recordingtest.Shown(m.Names, m.Before()); before != c.before && c.before != "" {
				t.Errorf("before: %s", before)
			}
			if then := recordingtest.Shown(m.Names, m.Values); then != c.then && c.then != "" {
				t.Errorf("then: %s", then)
			}
			if len(m.Stack) == 0 && name != "by a result that is waited for" {
				t.Error("no callers")
			}
		})
	}
}

// A condition that never holds is judged to the end; one with nothing to read says so.
func TestFirstMomentThatNeverComes(t *testing.T) {
	list, log := moments(t, "app.cjs", heapScript, recording.First{Condition: "h.size < 0", Limit: 1})
	if len(list) > 0 || log.Judged.Times < 100 || log.Judged.Failed > 0 || !log.Judged.Whole {
		t.Errorf("%+v, %+v", list, log.Judged)
	}
	list, log = moments(t, "app.cjs", heapScript, recording.First{Condition: "this.list[3].x === 100", Scope: []string{"Heap.push"}, Limit: 1})
	remarks := 0
	for _, e := range log.Events {
		if e.Kind == recording.Remark && strings.HasPrefix(e.Text, "the condition could not be judged each time: TypeError: ") {
			remarks++
		}
	}
	if len(list) > 0 || remarks != 1 || log.Judged.Failed == 0 || log.Judged.Failed == log.Judged.Times {
		t.Errorf("%+v, %+v", log.Events, log.Judged)
	}
}

// It comes to hold anew each time that it did not hold before.
func TestMomentsAfterTheFirst(t *testing.T) {
	list, _ := moments(t, "app.cjs", heapScript, recording.First{Condition: "i % 5 === 4", Scope: []string{"main"}, Limit: 3})
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	for i, m := range list {
		if then := recordingtest.Shown(m.Names, m.Values); then != "i % 5=4" || !strings.HasSuffix(m.At, fmt.Sprint(":", marked(t, heapScript, "// counts"))) || m.Call != list[0].Call {
			t.Errorf("moment %d: %s at %s", i, then, m.At)
		}
	}
}

// What cannot be judged refuses the run, by the parameter that is wrong.
func TestFirstMomentRefused(t *testing.T) {
	for condition, want := range map[string]string{
		"nothing.size > 1": "condition the condition has a value nowhere in the scope: nothing means nothing there",
		"this.nothing > 1": "condition the condition has a value nowhere in the scope: this.nothing means nothing there",
		"h.size = 3":       "condition h.size = 3 assigns: the program would not do the same as without being recorded",
		"h.size >":         "condition h.size > is no expression of JavaScript: Unexpected token (1:8)",
		"h":                "scope nothing of what the program loaded is called mein; the nearest names are main, ",
	} {
		first := recording.First{Condition: condition, Limit: 1}
		if condition == "h" {
			first.Scope = []string{"mein"}
		}
		for _, name := range []string{"app.cjs", "app.mjs"} {
			var got []string
			_, log := moments(t, name, heapScript, first)
			for _, e := range log.Events {
				if e.Kind == recording.Refused || e.Kind == recording.Missing {
					got = append(got, e.Names[0]+" "+e.Text)
				}
			}
			if name == "app.mjs" && condition == "h" { // what was not looked at is in another thread
				want = "scope nothing of what the program loaded is called mein"
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], want) {
				t.Errorf("%s: %q", condition, got)
			}
		}
	}
}

// Names of modules are those that were written, whatever a compiler has made of them; what
// it has made by itself is not judged.
func TestFirstMomentOfWhatWasCompiled(t *testing.T) {
	const compiled = `"use strict";
const limits_1 = require("./limits.cjs");
exports.last = 0;
Object.defineProperty(exports, "most", { get() { return limits_1.limits.most; } });
function raise(by) {
    limits_1.limits.most = by; // raised
    exports.last = by; // kept
    return exports.last;
}
raise(1);
raise(7);
`
	lines := strings.Count(compiled, "\n")
	payload := fmt.Sprintf(`{"version":3,"sources":["app.ts"],"names":[],"mappings":"AAAA%s"}`, strings.Repeat(";AACA", lines-1))
	script := compiled + "//# sourceMappingURL=data:application/json;base64," + base64.StdEncoding.EncodeToString([]byte(payload))
	for condition, mark := range map[string]string{"limits.most > 3": "// raised", "last > limits.most - 1 && last > 3": "// kept"} {
		others := map[string]string{"limits.cjs": "exports.limits = { most: 2 };", "app.ts": compiled}
		list, log := momentsAmong(t, others, "app.cjs", script, recording.First{Condition: condition, Scope: []string{"app.ts"}, Limit: 9})
		if len(list) == 0 || log.Judged.Failed > 0 {
			t.Fatalf("%+v, %+v", log.Events, log.Judged)
		}
		m := list[0]
		if file, line := recording.FileLine(m.At); filepath.Base(file) != "app.ts" || line != marked(t, compiled, mark) || m.Function != "raise" || m.Text != "" {
			t.Errorf("%s: %+v", condition, m)
		}
	}
}

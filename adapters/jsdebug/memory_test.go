//go:build linux

package jsdebug

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// nodeIn is node, and a directory for what it runs, whose path has no links.
func nodeIn(t *testing.T) (node, home string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	if home, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return node, home
}

// recordedWrites runs a program of which all that is written is noted, and answers with what
// x was at each pass of the line that ends in "// asked".
func recordedWrites(t *testing.T, source string) ([]recording.Value, recording.Log) {
	t.Helper()
	node, home := nodeIn(t)
	app := filepath.Join(home, "app.cjs")
	if err := os.WriteFile(app, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	line := 1 + slices.IndexFunc(strings.Split(source, "\n"), func(l string) bool { return strings.HasSuffix(l, "// asked") })
	dir, m := t.TempDir(), recorderOptions{}
	w := recording.Spec{
		Text: 100, Roots: []string{home}, Writes: &recording.Writes{All: true}, Calls: &recording.Calls{Names: []string{"*"}},
		Values: []recording.Values{{File: app, Line: line, Expressions: []string{"x"}, Places: true}},
	}
	if err := unpackRecorder(dir, w, m); err != nil {
		t.Fatal(err)
	}
	if printed, code := run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), "app.cjs")...); code != 0 {
		t.Fatalf("it ended with %d: %s", code, printed)
	}
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var hits []recording.Value
	for _, e := range log.Events {
		switch e.Kind {
		case recording.Hit:
			hits = append(hits, e.Values[0])
		case recording.Remark:
			t.Error(e.Text)
		}
	}
	return hits, log
}

const look = "\nfunction look(x) {\n  return x; // asked\n}\n"

// The sum of what an object holds is another as soon as something has changed that, and
// stays the same whatever becomes of what that leads to.
func TestSumsTellWhatWasChanged(t *testing.T) {
	cases := map[string]struct {
		x, change string
		other     bool
	}{
		"an element":              {"[1, 2]", "x[1] = 3", true},
		"an element as text":      {"[1, 2]", "x[1] = '2'", true},
		"minus zero":              {"[0]", "x[0] = -0", true},
		"a fraction":              {"[0.1]", "x[0] += 0.2", true},
		"the order":               {"[1, 2]", "x.reverse()", true},
		"a hole":                  {"[undefined]", "delete x[0]", true},
		"the length":              {"[1, , ]", "x.length = 1", true},
		"nothing":                 {"[1, 'a', null, undefined, 2n, NaN]", "x[0] = 1", false},
		"inside an element":       {"[{a: 1}]", "x[0].a = 2", false},
		"an element that is like": {"[{a: 1}]", "x[0] = {a: 1}", true},
		"the end of a text":       {"['a'.repeat(5000)]", "x[0] = x[0].slice(0, -1) + 'b'", true},
		"a member":                {"({a: 1})", "x.a = 2", true},
		"a member more":           {"({a: 1})", "x.b = undefined", true},
		"of a class of its own":   {"new (class { constructor() { this.a = 1; } })()", "x.a = 2", true},
		"an entry":                {"new Map([[1, 2]])", "x.set(1, 3)", true},
		"a key":                   {"new Map([[1, 2]])", "x.delete(1), x.set('1', 2)", true},
		"of a set":                {"new Set([1])", "x.add(2)", true},
		"what a set has":          {"new Set([1])", "x.add(1)", false},
		"a byte":                  {"Buffer.from('abcdefg')", "x[6] = 0", true},
		"a number of many bytes":  {"new Float64Array(2)", "x[1] = 1", true},
		"a view of a buffer":      {"new DataView(new ArrayBuffer(8), 1)", "new Uint8Array(x.buffer)[7] = 1", true},
		"beside a view":           {"new DataView(new ArrayBuffer(8), 1)", "new Uint8Array(x.buffer)[0] = 1", false},
		"a buffer that is gone":   {"new Uint8Array(4)", "structuredClone(x.buffer, {transfer: [x.buffer]})", true},
		"what has a getter":       {"new (class extends Uint8Array { get buffer() { throw 1; } get byteLength() { throw 1; } })(4)", "x[0] = 1", true},
		"a time":                  {"new Date(0)", "x.setTime(1)", true},
		"an element of many":      {"Array.from({length: 100000}, (_, i) => i)", "x[50000] = 0", true},
	}
	names, source := slices.Sorted(maps.Keys(cases)), look
	for _, name := range names {
		source += fmt.Sprintf("{\nconst x = %s;\nlook(x);\n%s;\nlook(x);\n}\n", cases[name].x, cases[name].change)
	}
	hits, _ := recordedWrites(t, source)
	if len(hits) != 2*len(names) {
		t.Fatalf("%d hits of %d objects, each of which is looked at twice", len(hits), len(names))
	}
	for i, name := range names {
		before, after := hits[2*i], hits[2*i+1]
		if before.Memory() == "" || after.Memory() == "" || before.Same != after.Same {
			t.Errorf("%s was seen as %+v, then as %+v", name, before, after)
		}
		if other := before.Memory() != after.Memory(); other != cases[name].other {
			t.Errorf("%s: the sum is another: %t, of %s and %s", name, other, before.Text, after.Text)
		}
	}
	without := map[string]string{
		"a number": "5", "a function": "() => 1", "nothing": "null", "a proxy": "new Proxy([1], {get() { throw 1; }})",
		"what a library has made": "new (require('events'))()", "too many": "new Array(2000000)", "variables": "(function () { return arguments; })(1)",
	}
	names, source = slices.Sorted(maps.Keys(without)), look
	for _, name := range names {
		source += "look(" + without[name] + ");\n"
	}
	if hits, _ = recordedWrites(t, source); len(hits) != len(names) {
		t.Fatalf("%d hits of %d objects", len(hits), len(names))
	}
	for i, name := range names {
		if hits[i].Memory() != "" {
			t.Errorf("%s has a sum: %+v", name, hits[i])
		}
	}
}

// What is asked about comes with its parts that were noted as written to last, as they are
// then.
func TestPartsAreThoseThatWereWrittenLast(t *testing.T) {
	for name, c := range map[string]struct{ change, want string }{
		"none":                       {"", ""},
		"an element":                 {"x[0] = 9;", "[0]=9"},
		"one that was changed":       {"x[0] = 9; sorter.bind(x)();", "[0]=1 [1]=2 [2]=9"},
		"one that is not seen to be": {"x[0] = 9; setImmediate(sorter.bind(x));", "[0]=1"},
		"twice":                      {"x[0] = 9; x[1] = 8; x[0] = 7;", "[1]=8 [0]=7"},
		"behind the end":             {"x[2] = 9; x.length = 1;", "[length]=1"},
		"one that is gone":           {"x[2] = 9; delete x[2];", "[2]=undefined"},
		"all at once":                {"x[0] = 9; for (let i = 0; i < 30; i++) x.push(i); x.fill(0);", ""},
		"too many":                   {"for (let i = 0; i < 30; i++) x[i] = i;", "[22]=22 [23]=23 [24]=24 [25]=25 [26]=26 [27]=27 [28]=28 [29]=29"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hits, _ := recordedWrites(t, look+"const sorter = Array.prototype.sort;\nconst x = [3, 1, 2];\n"+c.change+"\nsetTimeout(() => look(x), 10);")
			var got []string
			for _, p := range hits[0].Parts() {
				got = append(got, strings.TrimPrefix(p.Place, hits[0].Same)+"="+p.Text)
				if p.Of != hits[0].Same {
					t.Errorf("%+v is no part of %s", p, hits[0].Same)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("the parts are %q, not %q", strings.Join(got, " "), c.want)
			}
		})
	}
}

// A write to a part of a small object comes with the sum of that as it has left it.
func TestWritesTellWhatIsAround(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		same   bool
	}{
		"the last":            {"const x = [1, 2];\nx[0] = 3;\nlook(x);", true},
		"of a class":          {"const x = new (class { set(a) { this.a = a; } })();\nx.set(2);\nlook(x);", true},
		"through its buffer":  {"const x = new Uint8Array(2), y = new Uint16Array(x.buffer);\nx[0] = 3;\ny[0] = 1027;\nlook(x);", false},
		"of a buffer of node": {"const x = Buffer.from('abc'), y = new DataView(x.buffer, x.byteOffset);\nx[0] = 3;\ny.setUint8(1, 5);\nlook(x);", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hits, log := recordedWrites(t, look+c.source)
			around := ""
			for _, e := range log.Events {
				if e.Kind == recording.Write && e.Values[1].Of == hits[0].Same {
					around = e.Values[1].Around()
				}
			}
			if around == "" || (around == hits[0].Memory()) != c.same {
				t.Errorf("the last write has left %q, and it is %q", around, hits[0].Memory())
			}
		})
	}
}

// What a statement's call has changed is noted at the statement, where nothing else has noted
// it, and only what has changed.
func TestWritesByWhatIsGivenAnObject(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"a function in a variable": {"const f = Array.prototype.sort, x = [2, 1, 3];\nf.call(x);", "app.cjs:6 [0] 1, app.cjs:6 [1] 2"},
		"a name worked out":        {"const k = 'pop', x = [2, 1];\nx[k]();", "app.cjs:6 [length] 1, app.cjs:6 [1] undefined"},
		"of what is no list":       {"const add = Set.prototype.add, x = new Set();\nadd.call(x, 1);", "app.cjs:6 [*] Set(1) {1}"},
		"of a view of a buffer":    {"const x = new DataView(new ArrayBuffer(2));\nx.setUint8(1, 9);", "app.cjs:6 [*] {}"},
		"what is there already":    {"const add = Set.prototype.add, x = new Set([1]);\nadd.call(x, 1);", ""},
		"of the program's own":     {"function f(o) {\n  o.a = 2;\n}\nconst x = {a: 1};\nf(x);", ""},
		"nothing":                  {"const x = [2, 1];\nJSON.stringify(x);", ""},
		"what is returned":         {"const g = Object.defineProperty;\nfunction f(x) {\n  return g(x, 'a', {value: 5});\n}\nf({a: 1});", "app.cjs:7 [a] 5"},
		"what is waited for":       {"const x = [2, 1], later = async (l) => { await null; l.sort.call(l); };\n(async () => {\n  await later(x);\n})();", "app.cjs:5 [0] 1, app.cjs:5 [1] 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, log := recordedWrites(t, look+c.source)
			var got []string
			for _, e := range log.Events {
				if e.Kind == recording.Write && e.Text == recording.Given {
					got = append(got, filepath.Base(e.At)+" "+e.Place[strings.IndexByte(e.Place, '['):]+" "+e.Values[1].Text)
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("these were noted: %q, not %q", strings.Join(got, ", "), c.want)
			}
		})
	}
}

// The place of a key that is worked out is found in what the statement has changed.
func TestWritesToKeysThatAreWorkedOut(t *testing.T) {
	for change, want := range map[string]string{
		"x[i + 1] = 9;":                    "[1] 9",
		"x[x.length] = 9;":                 "[length] 4, [3] 9",
		"x[i++] = 9;":                      "[0] 9",
		"x[x.length - 1]++;":               "[2] 3",
		"[x[i], x[i + 1]] = [8, 9];":       "[0] 8, [1] 9",
		"[x[i + 1], x[i + 2]] = [8, 9]":    "[1] 8, [2] 9",
		"delete x[i + 2];":                 "[2] undefined",
		"for (x[i + 1] of [7, 8]) {}":      "[*] (3) [3, 7, 2], [*] (3) [3, 8, 2]",
		"const y = x.pop();":               "[length] 2, [2] undefined",
		"x.length = 0; const y = x.pop();": "[length] 0",
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			_, log := recordedWrites(t, look+"let i = 0;\nconst x = [3, 1, 2];\n"+change)
			var got []string
			for _, e := range log.Events {
				if at := strings.IndexByte(e.Place, '['); e.Kind == recording.Write && at > 0 {
					got = append(got, e.Place[at:]+" "+e.Values[1].Text)
				}
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("these were noted: %q, not %q", strings.Join(got, ", "), want)
			}
		})
	}
}

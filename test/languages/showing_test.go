package languages

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// revealing is a program that notes in the file "ran" what of it runs while its
// values are shown.
type revealing struct {
	file, text  string
	line        int
	names       []string // of values to inspect
	atStop, all []string // what may run, at a stop and at any time
}

var showing = []revealing{
	{"values.py", `
def note(what): open("ran", "a").write(what + "\n")
class A:
    def __init__(self): self.v = 1
    def __repr__(self): note("__repr__"); return "A!"
    def __str__(self): note("__str__"); return "As"
    @property
    def prop(self): note("property"); return 1
    def __len__(self): note("__len__"); return 3
    def __iter__(self): note("__iter__"); return iter([1])
    def __bool__(self): note("__bool__"); return True
    def __eq__(self, other): note("__eq__"); return True
    def __hash__(self): note("__hash__"); return 1
    def __getattr__(self, name): note("__getattr__"); raise AttributeError(name)
class L(list):
    def __len__(self): note("__len__"); return 3
    def __repr__(self): note("__repr__"); return "L"
    def __iter__(self): note("__iter__"); return iter([1])
def look(a, l):
    return 1
look(A(), L([1, 2]))
`, 20, []string{"a", "l"}, []string{"__repr__", "__len__", "__iter__"}, []string{"__repr__", "__len__", "__iter__"}},
	{"values.js", `
const fs = require("fs"); const note = what => fs.appendFileSync("ran", what + "\n")
class A {
  constructor() { this.v = 1 }
  toString() { note("toString"); return "A!" }
  get prop() { note("getter"); return 1 }
  [Symbol.for("nodejs.util.inspect.custom")]() { note("inspect.custom"); return "x" }
  toJSON() { note("toJSON"); return 1 }
  valueOf() { note("valueOf"); return 1 }
  *[Symbol.iterator]() { note("iterator"); yield 1 }
}
class B { toString() { note("toString"); return "B!" } }
const p = new Proxy({ v: 1 }, { get(of, key) { note("trap"); return of[key] } })
function look(a, b, p) {
  return 1
}
look(new A(), new B(), p)
`, 15, []string{"a", "b", "p"}, nil, []string{"toString", "getter", "inspect.custom", "trap"}},
	{"Values.java", `
import java.nio.file.*;
class Values {
  static void note(String what) { try { Files.writeString(Path.of("ran"), what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND); } catch (Exception e) { } }
  static class A { int v = 1; public String toString() { note("toString"); return "A!"; } public int hashCode() { note("hashCode"); return 1; } }
  static class L extends java.util.AbstractList<Integer> { public int size() { note("size"); return 2; } public Integer get(int i) { note("get"); return i; } }
  static int look(A a, L l) {
    return 1;
  }
  public static void main(String[] s) { look(new A(), new L()); }
}
`, 8, []string{"a", "l"}, nil, nil},
	{"values.cpp", `
#include <cstdio>
static void note(const char *what) { FILE *f = fopen("ran", "a"); fprintf(f, "%s\n", what); fclose(f); }
struct A { int v = 1; operator int() const { note("operator"); return 1; } int size() const { note("size"); return 1; } int *begin() const { note("begin"); return nullptr; } };
static int look(A a) {
  return a.v;
}
int main() { return look(A()) + A().size(); }
`, 6, []string{"a"}, nil, nil},
	{"values.go", `package main
import "os"
func note(what string) { f, _ := os.OpenFile("ran", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); f.WriteString(what + "\n"); f.Close() }
type A struct{ v int }
func (A) String() string { note("String"); return "A!" }
func (A) Error() string { note("Error"); return "A!" }
func look(a A, e error) int {
	return 1
}
func main() { look(A{1}, A{2}) }
`, 8, []string{"a", "e"}, nil, nil},
}

// Of a program nothing runs when its values are shown but what docs/security.md
// names.
func TestWhatShowingRuns(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, c := range showing {
		t.Run(filepath.Ext(c.file), func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "")
			p.Write(c.file, c.text)
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			s.OK("session_start", A{"target": c.file, "cwd": p.Dir, "timeout_ms": startLimit, "breakpoints": []A{{"file": c.file, "line": c.line}}}).Has("data", "code")
			ran := whatRan(t, p.Dir)
			if odd := slices.DeleteFunc(slices.Clone(ran), func(what string) bool { return slices.Contains(c.atStop, what) }); len(odd) > 0 {
				t.Errorf("at the stop ran %v", odd)
			}
			for _, name := range c.names {
				s.OK("inspect", A{"expression": name, "depth": 2})
			}
			s.OK("inspect", A{"target": "all", "depth": 3})
			ran = slices.Concat(ran, whatRan(t, p.Dir))
			for _, what := range ran {
				if !slices.Contains(c.all, what) {
					t.Errorf("%s ran", what)
				}
			}
			for _, what := range c.all {
				if !slices.Contains(ran, what) {
					t.Errorf("%s does not run any more: tell so in docs/security.md", what)
				}
			}
			s.OK("session", A{"action": "stop"})
		})
	}
}

// whatRan takes away the notes of a program.
func whatRan(t *testing.T, dir string) []string {
	t.Helper()
	file := filepath.Join(dir, "ran")
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	notes := strings.Fields(string(text))
	slices.Sort(notes)
	return slices.Compact(notes)
}

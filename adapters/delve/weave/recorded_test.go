package weave

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit/filetree"
)

// run builds a program of one file with the recorder in it, as a test where its name says
// so, and answers with what was noted and printed.
func run(t *testing.T, name, text string, spec recording.Spec) (recording.Log, string) {
	t.Helper()
	dir := t.TempDir()
	filetree.Write(t, dir, map[string]string{"go.mod": "module example.com/kept\n\ngo 1.22\n", name: text})
	if spec.Values != nil {
		spec.Values[0].File = filepath.Join(dir, name)
	}
	if spec.Writes != nil {
		spec.Writes.File = filepath.Join(dir, name)
	}
	tests := strings.HasSuffix(name, "_test.go")
	from := Program{Dir: dir, Args: []string{"."}, Env: os.Environ(), Tests: tests, Spec: spec}
	made, err := Weave(t.Context(), from, t.TempDir())
	if err != nil || len(made.Remarks) > 0 {
		t.Fatal(err, made)
	}
	records, program := t.TempDir(), filepath.Join(t.TempDir(), "program")
	command := []string{"build"}
	if tests {
		command = []string{"test", "-c", "-vet=off"}
	}
	build := exec.Command("go", append(command, "-overlay="+made.Overlay, "-o", program, ".")...)
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	if thin := Thin(from.Spec); thin != nil {
		if err := os.WriteFile(filepath.Join(records, recording.Thinned), thin, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(program)
	c.Env = append(os.Environ(), recording.Variable+"="+records)
	printed, _ := c.CombinedOutput() // how it ends is what is asked
	log, err := recording.Read(records)
	if err != nil {
		t.Fatal(err)
	}
	return log, string(printed)
}

// lineOf is the number of the line that has a text in it.
func lineOf(t *testing.T, text, part string) int {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, part) {
			return i + 1
		}
	}
	t.Fatalf("no line has %q", part)
	return 0
}

const valuesProgram = `package main

import (
	"fmt"
	"io/fs"
)

type mine struct{}

func (*mine) Error() string { fmt.Println("asked"); return "mine" }

type node struct {
	next  *node
	name  string
	table map[string]int
	many  []int
}

func made(keys ...string) *node {
	n := &node{name: "n", table: map[string]int{}, many: make([]int, 200)}
	n.next = n
	for _, k := range keys {
		n.table[k] = len(k)
	}
	return n
}

func look(v any) int {
	return 1 // here
}

func nothing() error { var m *mine; return m }

func main() {
	look(made("a", "bb", "ccc"))
	look(made("ccc", "bb", "a"))
	other := made("a", "bb", "ccc")
	other.many[199] = 1
	look(other)
	look(nothing())
	look(&mine{})
	look(&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist})
	look(&fs.PathError{Op: "open", Path: "/x", Err: &mine{}})
	look(int64(5))
	look(5)
	look(make([]byte, 2<<20))
}
`

func TestValuesAreWhole(t *testing.T) {
	log, printed := run(t, "main.go", valuesProgram, recording.Spec{Values: []recording.Values{{Line: lineOf(t, valuesProgram, "// here"), Expressions: []string{"v"}}}})
	var seen []recording.Value
	for _, e := range log.Events {
		if e.Kind == recording.Hit {
			seen = append(seen, e.Values[0])
		}
	}
	if len(seen) != 10 {
		t.Fatalf("%d values: %+v", len(seen), seen)
	}
	for _, c := range []struct {
		a, b int
		want recording.Equality
		why  string
	}{
		{0, 1, recording.Equal, "a map has no order"},
		{0, 2, recording.Different, "the last element of many"},
		{7, 8, recording.Different, "an int64 is no int"},
		{9, 9, recording.NotCompared, "2 MiB are not read"},
	} {
		if got := recording.Compare(seen[c.a], seen[c.b]); got != c.want {
			t.Errorf("%s: %v, want %v\n%+v\n%+v", c.why, got, c.want, seen[c.a], seen[c.b])
		}
	}
	if want := "interface {}(*main.mine) nil"; seen[3].Text != want {
		t.Errorf("a nil of a type is %s, want %s", seen[3].Text, want)
	}
	if strings.Contains(printed, "asked") {
		t.Error("a method of the program was called")
	}
}

const errorsProgram = `package main

import (
	"errors"
	"fmt"
	"io/fs"
)

type mine struct{ n int }

func (*mine) Error() string { fmt.Println("asked"); return "mine" }

func look(err error) int {
	return 1 // here
}

func main() {
	var none *mine
	look(nil)
	look(none)
	look(&mine{3})
	look(errors.New("boom"))
	look(fmt.Errorf("more: %w", errors.New("boom")))
	look(&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist})
	look(&fs.PathError{Op: "open", Path: "/x", Err: &mine{4}})
}
`

// An error of the standard library is what it says; one of the program's is not asked.
func TestErrors(t *testing.T) {
	log, printed := run(t, "main.go", errorsProgram, recording.Spec{Values: []recording.Values{{Line: lineOf(t, errorsProgram, "// here"), Expressions: []string{"err"}}}})
	var texts []string
	for _, e := range log.Events {
		if e.Kind == recording.Hit {
			texts = append(texts, e.Values[0].Text)
		}
	}
	want := []string{
		"nil", "error(*main.mine) nil", "*{n: 3}", `error(*errors.errorString) "boom"`, `error(*fmt.wrapError) "more: boom"`,
		`error(*fs.PathError) "open /x: file does not exist"`, `*{Op: "open", Path: "/x", Err: error(*main.mine) *{n: 4}}`,
	}
	if !slices.Equal(texts, want) || strings.Contains(printed, "asked") {
		t.Errorf("the errors are\n%s\nwant\n%s\nprinted %q", strings.Join(texts, "\n"), strings.Join(want, "\n"), printed)
	}
}

// failures are the failures of a run, each in a line: how, in which test, where, with what.
func failures(log recording.Log) (list []string) {
	for _, e := range log.Events {
		if e.Kind != recording.Failed {
			continue
		}
		value := ""
		if len(e.Values) > 0 {
			value = e.Values[0].Text
		}
		list = append(list, strings.Join([]string{e.Text, e.Test(), filepath.Base(e.At), value}, "|"))
	}
	return list
}

var everyCall = recording.Spec{Calls: &recording.Calls{Names: []string{"*"}}}

func TestHowRunsEnd(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"panic":     {`var m map[string]int; m["a"] = 1 // at`, "uncaught||main.go:@|assignment to entry in nil map"},
		"goroutine": {`go func() { panic("x") }() // at` + "\nselect {}", "uncaught||main.go:@|\"x\""},
		"named":     {"go broken(0)\nselect {}", "uncaught||main.go:9|runtime error: integer divide by zero"},
		"exit":      {"os.Exit(4) // at", "exited||main.go:@|4"},
		"fatal":     {`log.Fatalf("no %d", 1) // at`, "exited||main.go:@|1"},
		"recovered": {`defer func() { recover(); os.Exit(0) }()` + "\nbroken(0)", ""},
		"passed on": {`defer func() { recover() }()` + "\ngo func() { defer func() { recover() }(); broken(0) }()\nbroken(0)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := "package main\n\nimport (\n\t\"log\"\n\t\"os\"\n)\n\nfunc broken(n int) int {\n\treturn 1 / n\n}\n\nvar _, _ = log.Println, os.Exit\n\nfunc main() {\n" + c.body + "\n}\n"
			want := c.want
			if before, after, marked := strings.Cut(want, "@"); marked {
				want = before + strconv.Itoa(lineOf(t, text, "// at")) + after
			}
			log, printed := run(t, "main.go", text, everyCall)
			if got := strings.Join(failures(log), "\n"); got != want {
				t.Errorf("noted %q, want %q\n%s", got, want, printed)
			}
		})
	}
}

const failingTests = `package kept

import (
	"sync"
	"testing"
)

func check(t *testing.T, n int) {
	t.Helper()
	if n > 1 {
		t.Errorf("got %d", n) // check
	}
}

func TestMany(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			check(t, len(name)-1)
		})
	}
	t.Run("other", func(t *testing.T) {
		var g sync.WaitGroup
		g.Add(1)
		go func() { defer g.Done(); t.Fail() }() // fail
		g.Wait()
	})
	t.Run("passes", func(*testing.T) {})
}

func TestPanics(t *testing.T) {
	t.Run("deep", func(t *testing.T) {
		var p *int
		*p = 1 // panic
	})
}
`

func TestWhichTestsFail(t *testing.T) {
	log, printed := run(t, "kept_test.go", failingTests, everyCall)
	at := func(part string) string { return "kept_test.go:" + strconv.Itoa(lineOf(t, failingTests, part)) }
	want := []string{
		"expected|TestMany/one|" + at("// check") + "|TestMany/one: got 2", "expected|TestMany/two|" + at("// check") + "|TestMany/two: got 2", "expected|TestMany/other|" + at("// fail") + "|",
		"uncaught|TestPanics/deep|" + at("// panic") + "|runtime error: invalid memory address or nil pointer dereference",
	}
	if got := failures(log); !slices.Equal(got, want) {
		t.Errorf("noted\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), printed)
	}
}

const pointersProgram = `package main

type box struct {
	level int
	table map[string]int
}

var limit, other = 5, 6
var kept = box{table: map[string]int{"a": 1}}

func cut(p *int) { *p -= 2 }

func (b *box) raise() { b.level++ }

func shadow() int {
	limit := 1
	limit++
	return limit
}

func main() {
	cut(&limit)
	cut(&other)
	shadow()
	kept.raise()
	kept.table["b"] = 2
	delete(kept.table, "a")
	println(limit, kept.level) // here
}
`

// What is written through a pointer is written, and what else it leads to is not.
func TestWritesThroughPointers(t *testing.T) {
	here := lineOf(t, pointersProgram, "// here")
	for expression, want := range map[string][]string{
		"limit":      {"5 3"},
		"kept.level": {"0 1"},
		"kept.table": {`["a": 1] ["a": 1, "b": 2]`, `["a": 1, "b": 2] ["b": 2]`},
	} {
		log, _ := run(t, "main.go", pointersProgram, recording.Spec{Writes: &recording.Writes{Expression: expression, Line: here}})
		var got []string
		for _, e := range log.Events {
			if e.Kind == recording.Write {
				got = append(got, e.Values[0].Text+" "+e.Values[1].Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the writes to %s are %q, want %q", expression, got, want)
		}
	}
}

const deferringProgram = `package main

func count(p *int) (n int) {
	x := 1
	defer func() {
		x *= 10
		n += x // add
	}()
	*p = 7 // through
	return x // back
}

func main() {
	i := 2
	println(count(&i), i)
}
`

// What deferred functions write is told of their own lines.
func TestLinesOfDeferredFunctions(t *testing.T) {
	log, _ := run(t, "main.go", deferringProgram, recording.Spec{Lines: &recording.Lines{Function: "main.count", Call: 1}})
	var got []string
	for _, e := range log.Events {
		if e.Kind == recording.Line {
			row := filepath.Base(e.At)
			for i, name := range e.Names {
				row += " " + name + "=" + e.Values[i].Text
			}
			got = append(got, row)
		}
	}
	at := func(part string) string { return "main.go:" + strconv.Itoa(lineOf(t, deferringProgram, part)) }
	want := []string{"main.go:4 x=1", "main.go:5", at("// through") + " p=7", at("// back") + " n=1", at("x *= 10") + " x=10", at("// add") + " n=11"}
	if !slices.Equal(got, want) {
		t.Errorf("the lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

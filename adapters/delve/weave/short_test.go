package weave

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const shortProgram = `package main

import (
	"fmt"
	"runtime"
)

type shape interface{ area(scale int) int }

type square struct{ side int }

func (s *square) area(scale int) int { return s.side * s.side * scale }

type list[T any] struct{ all []T }

func (l *list[T]) push(x T) { l.all = append(l.all, x) }

func sum(first int, more ...int) (total, n int) { return first + len(more), len(more) }

func twice(step int) int {
	n := half(step)
	return n * 4
}

func half(n int) int { return n / 2 }

func where() (line int) { _, _, line, _ = runtime.Caller(1); return }

func safe(f func()) (caught any) {
	defer caughtBy(&caught)
	f()
	return nil
}

func caughtBy(to *any) { *to = recover() }

func fall(n int) int { return 1 / n }

func falls(n int) int { return fall(n) }

func main() {
	var s shape = &square{side: 3}
	l := &list[int]{}
	for i := 0; i < 100; i++ {
		l.push(s.area(i))
		sum(twice(i), i, i)
	}
	fmt.Println(where(), safe(func() { panic("caught") }), len(l.all)) // asked
	falls(0)
}
`

// The calls of short functions are noted in copies of them, of which nobody is told, until the functions
// are left alone.
func TestCallsOfShortFunctions(t *testing.T) {
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 5, Leave: 50}}}
	log, printed := run(t, "main.go", shortProgram, spec)
	if want := "37 caught 100\n"; !strings.HasPrefix(printed, strings.Replace(want, "37", strconv.Itoa(lineOf(t, shortProgram, "// asked")), 1)) {
		t.Errorf("it printed %s", printed)
	}
	calls := recordingtest.Entered(log)
	for name, want := range map[string]struct{ from, values string }{
		"main.(*square).area": {"main.main", "l,4"},
		"main.(*list).push":   {"main.main", ""},
		"main.sum":            {"main.main", ""},
		"main.half":           {"main.twice", "4"},
		"main.twice":          {"main.main", "4"},
	} {
		list := calls[name]
		if len(list) != 5 {
			t.Errorf("%d calls of %s were noted, of %d functions", len(list), name, len(calls))
			continue
		}
		last := list[4]
		if len(last.Stack) != 1 || !strings.HasPrefix(last.Stack[0], want.from+" ") {
			t.Errorf("%s was called from %v", name, last.Stack)
		}
		if n := len(last.Values); want.values == "4" && (n != 1 || last.Values[0].Text != "4") {
			t.Errorf("%s was called with %+v", name, last.Values)
		}
	}
	var left []string
	for _, e := range log.Events {
		switch e.Kind {
		case recording.Unwatched:
			left = append(left, e.Function)
		case recording.Failed:
			if len(e.Stack) != 3 || !strings.HasPrefix(e.Stack[0], "main.fall ") || !strings.HasPrefix(e.Stack[1], "main.falls ") || !strings.HasPrefix(e.Stack[2], "main.main ") {
				t.Errorf("it failed in %v", e.Stack)
			}
		}
		if strings.Contains(e.Function+strings.Join(e.Stack, " "), "aidb_") {
			t.Errorf("a copy is told of: %+v", e)
		}
	}
	slices.Sort(left)
	if !slices.Contains(left, "main.half") || !slices.Contains(left, "main.(*square).area") {
		t.Errorf("left alone are %v", left)
	}
}

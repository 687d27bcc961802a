package weave

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const heapProgram = `package main

import "fmt"

type heap struct {
	list []int
	size int
}

func (h *heap) push(x int) {
	h.list = append(h.list, x)
	h.size++
}

func (h *heap) pop() (x int) {
	x = h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1] // popped
	if x != 7 {
		h.size-- // counted
	}
	return x
}

func half(n int) int {
	if n == 12 {
		return 5 // wrong
	}
	return n / 2
}

func outer(h *heap) {
	h.size = 9 // by who calls
	inner(h)
}

func inner(h *heap) {
	fmt.Println(h.size)
}

func main() {
	h := &heap{}
	for i := 0; i < 20; i++ {
		h.push(i)
		if i%2 == 1 {
			h.pop()
		}
		half(i)
	}
	outer(&heap{})
}
`

// moments are those of a run of the program.
func moments(t *testing.T, spec recording.First) ([]recording.Event, recording.Log) {
	t.Helper()
	log, printed := run(t, "main.go", heapProgram, recording.Spec{First: &spec})
	if strings.Contains(printed, "panic") {
		t.Fatal(printed)
	}
	return recordingtest.Moments(log), log
}

// The moment is that of the statement which made the condition hold, in whatever function
// can read it.
func TestFirstMoment(t *testing.T) {
	for name, c := range map[string]struct {
		spec                       recording.First
		at, function, before, then string
		text                       string
	}{
		"by a statement": {recording.First{Condition: "h.size > len(h.list)", Expressions: []string{"x", "nothing"}, Limit: 1, Scope: []string{"main.(*heap).pop"}},
			"h.list = h.list[:len(h.list)-1]", "main.(*heap).pop", "h.size=2 len(h.list)=2", "h.size=2 len(h.list)=1 x=1 nothing=not readable here", ""},
		"by a call": {recording.First{Condition: "h.size != len(h.list)", Limit: 1, Scope: []string{"main.main"}},
			"h.pop()", "main.main", "h.size=5 len(h.list)=5", "", ""},
		"by a result": {recording.First{Condition: "result != n/2", Expressions: []string{"n"}, Limit: 1, Scope: []string{"half"}},
			"return 5", "main.half", "", "result=5 n / 2=6 n=12", ""},
		"by who calls": {recording.First{Condition: "h.size == 9 && len(h.list) == 0", Limit: 1, Scope: []string{"inner"}},
			"func inner", "main.inner", "", "h.size=9 len(h.list)=0", recording.Begun},
		"everywhere": {recording.First{Condition: "h.size == 9 && len(h.list) == 0", Limit: 1},
			"h.size = 9", "main.outer", "h.size=0 len(h.list)=0", "h.size=9 len(h.list)=0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			list, log := moments(t, c.spec)
			if len(list) != 1 || !log.Judged.Whole || log.Judged.Times != list[0].Hit {
				t.Fatalf("%d moments, %+v", len(list), log.Judged)
			}
			m := list[0]
			if _, line := recording.FileLine(m.At); line != lineOf(t, heapProgram, c.at) || m.Function != c.function || m.Text != c.text {
				t.Errorf("%s in %s %s", m.At, m.Function, m.Text)
			}
			if before := recordingtest.Shown(m.Names, m.Before()); c.before != "" && before != c.before {
				t.Errorf("before: %s", before)
			}
			if then := recordingtest.Shown(m.Names, m.Values); c.then != "" && then != c.then {
				t.Errorf("then: %s", then)
			}
			if len(m.Stack) == 0 && m.Function != "main.main" {
				t.Error("no callers")
			}
		})
	}
}

// A condition that never holds is judged to the end; one with nothing to read there says so.
func TestFirstMomentThatNeverComes(t *testing.T) {
	list, log := moments(t, recording.First{Condition: "h.size < 0", Limit: 1})
	if len(list) > 0 || log.Judged.Times < 100 || log.Judged.Failed > 0 {
		t.Errorf("%d moments, %+v", len(list), log.Judged)
	}
	list, log = moments(t, recording.First{Condition: "h.list[3] == 100", Limit: 1, Scope: []string{"push"}})
	if len(list) > 0 || log.Judged.Failed == 0 || log.Judged.Failed == log.Judged.Times {
		t.Errorf("%d moments, %+v", len(list), log.Judged)
	}
}

// It comes to hold anew each time that it did not hold before.
func TestMomentsAfterTheFirst(t *testing.T) {
	list, _ := moments(t, recording.First{Condition: "i%5 == 4", Limit: 3, Scope: []string{"main.main"}})
	if len(list) != 3 {
		t.Fatalf("%d moments", len(list))
	}
	for i, m := range list {
		if then := recordingtest.Shown(m.Names, m.Values); !strings.HasSuffix(then, "=4") || !strings.HasSuffix(m.At, fmt.Sprint(":", lineOf(t, heapProgram, "for i := 0"))) {
			t.Errorf("moment %d: %s at %s", i, then, m.At)
		}
	}
}

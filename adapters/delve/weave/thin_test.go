package weave

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const oftenProgram = `package main

type sum struct{ total int }

func (s *sum) add(n int) int { s.total += n; return s.total }

func half(n int) (result, rest int) { return n / 2, n % 2 }

func once(name string) string { return name + "!" }

func main() {
	s := &sum{}
	for i := 0; i < 100_000; i++ {
		h, _ := half(i)
		s.add(h)
	}
	panic(once("over"))
}
`

func TestCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10}}}
	log, _ := run(t, "main.go", oftenProgram, spec)
	counts, calls := recordingtest.Counted(log), recordingtest.Entered(log)
	if len(calls["main.half"]) != 10 || len(calls["main.once"]) != 1 || len(counts) != 2 {
		t.Fatalf("%d and %d calls were noted, %+v counted", len(calls["main.half"]), len(calls["main.once"]), counts)
	}
	for function, e := range counts {
		if e.Hit != 100_000 {
			t.Errorf("%s was called %d times", function, e.Hit)
		}
	}
	spec.Calls.Thin.After, spec.Calls.Thin.Last = recordingtest.After(counts, 4), 4
	log, _ = run(t, "main.go", oftenProgram, spec)
	last := recordingtest.Entered(log)["main.half"]
	if len(last) != 4 || last[3].Values[0].Text != "99999" {
		t.Fatalf("the last calls are %+v", last)
	}
	var results []string
	for _, e := range log.Events {
		if e.Kind == recording.Leave && e.Call == last[3].Call {
			for _, v := range e.Values {
				results = append(results, v.Text)
			}
		}
	}
	if len(results) != 2 || results[0] != "49999" || results[1] != "1" {
		t.Errorf("half(99999) is %v", results)
	}
	if n := recordingtest.Counted(log)["main.half"].Hit; n != 100_000 {
		t.Errorf("the second run has counted %d", n)
	}
	if n := len(recordingtest.Entered(log)["main.once"]); n != 1 {
		t.Errorf("%d calls of what is called once", n)
	}
}

const hottestProgram = `package main

func hot(n int) int { return n + 1 }

func warm(n int) int { return n + 1 }

func main() {
	total := 0
	for i := 0; i < 2_000_000; i++ {
		total = hot(total)
		if i%2 == 0 {
			total = warm(total)
		}
	}
	panic(total)
}
`

// What is called so often that even to count it costs too much is left alone, and told.
func TestTheHottestFunctionsAreLeftAlone(t *testing.T) {
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Leave: 1_500_000}}}
	log, _ := run(t, "main.go", hottestProgram, spec)
	calls, counts := recordingtest.Entered(log), recordingtest.Counted(log)
	var left []recording.Event
	for _, e := range log.Events {
		if e.Kind == recording.Unwatched {
			left = append(left, e)
		}
	}
	if len(left) != 1 || left[0].Function != "main.hot" || left[0].Hit != 10 || len(calls["main.hot"]) != 10 {
		t.Errorf("%+v were left alone; of hot %d calls are noted", left, len(calls["main.hot"]))
	}
	if counts["main.hot"].Hit != 10 || counts["main.warm"].Hit != 1_000_000 {
		t.Errorf("counted are %+v", counts)
	}
}

const movedProgram = `package main

import (
	"os"
	"runtime/debug"
)

type node struct {
	next *node
	deep [8]int
	text string
}

type pair struct {
	first, second *node
	err           error
}

func link(n *node, text string) (p pair) { other := node{next: n, text: text}; return pair{n, &other, nil} }

func (n *node) count(left int, room [64]int) int {
	if left == 0 {
		return room[3]
	}
	here := node{next: n, text: "here"}
	return here.count(left-1, room) + len(here.text)
}

func named(n *node) (first, second *node, text string) { first, second, text = n, n.next, n.text; return }

func grow(left int, room [64]int) int {
	if left == 0 {
		return room[3]
	}
	return grow(left-1, room)
}

func alone(rounds int) (total int) {
	own := node{text: "own"}
	get := func() *node { return &own }
	for i := 0; i < rounds; i++ {
		total += len(get().text) + grow(rounds-i, [64]int{3: 1})
	}
	return total
}

func main() {
	debug.SetGCPercent(1)
	total := 0
	for i := 0; i < 20; i++ {
		done := make(chan int)
		go func() { done <- alone(60) }()
		total += <-done
	}
	start := node{text: "start"}
	for i := 0; i < 1000; i++ {
		p := link(&start, "linked")
		_, next, text := named(p.second)
		total += len(text) + next.count(i%60, [64]int{3: 1})
	}
	os.Exit(total % 7)
}
`

// What is noted may have lain on a stack that has moved since.
func TestStacksMoveUnderWhatIsNoted(t *testing.T) {
	log, printed := run(t, "main.go", movedProgram, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 600, Last: 4}}})
	if strings.Contains(printed, "goroutine") || len(recordingtest.Entered(log)["main.link"]) != 600 || recordingtest.Counted(log)["main.link"].Hit != 1000 {
		t.Errorf("%d calls were noted, %+v counted; it printed %s", len(recordingtest.Entered(log)["main.link"]), recordingtest.Counted(log), printed)
	}
}

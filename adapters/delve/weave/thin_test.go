package weave

import (
	"testing"

	"aidb-mcp/internal/recording"
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

// counted are the counts that a log tells last, by function.
func counted(log recording.Log) map[string]recording.Event {
	last := map[string]recording.Event{}
	for _, e := range log.Events {
		if e.Kind == recording.Counted {
			last[e.Function] = e
		}
	}
	return last
}

// entered are the calls of each function that were noted.
func entered(log recording.Log) map[string][]recording.Event {
	calls := map[string][]recording.Event{}
	for _, e := range log.Events {
		if e.Kind == recording.Enter {
			calls[e.Function] = append(calls[e.Function], e)
		}
	}
	return calls
}

func TestCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	wish := recording.Wish{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
	log, _ := run(t, "main.go", oftenProgram, wish)
	counts, calls := counted(log), entered(log)
	if len(calls["main.half"]) != 10 || len(calls["main.once"]) != 1 || len(counts) != 2 {
		t.Fatalf("%d and %d calls were noted, %+v counted", len(calls["main.half"]), len(calls["main.once"]), counts)
	}
	wish.Calls.Thin.After = map[string]int64{}
	for function, e := range counts {
		if e.Hit != 100_000 {
			t.Errorf("%s was called %d times", function, e.Hit)
		}
		wish.Calls.Thin.After[e.Place] = e.Hit - 4
	}
	log, _ = run(t, "main.go", oftenProgram, wish)
	last := entered(log)["main.half"]
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
	if n := counted(log)["main.half"].Hit; n != 100_000 {
		t.Errorf("the second run has counted %d", n)
	}
	if n := len(entered(log)["main.once"]); n != 1 {
		t.Errorf("%d calls of what is called once", n)
	}
}

package trace

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session"
)

// change is a value that was noted, and at which judgement.
type change struct {
	value  string
	judged int64
}

func changing(exit *process.ExitStatus, judged int64, changes ...change) run {
	r := run{Recording: &session.Recording{Exit: exit}, rel: func(at string) string { return at }}
	for i, c := range changes {
		r.Log.Events = append(r.Log.Events, recording.Event{
			Kind: recording.Changed, Seq: int64(i + 1), At: "a:1", Hit: c.judged, Names: []string{"x"}, Values: []recording.Value{{Text: c.value}},
		})
	}
	r.Log.Total, r.Log.Judged = int64(len(changes)), recording.Judged{Times: judged, Whole: true}
	return r
}

// Two runs agree on an expression only where each of its values is the same, all were
// noted, and both ended alike; what a function returned counts each time.
func TestWhereAnExpressionPartsTwoRuns(t *testing.T) {
	ok, failed := &process.ExitStatus{}, &process.ExitStatus{Code: 1}
	one := changing(ok, 9, change{"1", 1}, change{"2", 5})
	dropping := one
	dropping.Recording = &session.Recording{Exit: ok, Log: one.Log}
	dropping.Log.Total, dropping.Log.Dropped = 7, 5
	lost := changing(ok, 9, change{"1", 1}, change{"2", 5})
	lost.Log.Judged.Whole = false
	seen := changing(ok, 9, change{"1", 1}, change{"2", 5})
	for i := range seen.Log.Events {
		seen.Log.Events[i].Detail = &recording.Detail{Seen: "a:2"}
	}
	cut := changing(ok, 9, change{"1", 1}, change{"2", 5}, change{"3", 7})
	cut.Log.Events[1].Values = []recording.Value{{Text: "2", Cut: true}} // it may have changed since, and look the same
	gone := changing(ok, 9, change{"", 1})
	gone.Log.Events[0].Values = []recording.Value{{Error: "no x"}}
	threads := changing(ok, 9, change{"1", 1}, change{"2", 5})
	threads.Log.Events[1].Thread = "worker"
	for name, c := range map[string]struct {
		condition     string
		ours, theirs  run
		same, differs bool
		sides         [2]int64 // the judgements at which they part; 0: none
		gaps          int
	}{
		"the same":                      {"x", one, one, true, false, [2]int64{}, 0},
		"looked at more often":          {"x", one, changing(ok, 20, change{"1", 4}, change{"2", 11}), true, false, [2]int64{}, 0},
		"another value":                 {"x", one, changing(ok, 9, change{"1", 1}, change{"3", 6}), false, true, [2]int64{5, 6}, 0},
		"no further value":              {"x", one, changing(ok, 9, change{"1", 1}), false, true, [2]int64{5, 0}, 0},
		"no further value of a cut run": {"x", one, changing(nil, 9, change{"1", 1}), false, false, [2]int64{}, 1},
		"another end":                   {"x", one, changing(failed, 9, change{"1", 1}, change{"2", 5}), false, true, [2]int64{}, 0},
		"what was dropped":              {"x", dropping, one, false, false, [2]int64{}, 1},
		"not looked at until the end":   {"x", lost, one, false, false, [2]int64{}, 1},
		"not all is known of it":        {"x", cut, changing(ok, 9, change{"1", 1}, change{"2", 5}, change{"2", 6}, change{"3", 7}), false, false, [2]int64{}, 2},
		"enough is known of it":         {"x", cut, changing(ok, 9, change{"1", 1}, change{"4", 6}), false, true, [2]int64{5, 6}, 0},
		"another value before that":     {"x", cut, changing(ok, 9, change{"8", 1}), false, true, [2]int64{1, 1}, 0},
		"in one run only":               {"x", one, changing(ok, 0), false, false, [2]int64{}, 1},
		"never a value":                 {"x", gone, gone, false, false, [2]int64{}, 2},
		"addresses":                     {"x", changing(ok, 9, change{"<X at 0x1>", 1}, change{"<X at 0x2>", 2}, change{"5", 3}), changing(ok, 9, change{"<X at 0x7>", 1}, change{"5", 3}), true, false, [2]int64{}, 0},
		"never looked at":               {"x", changing(ok, 0), changing(ok, 0), false, false, [2]int64{}, 2},
		"a result that came once more":  {"result", one, changing(ok, 9, change{"1", 1}, change{"2", 6}), false, true, [2]int64{5, 6}, 0},
		"a last result that came again": {"f(result)", one, changing(ok, 10, change{"1", 1}, change{"2", 5}), false, true, [2]int64{}, 0},
		"a variable of that name":       {"result", seen, changing(ok, 10, change{"1", 1}, change{"2", 5}), true, false, [2]int64{}, 0},
		"a member of that name":         {"x.result", one, changing(ok, 10, change{"1", 1}, change{"2", 5}), true, false, [2]int64{}, 0},
		"results of more than a thread": {"result", threads, threads, false, false, [2]int64{}, 1},
	} {
		p := Question{What: First, Condition: c.condition, Limit: 1}.partingResult(c.ours, c.theirs).Against
		var sides [2]int64
		for i, s := range p.Sides {
			if s != nil {
				sides[i] = s.Judged
			}
		}
		if p.Same.Is() != c.same || p.Differs != c.differs || sides != c.sides || len(p.Gaps) != c.gaps {
			t.Errorf("%s: same %v, differs %v, at %v, gaps %q", name, p.Same.Is(), p.Differs, sides, p.Gaps)
		}
	}
}

package trace

import (
	"fmt"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/investigate/trace/table"
)

// Side is what one run has where an expression parts two: the moment at which it took a
// value that it does not take in the other. Places are as replies have them.
type Side struct {
	Moment
	Code string
}

// parted is the result of two runs in which the values of an expression were noted.
func (q Question) parted(first, second run) *Result {
	whole := first.Log.Dropped == 0 && second.Log.Dropped == 0
	result, once := q.ofResult(first.Log, second.Log)
	lay := func(of run) *table.Table {
		t := table.Changes(of.head(whole).Log, once)
		t.Open = of.cut() || !of.Log.Judged.Whole
		return t
	}
	ours, theirs := lay(first), lay(second)
	compared := table.Compare(ours, theirs, 0)
	pair := &Pair{
		Second: second.Recording, Endings: [2]recorded.Ending{recorded.EndingOf(first.Recording), recorded.EndingOf(second.Recording)},
		Compared: compared.Rows, Gaps: append(gaps(first, second, compared), unjudged(first, second)...),
	}
	if result && !once {
		pair.Gaps = append(pair.Gaps, "how often in sequence a function returned the same: the calls of several threads have no order")
	}
	pair.conclude(compared)
	if d := compared.First; d != nil {
		pair.Sides = [2]*Side{q.side(first, 1, whole, d), q.side(second, 2, whole, d)}
		pair.Parts = evidence.On(*d, q.sideSeen(1, pair.Sides[0]), q.sideSeen(2, pair.Sides[1]))
	} else if a, b := first.Log.Judged.Times, second.Log.Judged.Times; once && a != b && len(pair.Gaps) == 0 {
		pair.Differs, pair.Same = true, evidence.Finding[int]{}
	}
	ours.Alike = 0 // its rows are not shown
	ours.Cut(0, first.Log.Total-int64(len(first.head(whole).Log.Events)))
	return &Result{Table: ours, Run: first.Recording, Against: pair}
}

// returned finds the word by which a condition is about what functions return.
var returned = pattern.New(`(^|[^\w.$>:])` + recording.Result + `\b`)

// ofResult says that an expression is about what calls return, each of which counts then,
// and that their order tells them apart.
func (q Question) ofResult(logs ...recording.Log) (result, once bool) {
	if !returned.MatchString(q.Condition) {
		return false, false
	}
	once = true
	for _, log := range logs {
		for i := range log.Events {
			if e := &log.Events[i]; e.Kind == recording.Changed && e.Seen != "" {
				return false, false // a variable has that name
			} else if e.Kind == recording.Changed && e.Thread != "" {
				once = false
			}
		}
	}
	return true, once
}

// unjudged are the runs in which the expression had no value, or none any more, although
// they went on.
func unjudged(first, second run) []string {
	var list []string
	for i, r := range []run{first, second} {
		which := [...]string{"the first run", "the second run"}[i]
		switch j := r.Log.Judged; {
		case unseenIn(r) != "":
		case j.Times == 0:
			list = append(list, which+": no function of the scope ran in which the expression has a value")
		case !j.Whole:
			list = append(list, which+": it was not looked at until the end")
		}
	}
	return list
}

// side is what a run has where two part; nil where its value stays as it was.
func (q Question) side(of run, n int, whole bool, d *table.Difference) *Side {
	log, row := of.head(whole).Log, 0
	var before []recording.Value
	for i := range log.Events {
		e := &log.Events[i]
		if e.Kind != recording.Changed || len(e.Values) == 0 || e.Thread != d.Threads[n-1] {
			continue
		}
		if row == d.Row {
			return of.side(e, before)
		}
		row, before = row+1, e.Values
	}
	return nil
}

// side tells of a run's event, before which the expression had another value.
func (of run) side(e *recording.Event, before []recording.Value) *Side {
	s := &Side{Moment: Moment{
		At: of.rel(e.At), Function: e.Function, Thread: e.Thread, Begun: e.Text == recording.Begun, Event: e.Seq, Judged: e.Hit,
		After: named(e.Names[:1], e.Values), Values: named(e.Names[1:], e.Values[1:]),
	}}
	if len(before) > 0 {
		s.Before = named(e.Names[:1], before)
	}
	if e.Seen != "" {
		s.Seen = of.rel(e.Seen)
	}
	for _, caller := range e.Stack {
		function, at := recording.Caller(caller)
		s.Stack = append(s.Stack, function+" "+of.rel(at))
	}
	if of.code != nil {
		s.Code = of.code(e.At)
	}
	return s
}

// sideSeen is what a run was seen to have where two part.
func (q Question) sideSeen(n int, s *Side) evidence.Observation {
	o := evidence.Observation{Run: n, What: q.Condition, Value: "as it was, until the run ended"}
	if s != nil {
		o.Event, o.At, o.Value = s.Event, s.At, fmt.Sprintf("%s, at judgement %d", s.After[0].Value, s.Judged)
	}
	return o
}

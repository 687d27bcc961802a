package trace

import (
	"fmt"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
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

// partingResult is the result of two runs in which the values of an expression were noted.
func (q Question) partingResult(first, second run) *Result {
	whole := first.Log.IsWhole() && second.Log.IsWhole()
	result, once := q.isOfResult(first.Log, second.Log)
	oursInTurn, oursUntil := first.valuesInTurn(whole)
	theirsInTurn, theirsUntil := second.valuesInTurn(whole)
	ours, theirs := table.Changes(oursInTurn, once), table.Changes(theirsInTurn, once)
	ours.Open = oursUntil > 0 || first.isCut() || !first.isJudgedWhole()
	theirs.Open = theirsUntil > 0 || second.isCut() || !second.isJudgedWhole()
	compared := table.Compare(ours, theirs, 0)
	pair := &Pair{
		Second: second.Recording, Endings: [2]recorded.Ending{recorded.EndingOf(first.Recording), recorded.EndingOf(second.Recording)},
		Compared: compared.Rows, Gaps: append(comparisonGaps(first, second, compared), unjudgedRuns(first, second)...),
	}
	pair.Counted = once
	for i, until := range []int{oursUntil, theirsUntil} {
		if until > 0 && compared.First == nil {
			pair.Gaps = append(pair.Gaps, fmt.Sprintf("%s: not all is known of its value %d, and what comes after it cannot be told apart", runs[i], until))
		}
	}
	if result && !once {
		pair.Gaps = append(pair.Gaps, "how often in sequence a function returned the same: the calls of several threads have no order")
	}
	pair.conclude(compared)
	if d := compared.First; d != nil {
		pair.Sides = [2]*Side{first.valueAt(oursInTurn, d.Threads[0], d.Row), second.valueAt(theirsInTurn, d.Threads[1], d.Row)}
		pair.Parts = evidence.On(*d, q.sideObservation(1, pair.Sides[0]), q.sideObservation(2, pair.Sides[1]))
	} else if a, b := first.Log.Judged.Times, second.Log.Judged.Times; once && a != b && len(pair.Gaps) == 0 {
		pair.Differs, pair.Same = true, evidence.Finding[int]{}
	}
	ours.Alike = 0 // its rows are not shown
	ours.Cut(0, first.Log.Total-int64(len(first.headOf(whole).Log.Events)))
	return &Result{Table: ours, Run: first.Recording, Against: pair}
}

var runs = [...]string{"the first run", "the second run"}

// valuesInTurn are the values that a run's expression has taken in turn in each thread, with the
// first of which not all is known, and which that is: what comes after it may be another
// change than the one in the other run. Two that only differ by addresses are the same.
func (of run) valuesInTurn(whole bool) (log recording.Log, until int) {
	log, last := of.headOf(whole).Log, map[string]recording.Value{}
	all := log.Events
	log.Events = nil
	for _, e := range all {
		if e.Kind != recording.Changed || len(e.Values) == 0 {
			continue
		}
		was, known := last[e.Thread]
		if last[e.Thread] = e.Values[0]; known && recording.Compare(was, e.Values[0]) == recording.Equal {
			continue
		}
		if log.Events = append(log.Events, e); !e.Values[0].Known() {
			return log, len(log.Events)
		}
	}
	return log, 0
}

// returned finds the word by which a condition is about what functions return.
var returned = pattern.New(`(^|[^\w.$>:])` + recording.Result + `\b`)

// isOfResult says whether an expression is about what calls return: then each call
// counts, and once says that their order tells them apart.
func (q Question) isOfResult(logs ...recording.Log) (result, once bool) {
	if !returned.MatchString(q.Condition) {
		return false, false
	}
	once = true
	for _, log := range logs {
		for i := range log.Events {
			if e := &log.Events[i]; e.Kind == recording.Changed && e.Seen() != "" {
				return false, false // a variable has that name
			} else if e.Kind == recording.Changed && e.Thread != "" {
				once = false
			}
		}
	}
	return true, once
}

// isJudgedWhole says whether a run's expression was judged, and until the end.
func (of run) isJudgedWhole() bool { return of.Log.Judged.Whole && of.Log.Judged.Times > 0 }

// unjudgedRuns are the runs in which the expression had no value, or none any more, although
// they went on.
func unjudgedRuns(first, second run) []string {
	var list []string
	for i, r := range []run{first, second} {
		which := runs[i]
		switch j := r.Log.Judged; {
		case unseenReason(r) != "":
		case j.Times == 0:
			list = append(list, which+": no function of the scope ran in which the expression has a value")
		case !j.Whole:
			list = append(list, which+": it was not looked at until the end")
		default:
			if why := noValueReason(r.Log); why != "" {
				list = append(list, which+": the expression had a value at no judgement: "+why)
			}
		}
	}
	return list
}

// noValueReason is why an expression never had a value; empty where it had one.
func noValueReason(log recording.Log) (why string) {
	for i := range log.Events {
		e := &log.Events[i]
		if e.Kind != recording.Changed || len(e.Values) == 0 {
			continue
		}
		if why = e.Values[0].Error; why == "" {
			return ""
		}
	}
	return why
}

// valueAt is the n-th value in a thread of a run; nil where it has fewer.
func (of run) valueAt(inTurn recording.Log, thread string, n int) *Side {
	var before []recording.Value
	for i := range inTurn.Events {
		e := &inTurn.Events[i]
		if e.Thread != thread {
			continue
		}
		if n == 0 {
			return of.sideOf(e, before)
		}
		n, before = n-1, e.Values
	}
	return nil
}

// sideOf describes the event of a run at which two runs part; before are the values
// until then.
func (of run) sideOf(e *recording.Event, before []recording.Value) *Side {
	s := &Side{Moment: Moment{
		At: of.rel(e.At), Function: e.Function, Thread: e.Thread, Begun: e.Text == recording.Begun, Event: e.Seq, Judged: e.Hit,
		After: namedValues(e.Names[:1], e.Values), Values: namedValues(e.Names[1:], e.Values[1:]),
	}}
	if len(before) > 0 {
		s.Before = namedValues(e.Names[:1], before)
	}
	if e.Seen() != "" {
		s.Seen = of.rel(e.Seen())
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

// sideObservation is what a run was seen to have where two part.
func (q Question) sideObservation(n int, s *Side) evidence.Observation {
	o := evidence.Observation{Run: n, What: q.Condition, Value: "as it was, until the run ended"}
	if s != nil {
		o.Event, o.At, o.Value = s.Event, s.At, fmt.Sprintf("%s, at judgement %d", s.After[0].Value, s.Judged)
	}
	return o
}

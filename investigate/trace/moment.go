package trace

import (
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

// Moment is when a condition came to hold.
type Moment struct {
	At       string // absolute file:line of the statement that had run; of the function where it held as the call began
	Function string
	Thread   string // empty where there was one only
	Child    int    // in which of the threads and processes that the program has started; 0: in itself
	Begun    bool   // it held as the call began: who called made it so, or it did before
	Seen     string // in front of which line it was judged; empty where the call had ended
	Event    int64
	Judged   int64 // at which judgement
	Instance int64 // for which instance of each(TYPE) it was, in the order in which they were built; 0 without
	Among    int64 // of how many
	Stack    []string

	Before []Named // what the condition compares, at the judgement before in this call
	After  []Named // the same at this one
	Values []Named // the expressions that were asked for
}

// Named is an expression and its value, or why it has none.
type Named struct{ Expression, Value string }

// findMoments are those of a run, in their order.
func (q Question) findMoments(log recording.Log) []evidence.Finding[Moment] {
	var list []evidence.Finding[Moment]
	for i := range log.Events {
		if e := &log.Events[i]; e.Kind == recording.Moment {
			list = append(list, q.momentAt(e))
		}
	}
	return list
}

// places is in how many threads and processes a condition came to hold, each of which was judged
// by itself.
func places(log recording.Log) int {
	found := map[int]bool{}
	for i := range log.Events {
		if e := &log.Events[i]; e.Kind == recording.Moment {
			found[e.Child] = true
		}
	}
	return len(found)
}

// momentAt is one, which stands on two judgements.
func (q Question) momentAt(e *recording.Event) evidence.Finding[Moment] {
	compared := max(0, len(e.Names)-len(q.Expressions))
	m := Moment{
		At: e.At, Function: e.Function, Thread: e.Thread, Child: e.Child, Begun: e.Text == recording.Begun, Seen: e.Seen(),
		Event: e.Seq, Judged: e.Hit, Stack: e.Stack, Instance: e.Instance(), Among: e.Among,
		Before: namedValues(e.Names, e.Before()), After: namedValues(e.Names[:compared], e.Values),
	}
	if len(e.Values) >= compared {
		m.Values = namedValues(e.Names[compared:], e.Values[compared:])
	}
	held := evidence.Observation{Run: 1, Event: e.Seq, At: e.At, What: q.Condition, Value: "true; " + valueList(m.After)}
	if len(m.Before) == 0 {
		return evidence.On(m, held)
	}
	return evidence.On(m, held, evidence.Observation{Run: 1, At: e.At, What: q.Condition, Value: "false before; " + valueList(m.Before)})
}

func namedValues(names []string, values []recording.Value) []Named {
	var list []Named
	for i, name := range names[:min(len(names), len(values))] {
		list = append(list, Named{name, values[i].Shown()})
	}
	return list
}

func valueList(all []Named) string {
	var parts []string
	for _, n := range all {
		parts = append(parts, n.Expression+"="+n.Value)
	}
	return strings.Join(parts, ", ")
}

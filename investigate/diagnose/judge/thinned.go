package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// Thinned are functions whose calls a recorded run has only counted, but for the first or
// the last ones, by the recorder's names of them.
type Thinned map[string]Often

// Often is such a function, and how often it was called.
type Often struct {
	Function string
	Calls    int64
}

// ThinnedIn are those functions as they were when a run came to one of its events: more
// calls of them than first.
func ThinnedIn(events []recording.Event, at int, first int64) Thinned {
	all := Thinned{}
	for _, e := range events[:min(at, len(events))] {
		if e.Kind == recording.Counted && e.Hit > first {
			all[e.Place] = Often{e.Function, e.Hit}
		}
	}
	return all
}

// After are the counts after which so many calls of each function come yet.
func (t Thinned) After(last int64) map[string]int64 {
	after := map[string]int64{}
	for name, f := range t {
		after[name] = f.Calls - last
	}
	return after
}

// Differs says which function two runs that fail alike have not called equally often;
// empty where there is none.
func (t Thinned) Differs(o Thinned) string {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if a, b := t[name], o[name]; a.Calls != b.Calls {
			return fmt.Sprintf("%s was called %d and %d times until then", a.Function, a.Calls, b.Calls)
		}
	}
	if len(t) != len(o) {
		return "one of them has called more functions often"
	}
	return ""
}

// mostNamed are the functions that are named, those that were called most.
const mostNamed = 3

// String names those that were called most, with how often.
func (t Thinned) String() string {
	list := slices.SortedFunc(maps.Values(t), func(a, b Often) int {
		if a.Calls != b.Calls {
			return int(min(max(b.Calls-a.Calls, -1), 1))
		}
		return strings.Compare(a.Function, b.Function)
	})
	text := ""
	for i, f := range list[:min(len(list), mostNamed)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s (%d calls)", f.Function, f.Calls)
	}
	if more := len(list) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more functions", more)
	}
	return text
}

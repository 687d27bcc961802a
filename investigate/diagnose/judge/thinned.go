package judge

import (
	"cmp"
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

// UncountedIn are the functions whose calls are all noted only up to a limit, in a run that was killed:
// as many calls as the limit are noted, and the run could not say how many there were in the end.
func UncountedIn(events []recording.Event, first int64) Thinned {
	all := ThinnedIn(events, len(events), first-1)
	maps.DeleteFunc(all, func(_ string, f Often) bool { return f.Calls > first })
	return all
}

// UnwatchedIn are the functions that a recorder has left alone from some call on.
func UnwatchedIn(events []recording.Event) Thinned {
	all := Thinned{}
	for _, e := range events {
		if e.Kind == recording.Unwatched {
			all[e.Function] = Often{e.Function, e.Hit}
		}
	}
	return all
}

// With are both, each function once.
func (t Thinned) With(o Thinned) Thinned {
	all, named := maps.Clone(t), map[string]bool{}
	for _, f := range t {
		named[f.Function] = true
	}
	for name, f := range o {
		if !named[f.Function] {
			all[name] = f
		}
	}
	return all
}

// Without leaves the calls of such functions out: which of them came last, and how deep
// they were nested, is not known.
func (t Thinned) Without(events []recording.Event) []recording.Event {
	if len(t) == 0 {
		return events
	}
	functions, calls := map[string]bool{}, map[int64]bool{}
	for _, f := range t {
		functions[f.Function] = true
	}
	return slices.DeleteFunc(slices.Clone(events), func(e recording.Event) bool {
		if e.Kind == recording.Enter && functions[e.Function] {
			calls[e.Call] = true
		}
		return calls[e.Call] && (e.Kind == recording.Enter || e.Kind == recording.Leave || e.Kind == recording.Use)
	})
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

// Within is the function in a call of which the last call of such a function was made,
// where that was only counted itself, as the outermost one of a recursion is. It is empty
// where all calls are noted in which the last one was made, as far as they were counted.
func (t Thinned) Within(events []recording.Event) string {
	last, open, within := "", map[string][]recording.Event{}, map[int64]string{}
	for _, e := range events {
		under := open[e.Thread]
		switch {
		case e.Kind == recording.Leave:
			if at := slices.IndexFunc(under, func(u recording.Event) bool { return u.Call == e.Call }); at >= 0 {
				open[e.Thread] = under[:at]
			}
		case e.Kind == recording.Enter && len(e.Stack) > 0:
			caller, _ := recording.Caller(e.Stack[0])
			if len(under) > 0 && sameName(under[len(under)-1].Function, caller) {
				within[e.Call] = within[under[len(under)-1].Call]
			} else {
				within[e.Call] = t.nameOf(caller)
			}
			open[e.Thread] = append(under, e)
			if t.nameOf(e.Function) != "" {
				last = within[e.Call]
			}
		}
	}
	return last
}

func sameName(a, b string) bool {
	return lastName(withoutSignature(a)) == lastName(withoutSignature(b))
}

// nameOf finds the function that a recorder or a stack means by a name.
func (t Thinned) nameOf(function string) string {
	for _, f := range t {
		if sameName(f.Function, function) {
			return f.Function
		}
	}
	return ""
}

// mostNamed are the functions that are named, those that were called most.
const mostNamed = 3

// String names those that were called most, with how often.
func (t Thinned) String() string {
	return t.list(func(f Often) string { return fmt.Sprintf("%s (%d calls)", f.Function, f.Calls) })
}

// Names names those of which most calls are known.
func (t Thinned) Names() string { return t.list(func(f Often) string { return f.Function }) }

// Most are the names of those that are named.
func (t Thinned) Most() (names []string) {
	for _, f := range t.most() {
		names = append(names, f.Function)
	}
	return names
}

func (t Thinned) most() []Often {
	list := slices.SortedFunc(maps.Values(t), func(a, b Often) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Function, b.Function))
	})
	return list[:min(len(list), mostNamed)]
}

func (t Thinned) list(text func(Often) string) string {
	var names []string
	for _, f := range t.most() {
		names = append(names, text(f))
	}
	all := strings.Join(names, ", ")
	if more := len(t) - mostNamed; more > 0 {
		all += fmt.Sprintf(" and %d more functions", more)
	}
	return all
}

package judge

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// Beside are the calls that had ended in other threads before a moment, where the threads
// through which the failure came are known: it may have waited for them. Of a test they
// are those of functions within its own, since other tests may run beside it.
func (m Moment) Beside(events []recording.Event, isTest bool) []recording.Event {
	if m.threads == nil || m.At > len(events) {
		return nil
	}
	before := events[:m.At]
	own := firstIn(before, m.threads[0])
	if own == nil {
		return nil // Until has them
	}
	wanted, ended := map[int64]bool{}, map[int64]bool{}
	for _, e := range before {
		if e.Kind == recording.Leave {
			ended[e.Call] = true
		}
	}
	tops := map[string]int64{} // the call of each thread that nothing of the user's made, while it is under way
	isOurs := map[string]bool{}
	for _, e := range before {
		switch {
		case e.Thread == "" || slices.Contains(m.threads, e.Thread): // without a name it may be the same, while it was the only one
		case e.Kind == recording.Enter:
			if tops[e.Thread] == 0 {
				tops[e.Thread] = e.Call
				isOurs[e.Thread] = !isTest || isWrittenWithin(e.Function, own.Function)
			}
			wanted[e.Call] = isOurs[e.Thread] && ended[e.Call]
		case e.Kind == recording.Leave && e.Call == tops[e.Thread]:
			tops[e.Thread] = 0
		}
	}
	return slices.DeleteFunc(slices.Clone(before), func(e recording.Event) bool { return !wanted[e.Call] })
}

// firstIn is the first call of a thread.
func firstIn(events []recording.Event, thread string) *recording.Event {
	for i, e := range events {
		if e.Kind == recording.Enter && e.Thread == thread {
			return &events[i]
		}
	}
	return nil
}

// isWrittenWithin says that a function's name is that of one that was written within another.
func isWrittenWithin(function, outer string) bool {
	return function != outer && strings.Contains(function, lastName(outer))
}

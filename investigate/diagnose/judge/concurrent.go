package judge

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// ConcurrentCalls are the calls in other threads that had ended before a moment: the failure may have
// waited for them. It is nil if the threads of the failure are not known. For a test, only
// calls of functions written within the test's own count, since other tests may run beside it.
func (m Moment) ConcurrentCalls(events []recording.Event, isTest bool) []recording.Event {
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
	tops := map[string]int64{} // of each thread: the outermost call of the user's code that is under way
	isOurs := map[string]bool{}
	for _, e := range before {
		switch {
		case e.Thread == "" || slices.Contains(m.threads, e.Thread): // a thread without a name may be the failing one
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

// isWrittenWithin says by its name that a function was written inside another.
func isWrittenWithin(function, outer string) bool {
	return function != outer && strings.Contains(function, lastName(outer))
}

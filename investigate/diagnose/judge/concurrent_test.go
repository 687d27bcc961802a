package judge

import (
	"testing"

	"aidb-mcp/internal/recording"
)

func inThread(thread string, e recording.Event) recording.Event {
	e.Thread = thread
	return e
}

// What other threads have called is told where it had ended before the failure.
func TestConcurrentCalls(t *testing.T) {
	events := []recording.Event{
		inThread("main", enter(1, "prices", "-")),
		inThread("1", enter(2, "lambda$prices$0", "-")),
		inThread("1", enter(3, "cut", "lambda$prices$0 /w/a.py:20")),
		inThread("2", enter(4, "other", "-")), // goes on
		inThread("1", leave(3, "cut", "-40", false)),
		inThread("2", enter(5, "cut", "other /w/a.py:20")),
		inThread("1", leave(2, "lambda$prices$0", "-40", false)),
		inThread("2", leave(5, "cut", "20", false)),
		inThread("3", enter(6, "sums", "-")),
		inThread("3", leave(6, "sums", "1", false)),
	}
	m := Moment{At: len(events), threads: []string{"main"}}
	for isTest, want := range map[bool][]int64{false: {2, 3, 5, 6}, true: {2, 3}} {
		var calls []int64
		for _, e := range m.ConcurrentCalls(events, isTest) {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Call)
			}
		}
		if len(calls) != len(want) || calls[0] != want[0] || calls[len(calls)-1] != want[len(want)-1] {
			t.Errorf("of a test %v: %v, want %v", isTest, calls, want)
		}
	}
	if got := (Moment{At: len(events), threads: []string{"9"}}).ConcurrentCalls(events, false); got != nil {
		t.Errorf("beside a thread without calls: %v", got)
	}
}

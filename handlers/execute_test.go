package handlers

import (
	"testing"

	"aidb-mcp/responses"
)

// A pause that is answered late finds a view that suggests nothing.
func TestAPauseAnsweredLate(t *testing.T) {
	threads, wait := responses.NextStep{Why: "threads"}, responses.NextStep{Why: "wait"}
	if got := before(threads, nil); len(got) != 0 {
		t.Errorf("before nothing: %v", got)
	}
	if got := before(threads, []responses.NextStep{wait, wait}); len(got) != 2 || got[0].Why != threads.Why || got[1].Why != wait.Why {
		t.Errorf("before two: %v", got)
	}
}

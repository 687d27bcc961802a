package diagnose

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// Each argument of a call is cut for itself, so that the last one is seen.
func TestCutValues(t *testing.T) {
	long := strings.Repeat("x", 500)
	event := recording.Event{Kind: recording.Enter, Names: []string{"order", "percent"}, Values: []recording.Value{{Text: long}, {Text: "25"}}}
	cutValues([]recording.Event{event})
	if got := event.Values[0].Text; len(got) > longestCall/2+len("…") || event.Values[1].Text != "25" {
		t.Errorf("cut to %q and %q", got, event.Values[1].Text)
	}
}

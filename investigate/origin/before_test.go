package origin

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/diagnose/judge"
)

// A test may go on after it has failed: no pass after that is the one at which the session
// stands.
func TestPassesBeforeTheFailure(t *testing.T) {
	hit := func(seq int64, text string) recording.Event {
		return recording.Event{Kind: recording.Hit, Seq: seq, Values: []recording.Value{{Text: text}}}
	}
	failed := func(seq int64, says string) recording.Event {
		return recording.Event{Kind: recording.Failed, Seq: seq, Text: recording.Expected, At: "/w/a_test.go:9", Values: []recording.Value{{Text: says}}}
	}
	log := recording.Log{Events: []recording.Event{
		hit(1, "{1}"), hit(2, "{2}"), failed(3, "TestA: 2 is wrong"), hit(4, "{3}"), failed(5, "TestA: 3 is wrong"),
	}}
	for says, want := range map[string]string{
		"TestA: 2 is wrong": "{2}", "TestA: 3 is wrong": "{3}",
		"TestA: 4 is wrong": "{3}", // it failed otherwise
		"":                  "{3}", // the session stands at none
	} {
		seen := observation{value: "{…}", last: true, failed: judge.Failing{Message: says, File: "/w/a_test.go", Line: 9}}
		list := seen.beforeFailure(log)
		p, ok := seen.findPass(list, 1, true)
		if !ok || p.hit.Values[0].Text != want {
			t.Errorf("where it says %q it is %v of %d", says, p.hit, len(list))
		}
	}
}

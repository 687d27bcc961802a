package handlers

import (
	"encoding/json"
	"testing"

	"aidb-mcp/investigate/attempt"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// What is asked of the process in a box, and what it answers, is the same on both sides.
func TestCheckOnBothSides(t *testing.T) {
	same := func(from, to any) {
		t.Helper()
		text, err := json.Marshal(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatal(err)
		}
		if back, err := json.Marshal(to); err != nil || string(back) != string(text) {
			t.Errorf("%s is read as %s (%v)", text, back, err)
		}
	}
	card := responses.FailureCard{
		Verdict: "v", Message: "m", Location: "l", Function: "f", Culprit: &responses.Culprit{Expression: "e", Value: "v", Why: "w"},
		Expected: "e", Actual: "a", Left: "l", Right: "r", Places: []string{"p"}, Values: []string{"n = 1"}, Unread: true,
	}
	same(Checked{FailureCard: card, Passed: 1, Failed: 2, Hits: 3, Late: true}, &attempt.Checked{})
	same(attempt.Check{Start: json.RawMessage(`{"test":"T"}`), At: &attempt.At{Location: "a:1", Set: map[string]string{"x": "1"}, Skip: true}, Calls: true, Timeout: 5}, &Check{})
	same(tools.Candidate{Hypothesis: "h", Patch: "p", Edits: []tools.Edit{{File: "f", Old: "o", New: "n"}}, At: &tools.At{Location: "l"}}, &attempt.Candidate{})
	if back := cardOf(failureOf(&card)); back.Culprit == nil || *back.Culprit != *card.Culprit || back.Location != card.Location || len(back.Places) != 1 {
		t.Errorf("a card comes back as %+v", back)
	}
}

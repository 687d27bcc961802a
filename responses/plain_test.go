package responses

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatActsIsShown(t *testing.T) {
	for text, want := range map[string]string{
		"plain <nil> “text”, 日本\n\tgo":         "plain <nil> “text”, 日本\n\tgo",
		"\x1b[2Jgone\x1b]0;title\x07":          `\x1b[2Jgone\x1b]0;title\x07`,
		"\u009b31m\x7f\x00\b\f":                `\x9b31m\x7f\x00\x08\x0c`,
		"user\u202e\u2066// check\u2069\u2069": `user\u202e\u2066// check\u2069\u2069`,
		"one\u2028two":                         `one\u2028two`,
		"seen\U000e0041\U000e007f":             `seen\U000e0041\U000e007f`,
		"windows\r\nends, over\rwritten\r":     "windows\nends, over" + `\rwritten\r`,
		`a path C:\x1b, "quoted" \u001b`:       `a path C:\x1b, "quoted" \u001b`,
		"broken \xff byte":                     "broken \ufffd byte",
	} {
		reply := Fit(&Envelope{Success: true, Summary: text, Data: Object{{Name: text, Value: text}}}, 8000, JSON)
		var got struct {
			Summary string
			Data    map[string]string
		}
		if err := json.Unmarshal(reply.JSON, &got); err != nil {
			t.Fatalf("%q: %v in %s", text, err, reply.JSON)
		}
		if diff := cmp.Diff(want, got.Summary); diff != "" || got.Data[want] != want {
			t.Errorf("%q: %s\n%s", text, diff, reply.JSON)
		}
	}
}

// What is shown takes more room than it took: the budget holds all the same.
func TestShownCharactersKeepTheBudget(t *testing.T) {
	reply := Fit(Failure(&plainError{strings.Repeat("\u202e", 3000)}), 1000, JSON)
	if len(reply.JSON) > 1000 || !json.Valid(reply.JSON) {
		t.Errorf("%d bytes: %s", len(reply.JSON), reply.JSON)
	}
}

type plainError struct{ text string }

func (e *plainError) Error() string { return e.text }

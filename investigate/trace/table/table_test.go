package table

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// A write that was only found says so; one by what made the object was seen.
func TestWritesThatWereNotSeen(t *testing.T) {
	write := func(at, text, value string) recording.Event {
		return recording.Event{Kind: recording.Write, At: at, Function: "main", Text: text, Values: []recording.Value{{}, {Text: value}}}
	}
	log := recording.Log{Events: []recording.Event{write("a:1", recording.Made, "1"), write("a:2", "", "2"), write("a:3", recording.Unseen, "3")}}
	var functions []string
	for _, row := range Writes(log, nil, func(at string) string { return at }).Rows {
		functions = append(functions, row[1])
	}
	if got := strings.Join(functions, "; "); got != "main; main; unseen, before main" {
		t.Errorf("the functions are %q", got)
	}
}

// The object that the question is about is told from others, even where only another was
// written to.
func TestWritesToAnotherObject(t *testing.T) {
	log := recording.Log{Events: []recording.Event{{Kind: recording.Write, At: "a:1", Function: "main", Place: "c0", Values: []recording.Value{{Text: "1"}, {Text: "2"}}}}}
	at := func(at string) string { return at }
	for named, want := range map[string]string{"": "1 2", "c0": "1 2", "d8": "1 2 #1"} {
		var places []string
		if named != "" {
			places = []string{named}
		}
		if got := strings.Join(Writes(log, places, at).Rows[0][2:], " "); got != want {
			t.Errorf("of %q the cells are %q, want %q", named, got, want)
		}
	}
}

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
	for _, row := range Writes(log, func(at string) string { return at }).Rows {
		functions = append(functions, row[1])
	}
	if got := strings.Join(functions, "; "); got != "main; main; unseen, before main" {
		t.Errorf("the functions are %q", got)
	}
}

package inside

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording/live"
)

// Rows that nobody reads have bounds, in number and in bytes; the newest stay.
func TestRowsHaveBounds(t *testing.T) {
	t.Parallel()
	for text, most := range map[string]int{"x": waiting, strings.Repeat("x", 1<<20): waitingBytes >> 20} {
		var b Rows
		const told = waiting + 100
		for n := range told {
			b.Add([]live.Row{{N: int64(n), Values: []live.Value{{Name: "v", Text: text}}}}, nil)
		}
		rows, state := b.Read(told)
		if len(rows) > most || len(rows) < most-1 || rows[len(rows)-1].N != told-1 || state.Dropped != int64(told-len(rows)) {
			t.Errorf("rows of %d bytes: %d are kept, %d dropped", len(text), len(rows), state.Dropped)
		}
		if b.bytes != 0 || b.rows != nil {
			t.Errorf("nothing is left, and counts as %d bytes", b.bytes)
		}
	}
}

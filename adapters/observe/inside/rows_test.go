package inside

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording/live"
)

// Where a language has more room, and its rows come one by one, the newest stay, too, and those
// that were read stay as they are.
func TestRowsOneByOne(t *testing.T) {
	t.Parallel()
	b := Rows{Room: 1000}
	add := func(from, to int) {
		for n := from; n < to; n++ {
			b.Add([]live.Row{{N: int64(n)}}, nil)
		}
	}
	check := func(rows []live.Row, first, last int64) {
		t.Helper()
		for i, r := range rows {
			if r.N != first+int64(i) {
				t.Fatalf("row %d is number %d, want %d", i, r.N, first+int64(i))
			}
		}
		if n := int64(len(rows)); n != last-first+1 {
			t.Fatalf("got %d rows, want %d to %d", n, first, last)
		}
	}
	add(1, 2501)
	read, state := b.Read(100)
	check(read, 1501, 1600)
	if state.Dropped != 1500 || state.Waiting != 900 {
		t.Errorf("got %+v", state)
	}
	add(2501, 6001)
	check(read, 1501, 1600)
	rows, state := b.Read(2000)
	check(rows, 5001, 6000)
	if state.Dropped != 1500+3400 || state.Waiting != 0 || b.bytes != 0 {
		t.Errorf("got %+v", state)
	}
}

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

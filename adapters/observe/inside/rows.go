// Package inside is the near end of what records from within a running program: the socket at
// which that tells its rows, and the rows until they are read. It knows no language.
package inside

import (
	"cmp"
	"sync"

	"aidb-mcp/internal/recording/live"
)

// How many rows may wait to be read, and about how many bytes they may have: what they hold a
// program has said.
const (
	waiting      = 20_000
	waitingBytes = 64 << 20
)

// Rows are those that were told and not read yet: the newest, where there are too many. It is
// safe for concurrent use.
type Rows struct {
	Room int // how many may wait; 0: as many as of most languages. It is set before the first comes

	mu    sync.Mutex // guards the fields below
	rows  []live.Row
	bytes int   // about so many in them
	lost  int64 // for which there was no room here
	state live.State
}

// Add takes new rows, the oldest first, and how the recorder stands.
func (b *Rows) Add(rows []live.Row, now func(*live.State)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, rows...)
	for i := range rows {
		b.bytes += sizeOf(&rows[i])
	}
	over := max(len(b.rows)-cmp.Or(b.Room, waiting), 0)
	for i := range b.rows[:over] {
		b.bytes -= sizeOf(&b.rows[i])
	}
	for ; b.bytes > waitingBytes; over++ {
		b.bytes -= sizeOf(&b.rows[over])
	}
	clear(b.rows[:over]) // what they hold; where they are is left when there is no room for more behind
	b.rows = b.rows[over:]
	b.lost += int64(over)
	if now != nil {
		now(&b.state)
	}
}

// Read gives the oldest rows, at most that many, and how the recorder stands.
func (b *Rows) Read(most int) ([]live.Row, live.State) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := max(min(most, len(b.rows)), 0)
	rows := b.rows[:n:n]
	for i := range rows {
		b.bytes -= sizeOf(&rows[i])
	}
	if b.rows = b.rows[n:]; len(b.rows) == 0 {
		b.rows = nil // or those that were read would stay
	}
	state := b.state
	state.Dropped += b.lost
	state.Waiting = len(b.rows)
	return rows, state
}

// sizeOf is about how many bytes a row has.
func sizeOf(r *live.Row) int {
	n := 128 + len(r.Who) + len(r.Function) + len(r.File) + len(r.Of)
	for _, v := range r.Values {
		n += 64 + len(v.Name) + len(v.Text) + len(v.Missing)
	}
	return n
}

// Package inside is the near end of what records from within a running program: the socket at
// which that tells its rows, and the rows until they are read. It knows no language.
package inside

import (
	"sync"

	"aidb-mcp/internal/recording/live"
)

// waiting is how many rows may wait to be read.
const waiting = 20_000

// Rows are those that were told and not read yet. It is safe for concurrent use.
type Rows struct {
	mu    sync.Mutex
	rows  []live.Row
	lost  int64 // for which there was no room here
	state live.State
}

// Add takes new rows, the oldest first, and how the recorder stands.
func (b *Rows) Add(rows []live.Row, now func(*live.State)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, rows...)
	if over := len(b.rows) - waiting; over > 0 {
		b.rows = append([]live.Row{}, b.rows[over:]...)
		b.lost += int64(over)
	}
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
	b.rows = b.rows[n:]
	state := b.state
	state.Dropped += b.lost
	state.Waiting = len(b.rows)
	return rows, state
}

package table

import (
	"strings"
	"unicode/utf8"
)

// leastShared is how long a beginning is, in bytes, that is worth saying only once.
const leastShared = 60

// trimCommonStart leaves out a long beginning that all cells of a column share: the
// first row shows it, the others only where they differ.
func (t *Table) trimCommonStart() {
	if len(t.Rows) < 2 {
		return
	}
	for column := 1; column < len(t.Rows[0]); column++ {
		n, equal := t.commonStart(column)
		if equal || n < leastShared {
			continue
		}
		for i, cells := range t.Rows[1:] {
			own := append([]string(nil), cells...) // which Compare may still need
			own[column] = "…" + cells[column][n:]
			t.Rows[i+1], t.Shares = own, true
		}
	}
}

// commonStart is how much all cells of a column have in common, up to a place where a value
// or a word begins, and whether that is all of them.
func (t *Table) commonStart(column int) (n int, equal bool) {
	first := t.Rows[0][column]
	n, equal = len(first), true
	for _, cells := range t.Rows[1:] {
		cell := cells[column]
		equal = equal && cell == first
		n = min(n, len(cell))
		for i := range n {
			if cell[i] != first[i] {
				n = i
				break
			}
		}
	}
	if equal {
		return n, true
	}
	if i := strings.LastIndexAny(first[:n], " ,([{="); i >= 0 {
		n = i + 1
	}
	for n > 0 && n < len(first) && !utf8.RuneStart(first[n]) {
		n--
	}
	return n, false
}

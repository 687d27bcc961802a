//go:build linux

package torture

import (
	"fmt"
	"strings"
	"sync"
	"text/tabwriter"
)

// tally counts sessions and leftovers by language and ending.
type tally struct {
	mu             sync.Mutex
	sessions, left int
	cells          map[*language]map[ending]*cell
}

type cell struct{ sessions, left int }

func newTally() *tally { return &tally{cells: map[*language]map[ending]*cell{}} }

// add counts a session, with what is left of it; one that got stuck counts as
// something left.
func (t *tally) add(r recipe, left []string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cells[r.language] == nil {
		t.cells[r.language] = map[ending]*cell{}
	}
	c := t.cells[r.language][r.ending]
	if c == nil {
		c = new(cell)
		t.cells[r.language][r.ending] = c
	}
	n := len(left)
	if err != nil {
		n++
	}
	c.sessions, c.left = c.sessions+1, c.left+n
	t.sessions, t.left = t.sessions+1, t.left+n
}

// String is the table: sessions by ending and language, and what was left.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, l := range languages {
		fmt.Fprintf(w, "\t%s", l.name)
	}
	fmt.Fprint(w, "\tsessions\tleft\t\n")
	for _, e := range endings {
		row := fmt.Sprint(e)
		sum := cell{}
		for _, l := range languages {
			c := t.cells[l][e]
			if c == nil {
				c = new(cell)
			}
			row += fmt.Sprint("\t", c.sessions)
			sum.sessions, sum.left = sum.sessions+c.sessions, sum.left+c.left
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t\n", row, sum.sessions, sum.left)
	}
	w.Flush()
	return out.String()
}

package table

import (
	"slices"

	"aidb-mcp/internal/recording"
)

// Difference is where two runs part: the first row, counted within its thread, that
// is not the same in both. Either side may have ended before it.
type Difference struct {
	Row          int // rows that both have had in that thread until then
	Ours, Theirs []string
	Before       [][]string // the rows that led there, the same in both
}

// Compare finds where two tables of the same columns part; nil when they never do.
// Threads are compared each by itself, for their order is by chance.
func Compare(ours, theirs *Table, lead int) *Difference {
	column := slices.Index(ours.Columns, "thread")
	a, b := split(ours.Rows, column), split(theirs.Rows, slices.Index(theirs.Columns, "thread"))
	var first *Difference
	for _, thread := range threads(a, b) {
		d := compare(a[thread], b[thread], lead)
		if d != nil && (first == nil || d.Row < first.Row) {
			first = d
		}
	}
	return first
}

func split(rows [][]string, column int) map[string][][]string {
	all := map[string][][]string{}
	for _, r := range rows {
		thread := ""
		if column >= 0 {
			thread = r[column]
		}
		all[thread] = append(all[thread], r)
	}
	return all
}

func threads(a, b map[string][][]string) []string {
	var names []string
	for _, m := range []map[string][][]string{a, b} {
		for name := range m {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func compare(a, b [][]string, lead int) *Difference {
	n := 0
	for n < len(a) && n < len(b) && alike(a[n], b[n]) {
		n++
	}
	if n == len(a) && n == len(b) {
		return nil
	}
	d := &Difference{Row: n, Before: a[max(0, n-lead):n]}
	if n < len(a) {
		d.Ours = a[n]
	}
	if n < len(b) {
		d.Theirs = b[n]
	}
	return d
}

func alike(a, b []string) bool { return slices.EqualFunc(a, b, recording.Alike) }

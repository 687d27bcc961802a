package table

import (
	"cmp"
	"slices"
	"strconv"

	"aidb-mcp/internal/recording"
)

// Difference is where two runs part: the first row, counted within its thread, that
// is not the same in both. Either side may have ended before it.
type Difference struct {
	Columns      []string // of all its rows
	Row          int      // rows that both have had in that thread until then
	Ours, Theirs []string
	Before       [][]string // the rows that led there, the same in both
}

// Compare finds where two tables of the same kind part; nil when they never do.
// Threads are compared each by itself, for their order is by chance.
func Compare(ours, theirs *Table, lead int) *Difference {
	a, b := split(ours.all), split(theirs.all)
	shape := shapeOf(append(slices.Clone(ours.all), theirs.all...))
	shape.times = false
	var first *Difference
	for _, pair := range pairs(a, b) {
		d := shape.compare(a[pair[0]], b[pair[1]], lead)
		if d != nil && (first == nil || d.Row < first.Row) {
			first = d
		}
	}
	if first != nil {
		first.Columns = shape.columns(ours.names)
	}
	return first
}

func split(rows []row) map[string][]row {
	all := map[string][]row{}
	for _, r := range rows {
		all[r.thread] = append(all[r.thread], r)
	}
	return all
}

// pairs are the threads of both runs that are compared. A number says nothing of the
// same thread in another run: of those the ones that did the same are paired first, and
// what is left in the order of the numbers.
func pairs(a, b map[string][]row) [][2]string {
	var list [][2]string
	left, free := numbered(a), numbered(b)
	left = slices.DeleteFunc(left, func(thread string) bool {
		i := slices.IndexFunc(free, func(other string) bool { return slices.EqualFunc(a[thread], b[other], alike) })
		if i >= 0 {
			free = slices.Delete(free, i, i+1)
		}
		return i >= 0
	})
	for i := range max(len(left), len(free)) {
		pair := [2]string{none, none}
		if i < len(left) {
			pair[0] = left[i]
		}
		if i < len(free) {
			pair[1] = free[i]
		}
		list = append(list, pair)
	}
	for _, name := range named(a, b) {
		list = append(list, [2]string{name, name})
	}
	return list
}

// none is the name of no thread.
const none = "\x00"

// numbered are the threads that have a number for a name, by that.
func numbered(all map[string][]row) []string {
	var list []string
	for name := range all {
		if _, err := strconv.Atoi(name); err == nil {
			list = append(list, name)
		}
	}
	slices.SortFunc(list, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
	return list
}

// named are the threads of both that have another name, or none.
func named(a, b map[string][]row) []string {
	var list []string
	for _, m := range []map[string][]row{a, b} {
		for name := range m {
			if _, err := strconv.Atoi(name); err != nil && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

func (s shape) compare(a, b []row, lead int) *Difference {
	n := 0
	for n < len(a) && n < len(b) && alike(a[n], b[n]) {
		n++
	}
	if n == len(a) && n == len(b) {
		return nil
	}
	d := &Difference{Row: n, Before: [][]string{}}
	for _, r := range a[max(0, n-lead):n] {
		d.Before = append(d.Before, s.cells(r))
	}
	if n < len(a) {
		d.Ours = s.cells(a[n])
	}
	if n < len(b) {
		d.Theirs = s.cells(b[n])
	}
	return d
}

func alike(a, b row) bool {
	return a.at == b.at && a.depth == b.depth && slices.EqualFunc(a.cells, b.cells, recording.Alike)
}

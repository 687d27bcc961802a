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
	Before       [][]string // the rows that led there, which look the same in both
	Threads      [2]string  // in which it was, of each run
}

// Comparison is what comes of comparing two tables.
type Comparison struct {
	First   *Difference // nil: none was found
	Rows    int         // pairs of rows that were compared
	Unsure  int         // of them those that look the same and were not compared in full
	Missing bool        // one side has rows that the other may have had, if all of it were known
}

// Same says that all of both was compared, and is the same.
func (c Comparison) Same() bool { return c.First == nil && c.Unsure == 0 && !c.Missing }

// Compare compares two tables of the same kind. Threads are compared each by itself,
// for their order is by chance. Of a table that is open not all rows are known: where it
// ends before the other, or a call has not returned in it, that is no difference.
func Compare(ours, theirs *Table, lead int) Comparison {
	a, b := byThread(ours.all), byThread(theirs.all)
	by := comparer{shape: shapeOf(append(slices.Clone(ours.all), theirs.all...)), ours: ours.Open, theirs: theirs.Open, lead: lead}
	by.shape.times = false
	for _, pair := range pairThreads(a, b) {
		by.compare(pair, a[pair[0]], b[pair[1]])
	}
	if by.found.First != nil {
		by.found.First.Columns = by.shape.columns(ours.names)
	}
	return by.found
}

func byThread(rows []row) map[string][]row {
	all := map[string][]row{}
	for _, r := range rows {
		all[r.thread] = append(all[r.thread], r)
	}
	return all
}

// pairThreads are the threads of both runs that are compared. A number says nothing of the
// same thread in another run: of those the ones that did the same are paired first, and
// what is left in the order of the numbers.
func pairThreads(a, b map[string][]row) [][2]string {
	list, left, free := pairExchanged(a, b, numberedThreads(a), numberedThreads(b))
	names := namedThreads(a, b)
	if len(list) > 0 {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	}
	left = slices.DeleteFunc(left, func(thread string) bool {
		i := slices.IndexFunc(free, func(other string) bool { return slices.EqualFunc(a[thread], b[other], isAlike) })
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
	for _, name := range names {
		list = append(list, [2]string{name, name})
	}
	return list
}

// pairExchanged pairs the threads without a name where each has done what one with a number has
// in the other run: which of them goes without may be by chance, as with goroutines, of
// which the first that noted something does. Left and free are the others with numbers.
func pairExchanged(a, b map[string][]row, left, free []string) (list [][2]string, ours, theirs []string) {
	if len(a[""]) == 0 || len(b[""]) == 0 || slices.EqualFunc(a[""], b[""], isAlike) {
		return nil, left, free
	}
	i := slices.IndexFunc(left, func(thread string) bool { return slices.EqualFunc(a[thread], b[""], isAlike) })
	j := slices.IndexFunc(free, func(thread string) bool { return slices.EqualFunc(a[""], b[thread], isAlike) })
	if i < 0 || j < 0 {
		return nil, left, free
	}
	list = [][2]string{{"", free[j]}, {left[i], ""}}
	return list, slices.Delete(left, i, i+1), slices.Delete(free, j, j+1)
}

// none is the name of no thread.
const none = "\x00"

// numberedThreads are the threads whose name is a number, in its order.
func numberedThreads(all map[string][]row) []string {
	var list []string
	for name := range all {
		if _, err := strconv.Atoi(name); err == nil {
			list = append(list, name)
		}
	}
	slices.SortFunc(list, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
	return list
}

// namedThreads are the threads of both runs whose name is no number; one without a name
// counts too.
func namedThreads(a, b map[string][]row) []string {
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

// comparer compares the threads of two runs.
type comparer struct {
	shape        shape
	ours, theirs bool // is open
	lead         int
	found        Comparison
}

// compare compares two threads.
func (c *comparer) compare(threads [2]string, a, b []row) {
	n := 0
	for ; n < len(a) && n < len(b); n++ {
		equality := c.rowEquality(a[n], b[n])
		if equality == recording.Different {
			break
		}
		c.found.Rows++
		if equality == recording.NotCompared {
			c.found.Unsure++
		}
	}
	switch {
	case n == len(a) && n == len(b):
		return
	case n == len(a) && c.ours, n == len(b) && c.theirs:
		c.found.Missing = true
		return
	case c.found.First != nil && c.found.First.Row <= n:
		return
	}
	d := &Difference{Row: n, Before: [][]string{}, Threads: threads}
	for _, r := range a[max(0, n-c.lead):n] {
		d.Before = append(d.Before, c.shape.cells(r))
	}
	if n < len(a) {
		d.Ours = c.shape.cells(a[n])
	}
	if n < len(b) {
		d.Theirs = c.shape.cells(b[n])
	}
	c.found.First = d
}

// rowEquality is that of two rows. What a call would have returned in a run of which not
// all is known is not compared.
func (c *comparer) rowEquality(a, b row) recording.Equality {
	if cut := a.open && c.ours || b.open && c.theirs; !cut || a.open == b.open {
		return a.compare(b)
	}
	n := min(len(a.values), len(b.values))
	a.values, b.values = a.values[:n], b.values[:n]
	b.cells = slices.Clone(b.cells)
	b.cells[1] = a.cells[1]
	if a.compare(b) == recording.Different {
		return recording.Different
	}
	return recording.NotCompared
}

// isAlike says whether two rows may be the same.
func isAlike(a, b row) bool { return a.compare(b) != recording.Different }

// Package table turns the events of a recorded run into a table: one row a hit,
// equal neighbours folded, the first and the last where there are too many. It is
// pure, and knows neither sessions nor replies.
package table

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/recording"
)

// Table is what a run has shown. Each row has one text a column, "at" first.
type Table struct {
	Columns []string
	Rows    [][]string
	Hits    int64 // that the run had, those too that were not kept or are not shown
	Dropped int64 // of them
	Gap     int   // rows in front of what was dropped

	// Uncounted is how many events of the run were not kept of which it is not known how many
	// were hits: they are in neither Hits nor Dropped.
	Uncounted int64
	Leaps     bool // which were nothing but hits, each of which would have stopped the program

	// Truncated says that what was not kept lies before the first row, not in the middle.
	Truncated bool

	// Open says that the run may have had more rows than were kept, or would have had.
	Open bool

	// Alike is how many rows look like the one before and were not folded into it: what
	// is cut of them differs, or may.
	Alike int

	// Shares says that the first row has the beginning of what the others show.
	Shares bool

	weights []int    // hits of each row
	hole    int      // the row in front of which events were not kept; 0: it is not known which one
	names   []string // columns of the kind's own
	all     []row    // before they were folded, for Compare
}

// row is one hit before it is laid out.
type row struct {
	at, function, thread string
	depth                int
	cells                []string
	values               []recording.Value // that stand in the cells
	open                 bool              // a call that had not returned
	behind               bool              // events between it and the row before were not kept
	times                int
}

// Values is the table of the hits of lines; names are the expressions.
func Values(log recording.Log, names []string, rel func(at string) string) *Table {
	var rows []row
	for _, e := range log.Events {
		if e.Kind == recording.Hit {
			rows = append(rows, row{at: rel(e.At), thread: e.Thread, depth: e.Depth, cells: texts(e.Values, len(names)), values: e.Values})
		}
	}
	return newTable(names, rows)
}

// Lines is the table of the lines of one call: those after which one of the named
// expressions has changed, else each with the variables that it has changed.
func Lines(log recording.Log, names []string, rel func(at string) string) *Table {
	columns, width := names, len(names)
	if width == 0 {
		columns, width = []string{"changed"}, 1
	}
	var rows []row
	for _, e := range log.Events {
		if e.Kind != recording.Line {
			continue
		}
		cells := texts(e.Values, width)
		if len(names) == 0 {
			cells = []string{assignmentText(e.Names, e.Values, ", ")}
		}
		rows = append(rows, row{at: rel(e.At), thread: e.Thread, cells: cells, values: e.Values})
	}
	return newTable(columns, rows)
}

// Moments is the table of the moments at which a condition came to hold.
func Moments(log recording.Log, rel func(at string) string) *Table {
	var rows []row
	var names []string
	for _, e := range log.Events {
		if e.Kind != recording.Moment {
			continue
		}
		if names == nil {
			names = append([]string{"function"}, e.Names...)
		}
		cells := append([]string{e.Function}, texts(e.Values, len(names)-1)...)
		rows = append(rows, row{at: rel(e.At), thread: e.Thread, cells: cells, values: e.Values})
	}
	return newTable(names, rows)
}

// Changes is the table of the values that the condition of a First has taken in turn,
// whatever had run then; counted says that the judgements at which it did tell them apart.
func Changes(log recording.Log, counted bool) *Table {
	var rows []row
	for _, e := range log.Events {
		if e.Kind != recording.Changed || len(e.Values) == 0 {
			continue
		}
		r := row{thread: e.Thread, cells: texts(e.Values, 1), values: e.Values[:1]}
		if counted {
			r.cells = append(r.cells, strconv.FormatInt(e.Hit, 10))
		}
		rows = append(rows, r)
	}
	return newTable([]string{"value"}, rows)
}

// began is a call that has not ended yet, and the row of it.
type began struct {
	row int
	at  recording.Event
}

// Calls is the table of calls, in the order in which they began.
func Calls(log recording.Log, rel func(at string) string) *Table {
	var rows []row
	open, under := map[int64]began{}, openCalls{}
	for _, e := range log.Events {
		switch e.Kind {
		case recording.Enter:
			open[e.Call] = began{len(rows), e}
			if e.Depth = under.enter(e); log.Thinned {
				e.Depth = 0
			}
			from := ""
			if len(e.Stack) > 0 {
				function, at := recording.Caller(e.Stack[0])
				from = function + " " + rel(at)
			}
			rows = append(rows, row{at: rel(e.At), function: e.Function, thread: e.Thread, depth: e.Depth, cells: []string{e.Function + "(" + assignmentText(e.Names, e.Values, ", ") + ")", "", from}, values: e.Values})
		case recording.Leave:
			call, ok := open[e.Call]
			if !ok {
				continue // it began where rows were dropped
			}
			i := call.row
			result := strings.Join(texts(e.Values, len(e.Values)), ", ")
			if e.Raised {
				result = "raised " + result
			}
			rows[i].cells[1] = result
			rows[i].values = append(slices.Clip(rows[i].values), e.Values...)
			delete(open, e.Call)
			under.leave(call.at)
		}
	}
	for _, call := range open {
		rows[call.row].cells[1], rows[call.row].open = "(not returned)", true
	}
	return newTable([]string{"call", "result", "from"}, rows)
}

// Object is the column that tells the places apart where several were written to.
const Object = "object"

// Named is in the cell of an object to which the question's expression led.
const Named = ", named"

// Writes is the table of what was written to. Where that was more than one object they
// have numbers, and so they have where one is not among the named: the places to which
// the question's expression led, of which there are none where that is not known.
func Writes(log recording.Log, named []string, rel func(at string) string) *Table {
	var rows []row
	others := false
	numbers := map[string]int{}
	hole := behindHole(log)
	for _, e := range log.Events {
		if e.Kind != recording.Write {
			continue
		}
		if numbers[e.Place] == 0 {
			numbers[e.Place] = len(numbers) + 1
		}
		function := e.Function
		if e.Text == recording.Unseen {
			function = "unseen, before " + function
		}
		object := "#" + strconv.Itoa(numbers[e.Place])
		if slices.Contains(named, e.Place) {
			object += Named
		} else if len(named) > 0 {
			others = true
		}
		pair := texts(e.Values, 2)
		rows = append(rows, row{at: rel(e.At), thread: e.Thread, cells: []string{function, pair[0], pair[1], object}, values: e.Values, behind: e.Seq == hole})
	}
	names := []string{"function", "was", "value", Object}
	if len(numbers) <= 1 && !others {
		names = names[:3]
		for i := range rows {
			rows[i].cells = rows[i].cells[:3]
		}
	}
	t := newTable(names, rows)
	if hole == atTheEnd {
		t.hole = len(t.Rows)
	}
	return t
}

// behindHole is the number of the first write behind events that were not kept; 0 where all were,
// and atTheEnd where there is none behind them.
func behindHole(log recording.Log) int64 {
	holed := false
	for i, e := range log.Events {
		if log.Dropped == 0 || e.Child > 0 {
			return 0
		}
		holed = holed || i > 0 && log.Events[i-1].Seq != e.Seq-1
		if holed && e.Kind == recording.Write {
			return e.Seq
		}
	}
	if holed {
		return atTheEnd
	}
	return 0
}

const atTheEnd = math.MaxInt64

// newTable lays out rows, with a column for thread, place and the like only where it
// tells rows apart.
func newTable(names []string, rows []row) *Table {
	t := &Table{Rows: [][]string{}, names: names, all: rows}
	rows, t.Alike = foldRows(rows)
	shape := shapeOf(rows)
	t.Columns = shape.columns(names)
	for i, r := range rows {
		if r.behind {
			t.hole = i
		}
		t.weights = append(t.weights, r.times)
		t.Hits += int64(r.times)
		t.Rows = append(t.Rows, shape.cells(r))
	}
	return t
}

// shape is which columns rows need beside their own.
type shape struct{ threads, depths, times bool }

func shapeOf(rows []row) shape {
	return shape{
		threads: slices.ContainsFunc(rows, func(r row) bool { return r.thread != "" }),
		depths:  slices.ContainsFunc(rows, func(r row) bool { return r.depth > 0 }),
		times:   slices.ContainsFunc(rows, func(r row) bool { return r.times > 1 }),
	}
}

func (s shape) columns(names []string) []string {
	columns := append([]string{"at"}, names...)
	if s.threads {
		columns = append(columns, "thread")
	}
	if s.depths {
		columns = append(columns, "depth")
	}
	if s.times {
		columns = append(columns, "times")
	}
	return columns
}

func (s shape) cells(r row) []string {
	cells := append([]string{r.at}, r.cells...)
	if s.threads {
		cells = append(cells, r.thread)
	}
	if s.depths {
		cells = append(cells, depthOf(r))
	}
	if s.times {
		cells = append(cells, strconv.Itoa(r.times))
	}
	return cells
}

// Cut keeps at most limit rows, the first and the last, and counts what goes; lost
// are hits that were not kept at all, which lie in the middle too, or before the first.
func (t *Table) Cut(limit int, lost int64) {
	t.Hits += lost
	t.Dropped, t.Gap = lost, len(t.Rows)
	if t.Truncated {
		t.Gap = 0
	}
	if t.hole > 0 {
		t.Gap = t.hole
	}
	if over := len(t.Rows) - limit; over > 0 {
		if !t.Truncated {
			t.Gap = min(max((limit+1)/2, t.hole-over), cmp.Or(t.hole, limit))
		}
		for _, n := range t.weights[t.Gap : t.Gap+over] {
			t.Dropped += int64(n)
		}
		t.Rows = slices.Delete(t.Rows, t.Gap, t.Gap+over)
		t.weights = slices.Delete(t.weights, t.Gap, t.Gap+over)
	}
	t.trimCommonStart()
}

// foldRows joins neighbours that are the same in full, and counts those that only look so.
func foldRows(rows []row) (out []row, alike int) {
	for _, r := range rows {
		r.times = 1
		if n := len(out); n > 0 && !r.behind && isShownAlike(out[n-1], r) {
			if out[n-1].compare(r) == recording.Equal {
				out[n-1].times++
				continue
			}
			alike++
		}
		out = append(out, r)
	}
	return out, alike
}

// isShownAlike says that two rows show the same.
func isShownAlike(a, b row) bool {
	return a.at == b.at && a.function == b.function && a.thread == b.thread && a.depth == b.depth && slices.Equal(a.cells, b.cells)
}

// compare compares what stands in two rows: all of the values, and not what is shown.
func (r row) compare(o row) recording.Equality {
	if r.at != o.at || r.depth != o.depth || !slices.EqualFunc(r.cells, o.cells, recording.Alike) || len(r.values) != len(o.values) {
		return recording.Different
	}
	equality := recording.Equal
	for i := range r.values {
		switch recording.Compare(r.values[i], o.values[i]) {
		case recording.Different:
			return recording.Different
		case recording.NotCompared:
			equality = recording.NotCompared
		}
	}
	return equality
}

func texts(values []recording.Value, n int) []string {
	out := make([]string, n)
	for i := range min(n, len(values)) {
		out[i] = values[i].Shown()
	}
	return out
}

func assignmentText(names []string, values []recording.Value, between string) string {
	var list []string
	for i, name := range names {
		if i < len(values) {
			list = append(list, name+"="+values[i].Shown())
		}
	}
	return strings.Join(list, between)
}

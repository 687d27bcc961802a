// Package fold reads a profile for one who knows the program: it counts the user's lines and
// functions, each with what it does itself and with what it calls, and finds the way on which
// most is spent. What libraries do is counted to the line of the user's that called them.
// It is pure.
package fold

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/profiling"
)

// Frame is a place of a stack.
type Frame struct {
	Function string
	File     string
	Line     int
	Library  bool // not of the user's code
}

// Row is a line, or a function, with what was measured there.
type Row struct {
	Frame           // of a function: the line of it at which most was measured
	WaitsFor string // of profiles of what threads wait for
	Self     int64  // here, and in what libraries did for it
	Total    int64  // here and in all that is called from here
	Called   []Part // what libraries did of Self, the largest first
}

// Part is a part of what was measured.
type Part struct {
	Name  string
	Value int64
}

// Folded is a profile as the user's lines see it.
type Folded struct {
	Lines     []Row // by Self
	Functions []Row // by Self
	Way       []Row // the way on which most is spent, from the outermost on; Self is what is spent there and goes no further
	Samples   int64
	Sum       int64 // of all values: nanoseconds where Timed, else samples
	Timed     bool
}

// Fold reads a profile. Library says what is not of the user's code; a stack without any is
// counted to its outermost frame.
func Fold(p *profile.Profile, library func(*profile.Function) bool) *Folded {
	f := &folding{lines: map[place]*count{}, functions: map[Frame]*count{}, known: map[uint64]bool{}, library: library, root: &node{}}
	value, timed := index(p, profiling.Time)
	samples, counted := index(p, profiling.Samples)
	if !timed {
		value = samples
	}
	out := &Folded{Timed: timed}
	for _, s := range p.Sample {
		if counted {
			out.Samples += s.Value[samples]
		}
		out.Sum += s.Value[value]
		f.add(s, s.Value[value])
	}
	out.Lines, out.Functions, out.Way = f.lineRows(), f.functionRows(), f.way(out.Sum)
	return out
}

// index is where the samples have their values of a type.
func index(p *profile.Profile, typ string) (i int, is bool) {
	i = slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == typ })
	return max(i, 0), i >= 0
}

// folding counts.
type folding struct {
	library   func(*profile.Function) bool
	known     map[uint64]bool // which functions are a library's
	lines     map[place]*count
	functions map[Frame]*count
	root      *node
}

// place is a line, and what was waited for there.
type place struct {
	Frame
	waits string
}

// count is what was measured somewhere.
type count struct {
	self, total int64
	called      map[string]int64
	lines       map[int]int64 // of a function
}

func (c *count) addCalled(name string, v int64) {
	if c.called == nil {
		c.called = map[string]int64{}
	}
	c.called[name] += v
}

// stack is the frames of a sample, the innermost first.
func (f *folding) stack(s *profile.Sample) []Frame {
	var list []Frame
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function == nil {
				continue
			}
			is, known := f.known[line.Function.ID]
			if !known {
				is = f.library(line.Function)
				f.known[line.Function.ID] = is
			}
			list = append(list, Frame{Function: line.Function.Name, File: line.Function.Filename, Line: int(line.Line), Library: is})
		}
	}
	return list
}

// add counts a sample: to each line and each function once, however often it stands there.
func (f *folding) add(s *profile.Sample, v int64) {
	stack := f.stack(s)
	if len(stack) == 0 {
		stack = []Frame{{Function: "(unknown)", Library: true}}
	}
	top := slices.IndexFunc(stack, func(f Frame) bool { return !f.Library })
	called := ""
	switch {
	case top > 0:
		called = stack[top-1].Function
	case top < 0:
		top = len(stack) - 1
		called = stack[0].Function
		stack[top].Line = 0
		if top == 0 {
			called = ""
		}
	}
	waits := ""
	if label := s.Label[profiling.WaitsLabel]; len(label) > 0 {
		waits = label[0]
	}
	seenLines, seenFunctions := map[place]bool{}, map[Frame]bool{}
	at := f.root
	for i := len(stack) - 1; i >= top; i-- {
		frame := stack[i]
		if frame.Library && i != top {
			continue
		}
		line, function := place{Frame: frame}, frame
		if i == top {
			line.waits = waits
		}
		function.Line = 0
		l, fn := counted(f.lines, line), counted(f.functions, function)
		if !seenLines[line] {
			l.total += v
			seenLines[line] = true
		}
		if !seenFunctions[function] {
			fn.total += v
			seenFunctions[function] = true
		}
		at = at.enter(frame, v)
		if i == top {
			l.self += v
			fn.self += v
			if fn.lines == nil {
				fn.lines = map[int]int64{}
			}
			fn.lines[frame.Line] += v
			at.self += v
			if called != "" {
				l.addCalled(called, v)
				fn.addCalled(called, v)
			}
		}
	}
}

func counted[K comparable](in map[K]*count, k K) *count {
	if in[k] == nil {
		in[k] = &count{}
	}
	return in[k]
}

// row is what was counted at a place.
func (c *count) row(r Row) Row {
	r.Self, r.Total = c.self, c.total
	for name, v := range c.called {
		r.Called = append(r.Called, Part{name, v})
	}
	slices.SortFunc(r.Called, func(a, b Part) int { return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name)) })
	return r
}

func (f *folding) lineRows() []Row {
	var list []Row
	for key, c := range f.lines {
		list = append(list, c.row(Row{Frame: key.Frame, WaitsFor: key.waits}))
	}
	sortRows(list)
	return list
}

func (f *folding) functionRows() []Row {
	var list []Row
	for key, c := range f.functions {
		r := c.row(Row{Frame: key})
		var most int64
		for line, v := range c.lines {
			if v > most || v == most && line < r.Line {
				most, r.Line = v, line
			}
		}
		list = append(list, r)
	}
	sortRows(list)
	return list
}

func sortRows(list []Row) {
	slices.SortFunc(list, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.WaitsFor, b.WaitsFor))
	})
}

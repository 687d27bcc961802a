//go:build go1.22

package recorder

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Frame is one call of a function that is followed.
type Frame struct {
	call  int64
	site  string   // of the statement that ends it
	was   [][]byte // what the targets of the statement held that runs
	saved []interface{}
	noted bool
	calls bool  // the statement calls something before it writes
	since int64 // how many writes were noted then

	results   []interface{} // that return statements write to
	given     []interface{} // those of them that this one does
	returning string        // its site

	lent   []lent // that the statement gives away which runs
	lender string // its site
}

var calls atomic.Int64

// Open begins a call that is not noted itself.
func Open() *Frame {
	places.wanted.Store(true)
	return &Frame{call: calls.Add(1)}
}

// Enter notes that a call began.
func Enter(site string, list ...interface{}) *Frame {
	f := &Frame{call: calls.Add(1), site: site, noted: on}
	if !on {
		return f
	}
	long.Do(live)
	f.enter(list, 3)
	return f
}

// Call is Enter for a table of calls, and answers with what is to be deferred. The
// list is that of the arguments, so many, and of the results.
func Call(site string, arguments int, list ...interface{}) func() {
	f := &Frame{call: calls.Add(1), site: site, noted: on}
	if on {
		f.enter(list[:arguments], 1)
	}
	return func() { f.leave(list[arguments:]) }
}

func (f *Frame) enter(list []interface{}, callers int) { f.enterFrom(1, list, callers) }

// enterFrom is enter where some more frames are between it and the caller that is told.
func (f *Frame) enterFrom(more int, list []interface{}, callers int) {
	l := event("enter", f.site)
	l.number("c", f.call)
	l.values(list, placed)
	l.callers(3+more, callers)
	l.end()
}

// values appends what operands are.
func (l *line) values(list []interface{}, how int) {
	if len(list) == 0 {
		return
	}
	before := `,"v":[`
	for _, o := range list {
		l.b = append(l.b, before...)
		l.value(o, how)
		before = ","
	}
	l.b = append(l.b, ']')
}

// addText notes a text alone, where nothing but that is known of a value.
func (l *line) addText(name string, text []byte) {
	l.b = append(l.b, `,"v":[{`...)
	l.member(name, text)
	l.b = append(l.b, `}]`...)
}

var long sync.Once

// live lets what is noted live long, so that no place is used for something else,
// unless the user has said how memory is to be used. When that has taken as much as it
// may, memory is used as ever.
func live() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(512<<20)
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// Return remembers the return statement.
func (f *Frame) Return(site string) { f.site = site }

// Leave notes that it ended; it is deferred.
func (f *Frame) Leave(list ...interface{}) { f.leave(list) }

func (f *Frame) leave(list []interface{}) {
	if !f.noted {
		return
	}
	l := event("leave", f.site)
	l.number("c", f.call)
	if text, is := currentPanic(2); is {
		l.b = append(l.b, `,"x":true`...)
		l.addText("v", text)
	} else {
		l.values(list, placed)
	}
	l.end()
}

// Use notes what the statement reads that is about to run.
func (f *Frame) Use(site string, reads ...interface{}) {
	if !on {
		return
	}
	l := event("use", site)
	l.number("c", f.call)
	l.values(reads, placed)
	l.end()
}

// Was remembers what the targets of the statement hold.
func (f *Frame) Was(targets ...interface{}) {
	if !on {
		return
	}
	f.was, f.saved = f.was[:0], f.saved[:0]
	for _, t := range targets {
		f.was = append(f.was, appendOperand(nil, t))
	}
}

// appendOperand appends what an operand is, as events have it.
func appendOperand(b []byte, o interface{}) []byte {
	l := event("", "")
	from := len(l.b)
	l.value(o, plain)
	b = append(b, l.b[from:]...)
	lines.Put(l)
	return b
}

// Save is Was for targets whose places are not the same after the statement.
func (f *Frame) Save(targets ...P) {
	if !on {
		return
	}
	f.Was()
	for _, t := range targets {
		p := targetOf(t)
		f.was, f.saved = append(f.was, appendOperand(nil, p)), append(f.saved, p)
	}
}

// targetOf is a pointer, or says why there is none.
func targetOf(t P) (p interface{}) {
	defer func() {
		if recover() != nil {
			p = Gap("it cannot be reached")
		}
	}()
	return t()
}

// Wrote notes what the statement has written that has run.
func (f *Frame) Wrote(site string, targets ...interface{}) { f.wrote(site, nil, targets) }

// Changed is Wrote after Was.
func (f *Frame) Changed(site string, targets ...interface{}) { f.wrote(site, f.was, targets) }

// Saved is Changed after Save.
func (f *Frame) Saved(site string) { f.wrote(site, f.was, f.saved) }

func (f *Frame) wrote(site string, was [][]byte, targets []interface{}) {
	if !on {
		return
	}
	waited := f.waited()
	for i, t := range targets {
		l := event("write", site)
		l.number("c", f.call)
		l.b = append(l.b, `,"v":[`...)
		head := len(l.b)
		if i < len(was) {
			l.b = append(l.b, was[i]...)
		} else {
			l.b = append(l.b, '{', '}')
		}
		tail := len(l.b)
		l.b = append(l.b, ',')
		l.value(t, apart)
		if !hits(t, l.at) {
			lines.Put(l)
			continue
		}
		if waited && i < len(was) {
			value := append([]byte(nil), l.b[tail:]...)
			l.b = append(append(l.b[:head], f.before(string(l.place), was[i])...), value...)
		}
		putMeanwhile(string(l.place), t)
		l.b = append(l.b, ']')
		l.endWrite()
	}
}

// Made notes what the fields of an object hold first that is made within a statement, and gives it back.
func (f *Frame) Made(site string, fields func(made interface{}) []interface{}, made interface{}) interface{} {
	f.wrote(site, nil, fields(made))
	return made
}

// Global notes what a variable of a package begins with.
func Global(site string, p interface{}) { (&Frame{}).wrote(site, nil, []interface{}{p}) }

// Hit notes a pass of a line.
func Hit(site string, places int, when func() bool, list ...interface{}) {
	if !on {
		return
	}
	if when != nil {
		holds, why := test(when)
		if why != nil {
			l := event("hit", site)
			l.addText("e", append([]byte("condition: "), why...))
			l.end()
			return
		}
		if !holds {
			return
		}
	}
	l := event("hit", site)
	if places != plain {
		places = parted
	}
	l.values(list, places)
	l.end()
}

func test(when func() bool) (holds bool, why []byte) {
	defer func() {
		if p := recover(); p != nil {
			why = panicText(p)
		}
	}()
	return when(), nil
}

// Noted is Wrote where only an expression can stand; it holds always.
func (f *Frame) Noted(site string, targets ...interface{}) bool {
	f.wrote(site, nil, targets)
	return true
}

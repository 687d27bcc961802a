//go:build go1.22

package recorder

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Counter counts the calls of one function. Those are noted that come until one number,
// or after another.
type Counter struct {
	alone        atomic.Bool // calls are not even counted any more
	calls        atomic.Int64
	until, after int64
	told         atomic.Int64 // how many have been told of
}

// What is asked, which does not change.
var (
	// firstCalls is how many calls of each function are noted as they come.
	firstCalls = int64(math.MaxInt64)
	// last is how many calls are noted after Counter.after: what comes later than what is asked
	// for is not.
	last = int64(math.MaxInt64)
	// onlyLast says that the run is made for the last calls: their values are looked at, and
	// not compared.
	onlyLast bool
)

// thin reads how often a function may be called until its calls are only counted. Each
// line of the file is a word and a number, or the number of a counter and a count after
// which calls are noted.
func thin() {
	f, err := os.Open(filepath.Join(notes.dir, "thin"))
	if err != nil {
		return
	}
	defer f.Close()
	leave := int64(math.MaxInt64)
	after := map[int]int64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.ParseInt(text, 10, 64)
		switch i, err := strconv.Atoi(name); {
		case err == nil && i >= 0 && i < len(counters):
			after[i] = n
		case name == "first":
			firstCalls = n
		case name == "last":
			last = n
		case name == "leave" && n > 0:
			leave = n
		}
	}
	onlyLast = len(after) > 0
	for i := range counters {
		c := &counters[i]
		c.until, c.after = firstCalls, leave
		if n, is := after[i]; is {
			c.until, c.after = -1, n
		}
	}
}

// Meet begins a call of a function that is counted; nil where it is not to be noted. It
// is so short that the compiler puts it in place.
func Meet(i int) *Frame {
	c := &counters[i]
	if c.alone.Load() {
		return nil
	}
	if n := c.calls.Add(1); n > c.until && n <= c.after {
		return nil
	}
	return beginCall(i)
}

// beginCall begins a call that is to be noted. The last one before the others are only counted
// tells of that.
func beginCall(i int) *Frame {
	c := &counters[i]
	n := c.calls.Load()
	switch {
	case !on:
		return nil
	case c.until < 0:
		if n > c.after+2*last {
			return nil
		}
	case n > c.after:
		leaveAlone(i)
		return nil
	case n >= firstCalls && c.told.Load() == 0:
		count(i, n)
	}
	return &Frame{call: calls.Add(1), noted: true}
}

// leaveAlone ends all that a function costs but a look at whether it does.
func leaveAlone(i int) {
	if counters[i].alone.Swap(true) {
		return
	}
	l := event("unwatched", sites[i])
	l.number("h", firstCalls)
	l.end()
}

// IsAlone says that not even the calls of a function are counted any more. It is so short that the
// compiler puts it in place, and then the function where it is called.
func IsAlone(i int) bool { return counters[i].alone.Load() }

// Begin notes that the call began; the arguments are pointers to copies.
func (f *Frame) Begin(site string, arguments ...interface{}) {
	f.site = site
	f.enter(arguments, 1)
}

// BeginCopy is Begin in the copy of a function, which that calls.
func (f *Frame) BeginCopy(site string, arguments ...interface{}) {
	f.site = site
	f.enterFrom(1, arguments, 1)
}

// Leak lets the compiler know that what results refer to is kept: End does so unseen.
func Leak(results ...interface{}) {
	if leaks {
		leaked = append(leaked, results...)
	}
}

var (
	leaks  bool // never
	leaked []interface{}
)

// End notes that it ended; it is deferred in each call that is noted. The pointers are to
// the results, which may lie on the stack: they are copied, and the pointers kept nowhere.
func End(f *Frame, results ...interface{}) {
	f.leave(copies(*(*[]interface{})(hidePointer(unsafe.Pointer(&results)))))
}

// hidePointer hides from the compiler that a pointer is passed on, so that what it leads to
// need not lie on the heap in each call, noted or not.
//
//go:nosplit
func hidePointer(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return unsafe.Pointer(x ^ 0) //nolint:govet,staticcheck // it is the same pointer, within one expression
}

func copies(list []interface{}) []interface{} {
	all := make([]interface{}, len(list))
	for i, p := range list {
		to := reflect.New(reflect.TypeOf(p).Elem())
		to.Elem().Set(reflect.ValueOf(p).Elem())
		all[i] = to.Interface()
	}
	return all
}

// count tells how many calls of a function there were until now.
func count(i int, n int64) {
	counters[i].told.Store(n)
	l := event("counted", sites[i])
	l.number("h", n)
	l.member("o", strconv.AppendInt(nil, int64(i), 10))
	l.end()
}

// countAll tells it of all functions whose calls are not all noted.
func countAll() {
	for i := range counters {
		c := &counters[i]
		if n := c.calls.Load(); !c.alone.Load() && n > firstCalls && n != c.told.Load() {
			count(i, n)
		}
	}
}

//go:build go1.22

package recorder

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// What is looked at is given as a pointer to it, or as one of these, which may panic.
type (
	// P is a pointer to a variable.
	P func() interface{}
	// V is a value that lies in no place.
	V func() interface{}
	// C is a pointer to a copy of a value that lies in no place.
	C func() interface{}
	// E is an entry of a map: the map, the key, the value.
	E func() (m, key, value interface{})
	// Held is, in place of the value of an entry that is an interface, a pointer to a copy.
	Held struct{ At interface{} }
	// T is a pointer through which something is written to: that is noted only where it
	// leads to a place that the spec is about.
	T func() interface{}
	// Gap is something that is not there.
	Gap string
)

// How a value is looked at.
const (
	plain  = iota // its text
	placed        // and where it lies
	apart         // and where it lies, which is left in line.place
	parted        // and where it lies, with the parts of it that were written to
)

// value appends what an operand is.
func (l *line) value(o interface{}, how int) {
	l.b = append(l.b, '{')
	mark := len(l.b)
	l.place, l.at, l.operand, l.here = l.place[:0], nil, put{}, nil
	switch p := o.(type) {
	case *int:
		l.integer(int64(*p))
		l.lies(unsafe.Pointer(p), 0, how)
	case *bool:
		l.b = append(l.b, `"v":"`...)
		l.b = strconv.AppendBool(l.b, *p)
		l.b = append(l.b, '"')
		l.lies(unsafe.Pointer(p), 0, how)
	case *int64:
		l.integer(*p)
		l.lies(unsafe.Pointer(p), 0, how)
	case Gap:
		l.member("e", []byte(p))
	default:
		if why := l.any(o, how); why != "" {
			l.b = l.b[:mark]
			l.member("e", []byte(why))
		}
	}
	if l.at != nil && l.operand.how == nil {
		l.operand = put{l.at, o}
	}
	l.b = append(l.b, '}')
}

func (l *line) integer(n int64) {
	l.b = append(l.b, `"v":"`...)
	l.b = strconv.AppendInt(l.b, n, 10)
	l.b = append(l.b, '"')
}

// any is for what has no short way. Where the program writes to the value at the same
// time, what is read may be torn: a fault of that becomes a panic, too.
func (l *line) any(o interface{}, how int) (why string) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		if p := recover(); p != nil {
			why = string(panicText(p))
		}
		debug.SetPanicOnFault(old)
	}()
	switch p := o.(type) {
	case V:
		l.addValue(reflect.ValueOf(p()), nil, how)
		return ""
	case C:
		l.addValue(reflect.ValueOf(p()).Elem(), nil, how)
		return ""
	case E:
		m, key, value := p()
		v := reflect.ValueOf(value)
		if held, is := value.(Held); is {
			v = reflect.ValueOf(held.At).Elem()
		}
		l.addValue(v, nil, how)
		if how != plain {
			l.entry(reflect.ValueOf(m), reflect.ValueOf(key), how)
		}
		return ""
	case P:
		o = p()
	case T:
		o = p()
	}
	v := reflect.ValueOf(o)
	if v.IsNil() {
		panic("nil pointer dereference")
	}
	l.addValue(v.Elem(), v.UnsafePointer(), how)
	l.operand = put{v.UnsafePointer(), o}
	size := 0
	if k := v.Elem().Kind(); k == reflect.Struct || k == reflect.Array {
		if size = int(v.Elem().Type().Size()); size == 0 {
			return "" // all of them lie in the same place
		}
	}
	l.lies(v.UnsafePointer(), size, how)
	return ""
}

// addValue tells a value, which lies in a place or is a copy, and what it refers to.
func (l *line) addValue(v reflect.Value, p unsafe.Pointer, how int) {
	l.show(v)
	l.refers(v, how)
	if how != plain {
		l.sum(v, p)
	}
	if how == parted {
		l.parts(v, p)
	}
}

func (l *line) show(v reflect.Value) {
	var cut bool
	l.scratch, cut = appendShown(l.scratch[:0], v, true)
	l.member("v", l.scratch)
	if cut {
		l.b = append(l.b, `,"u":true`...)
		if l.within {
			l.here = hashOf(v, true)
		}
		if !onlyLast {
			l.member("w", hashOf(v, false))
		}
	}
}

// lies says where a value lies.
func (l *line) lies(p unsafe.Pointer, size int, how int) {
	if how == plain {
		return
	}
	keep(p)
	l.at = p
	l.scratch = strconv.AppendUint(l.scratch[:0], uint64(uintptr(p)), 16)
	l.addPlace(how)
	l.number("z", int64(size))
}

// addPlace tells the place that was put together, or leaves it in line.place.
func (l *line) addPlace(how int) {
	if how == apart {
		l.place = append(l.place[:0], l.scratch...)
	} else {
		l.member("o", l.scratch)
	}
}

// entry says in which map a value lies, and at which key.
func (l *line) entry(m, key reflect.Value, how int) {
	if m.Kind() != reflect.Map || m.IsNil() {
		return
	}
	keep(m.UnsafePointer())
	l.scratch = strconv.AppendUint(l.scratch[:0], uint64(m.Pointer()), 16)
	l.member("h", l.scratch)
	l.scratch = append(l.scratch, '[')
	l.scratch, _ = appendShown(l.scratch, key, true)
	l.scratch = append(l.scratch, ']')
	l.addPlace(how)
	l.operand = put{m.UnsafePointer(), entryNow(m, key)}
}

// refers tells what a value refers to, and how many bytes of it.
func (l *line) refers(v reflect.Value, how int) {
	if how == plain {
		return
	}
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	span := uintptr(0)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if span = v.Type().Elem().Size(); span == 0 {
			return
		}
	case reflect.Slice:
		if v.Cap() == 0 {
			return
		}
		size := v.Type().Elem().Size()
		if size == 0 {
			return
		}
		span = uintptr(v.Len()) * size
	case reflect.Map, reflect.Chan:
		if v.IsNil() {
			return
		}
	default:
		return
	}
	keep(v.UnsafePointer())
	l.scratch = strconv.AppendUint(l.scratch[:0], uint64(v.Pointer()), 16)
	l.member("i", l.scratch)
	l.number("y", int64(span))
}

// kept are the places that were noted last, so that nothing else comes to lie there.
var (
	kept [20000]unsafe.Pointer
	next atomic.Int64
)

func keep(p unsafe.Pointer) { kept[next.Add(1)%int64(len(kept))] = p }

// sourceName is a function as the source names it: of example.com/cron/v3 it is cron.New.
func sourceName(function string) string {
	if len(named) > 0 {
		of := packageOf(function)
		for _, n := range named {
			if _, rest, is := strings.Cut(shortName(function), "."); is && n[0] == of {
				return n[1] + "." + rest
			}
		}
	}
	return shortName(function)
}

// calledFrom are callers as they stand in events, by the places that the runtime knows them by: to
// find their names takes longer than all the rest of an event.
var calledFrom struct {
	sync.RWMutex
	texts map[[5]uintptr][]byte
}

const mostCalledFrom = 10_000

// callers are those of a function of the program, as a member of the event.
func (l *line) callers(skip, n int) {
	var pcs [5]uintptr
	found := runtime.Callers(skip+2, pcs[:n])
	calledFrom.RLock()
	text, known := calledFrom.texts[pcs]
	calledFrom.RUnlock()
	if known {
		l.b = append(l.b, text...)
		return
	}
	from := len(l.b)
	l.names(pcs[:found])
	calledFrom.Lock()
	if calledFrom.texts == nil {
		calledFrom.texts = map[[5]uintptr][]byte{}
	}
	if len(calledFrom.texts) < mostCalledFrom {
		calledFrom.texts[pcs] = append([]byte(nil), l.b[from:]...)
	}
	calledFrom.Unlock()
}

// names are callers as a member of the event.
func (l *line) names(pcs []uintptr) {
	frames := runtime.CallersFrames(pcs)
	before := `,"s":[`
	for {
		f, more := frames.Next()
		if f.PC == 0 || f.Function == "runtime.goexit" || f.Function == "runtime.main" {
			break
		}
		l.b = append(l.b, before...)
		function := sourceName(f.Function)
		l.scratch = append(append(append(l.scratch[:0], function...), ' '), f.File...)
		l.scratch = strconv.AppendInt(append(l.scratch, ':'), int64(f.Line), 10)
		l.b = appendQuoted(l.b, l.scratch)
		before = ","
		if !more {
			break
		}
	}
	if before == "," {
		l.b = append(l.b, ']')
	}
}

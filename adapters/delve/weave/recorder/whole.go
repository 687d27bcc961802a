//go:build go1.22

package recorder

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

const (
	wholeSize = 1 << 20   // of one value, at most
	wholeRun  = 128 << 20 // of all values of a run: then it would take too long
	innermost = 5000      // levels of one value
)

// spent is how much of the run's share is gone.
var spent atomic.Int64

// hashOf is a hash of all of a value with its types, equal for equal values in all runs:
// no address is in it, and maps are in one order. It is empty where a value is too large
// or cannot be read to its end. Within one run an address stands for what cannot be read.
func hashOf(v reflect.Value, within bool) (sum []byte) {
	if spent.Load() > wholeRun {
		return nil
	}
	e := encoder{left: wholeSize, seen: map[pointee]int{}, within: within}
	defer func() {
		spent.Add(int64(wholeSize - e.left))
		if recover() != nil {
			sum = nil
		}
	}()
	e.tag('t', v.Type().String())
	e.value(v, 0)
	h := fnv.New128a()
	_, _ = h.Write(e.b)
	const digits = "0123456789abcdef"
	for _, c := range h.Sum(nil) {
		sum = append(sum, digits[c>>4], digits[c&15])
	}
	return sum
}

// pointee is something that a pointer of a type leads to.
type pointee struct {
	at   unsafe.Pointer
	kind reflect.Type
}

// encoder writes all of a value, so that different values are different bytes. It panics
// where it cannot.
type encoder struct {
	b    []byte
	left int
	seen map[pointee]int // where a pointer has led before: its number
	way  []pointee       // in that order

	within bool // addresses count
}

func (e *encoder) take(n int) {
	if e.left -= n; e.left < 0 {
		panic("too large")
	}
}

func (e *encoder) tag(kind byte, text string) {
	e.take(len(text) + 9)
	e.b = append(binary.LittleEndian.AppendUint64(append(e.b, kind), uint64(len(text))), text...)
}

func (e *encoder) word(kind byte, n uint64) {
	e.take(9)
	e.b = binary.LittleEndian.AppendUint64(append(e.b, kind), n)
}

func (e *encoder) value(v reflect.Value, depth int) {
	if depth > innermost {
		panic("too deep")
	}
	switch v.Kind() {
	case reflect.Invalid:
		e.word('0', 0)
	case reflect.String:
		e.tag('s', v.String())
	case reflect.Pointer:
		e.pointer(v.UnsafePointer(), v.Type().Elem(), depth)
	case reflect.Interface:
		if v.IsNil() {
			e.word('0', 0)
			return
		}
		e.tag('t', v.Elem().Type().String())
		e.value(v.Elem(), depth+1)
	case reflect.Struct:
		e.structure(v, depth)
	case reflect.Slice, reflect.Array:
		e.elements(v, depth)
	case reflect.Map:
		e.mapping(v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		e.reference(v)
	default:
		e.number(v)
	}
}

func (e *encoder) number(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		e.tag('b', strconv.FormatBool(v.Bool()))
	case v.Kind() == reflect.Uintptr && !e.within: // an address, mostly, which differs from run to run
		e.word('p', 0)
	case v.CanInt():
		e.word('i', uint64(v.Int()))
	case v.CanUint():
		e.word('u', v.Uint())
	case v.CanFloat():
		e.word('f', math.Float64bits(v.Float()))
	default:
		e.word('f', math.Float64bits(real(v.Complex())))
		e.word('f', math.Float64bits(imag(v.Complex())))
	}
}

// pointer writes what it leads to, once.
func (e *encoder) pointer(p unsafe.Pointer, to reflect.Type, depth int) {
	if p == nil {
		e.word('0', 0)
		return
	}
	at := pointee{p, to}
	if n, before := e.seen[at]; before {
		e.word('r', uint64(n))
		return
	}
	e.seen[at] = len(e.way)
	e.way = append(e.way, at)
	e.word('*', 0)
	e.value(reflect.NewAt(to, p).Elem(), depth+1)
}

func (e *encoder) structure(v reflect.Value, depth int) {
	t := v.Type()
	if name, is := testName(v); is {
		e.value(name, depth+1)
		return
	}
	switch {
	case t.PkgPath() == "sync" && t.Name() == "Pool": // only keeps what may be thrown away
		return
	case t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		e.pointer(v.FieldByName("v").UnsafePointer(), t.Field(0).Type.Elem().Elem(), depth)
		return
	}
	e.word('{', uint64(v.NumField()))
	for i := range v.NumField() {
		e.value(v.Field(i), depth+1)
	}
}

func (e *encoder) elements(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		e.word('0', 0)
		return
	}
	e.word('[', uint64(v.Len()))
	if v.Len() > e.left {
		panic("too large")
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		e.take(v.Len())
		e.b = append(e.b, v.Bytes()...)
		return
	}
	for i := range v.Len() {
		e.value(v.Index(i), depth+1)
	}
}

// mapping writes the entries in the order of what they are written as. A pointer in one
// says nothing of the others.
func (e *encoder) mapping(v reflect.Value, depth int) {
	if v.IsNil() {
		e.word('0', 0)
		return
	}
	calm, ok := stillMap(v)
	if !ok || v.Len() > e.left {
		panic("it may change")
	}
	e.word('m', uint64(v.Len()))
	whole, from := e.b, len(e.way)
	var entries [][]byte
	for it := calm.MapRange(); it.Next(); {
		e.b = nil
		e.value(it.Key(), depth+1)
		e.value(it.Value(), depth+1)
		entries = append(entries, e.b)
		for _, at := range e.way[from:] {
			delete(e.seen, at)
		}
		e.way = e.way[:from]
	}
	slices.SortFunc(entries, bytes.Compare)
	e.b = append(whole, bytes.Join(entries, nil)...)
}

func (e *encoder) reference(v reflect.Value) {
	switch {
	case v.IsNil():
		e.word('0', 0)
	case e.within:
		e.word('p', uint64(v.Pointer()))
		if v.Kind() == reflect.Chan {
			e.word('C', uint64(v.Len()))
		}
	case v.Kind() == reflect.Func:
		f := runtime.FuncForPC(v.Pointer())
		if f == nil {
			panic("not known")
		}
		e.tag('F', f.Name())
	case v.Kind() == reflect.Chan && v.Len() == 0:
		e.word('C', uint64(v.Cap()))
	default:
		panic("what it holds cannot be read")
	}
}

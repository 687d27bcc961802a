//go:build go1.22

package recorder

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

const (
	longest = 200
	deepest = 3
)

// appendShown writes a value as the debugger shows it, without calling any of its
// methods. What is on top says no type, for that stands elsewhere.
func appendShown(b []byte, v reflect.Value, top bool) []byte {
	w := writer{b: b, from: len(b)}
	if top {
		w.top(v)
	} else {
		w.write(v, 1, false)
	}
	if len(w.b)-w.from > longest {
		n := w.from + longest
		for n > w.from && !utf8.RuneStart(w.b[n]) {
			n--
		}
		w.b = append(w.b[:n], "…"...)
	}
	return w.b
}

type writer struct {
	b    []byte
	from int
}

func (w *writer) text(s string) { w.b = append(w.b, s...) }
func (w *writer) full() bool    { return len(w.b)-w.from > longest }

func (w *writer) top(v reflect.Value) {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			w.text("*")
		}
	}
	for i := 0; i < deepest && v.Kind() == reflect.Pointer && !v.IsNil(); i++ { // it may point to itself
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		w.text("nil")
		return
	}
	if v.Kind() == reflect.Slice {
		w.text("len: ")
		w.b = strconv.AppendInt(w.b, int64(v.Len()), 10)
		w.text(", cap: ")
		w.b = strconv.AppendInt(w.b, int64(v.Cap()), 10)
		w.text(", ")
	}
	w.write(v, 0, false)
}

// write writes a value; typed says that its type has to be told.
func (w *writer) write(v reflect.Value, depth int, typed bool) {
	if w.full() {
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.text("nil")
	case reflect.String:
		s := v.String()
		w.b = strconv.AppendQuote(w.b, s[:min(len(s), longest)])
	case reflect.Pointer:
		w.pointer(v, depth, typed)
	case reflect.Interface:
		w.dynamic(v, depth)
	case reflect.Struct:
		w.structure(v, depth, typed)
	case reflect.Slice, reflect.Array:
		w.elements(v, depth)
	case reflect.Map:
		w.mapping(v, depth, typed)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.reference(v)
	default:
		w.number(v)
	}
}

func (w *writer) number(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		w.b = strconv.AppendBool(w.b, v.Bool())
	case reflect.Int32:
		w.b = strconv.AppendInt(w.b, v.Int(), 10)
		if n := v.Int(); v.Type() == reflect.TypeFor[rune]() && n >= ' ' && n <= utf8.MaxRune {
			w.b = strconv.AppendQuoteRune(append(w.b, ' '), rune(n))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int64:
		w.b = strconv.AppendInt(w.b, v.Int(), 10)
	case reflect.Uintptr:
		w.b = strconv.AppendUint(append(w.b, "0x"...), v.Uint(), 16)
	case reflect.Float32, reflect.Float64:
		w.b = strconv.AppendFloat(w.b, v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		w.text(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	default:
		w.b = strconv.AppendUint(w.b, v.Uint(), 10)
	}
}

func (w *writer) pointer(v reflect.Value, depth int, typed bool) {
	name := "*"
	if typed {
		name = v.Type().String() + " "
	}
	w.text(name)
	switch {
	case v.IsNil():
		w.text("nil")
	case depth >= deepest:
		w.text("…")
	default:
		w.write(v.Elem(), depth+1, false)
	}
}

func (w *writer) dynamic(v reflect.Value, depth int) {
	if v.IsNil() {
		w.text("nil")
		return
	}
	w.text(v.Type().String() + "(" + v.Elem().Type().String() + ") ")
	w.write(v.Elem(), depth, false)
}

func (w *writer) structure(v reflect.Value, depth int, typed bool) {
	if typed {
		w.text(v.Type().String() + " ")
	}
	if depth > deepest {
		w.text("{…}")
		return
	}
	if common := v.FieldByName("common"); v.Type().PkgPath() == "testing" && common.IsValid() && common.Kind() == reflect.Struct {
		w.text("{name: ") // of a test; all else in it is the test framework's
		w.write(common.FieldByName("name"), depth+1, false)
		w.text(", …}")
		return
	}
	w.text("{")
	for i := range v.NumField() {
		if i > 0 {
			w.text(", ")
		}
		if w.full() {
			break
		}
		w.text(v.Type().Field(i).Name + ": ")
		w.write(v.Field(i), depth+1, true)
	}
	w.text("}")
}

func (w *writer) elements(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		w.text("nil")
		return
	}
	if depth > deepest {
		w.text("[…]")
		return
	}
	w.text("[")
	for i := range v.Len() {
		if i > 0 {
			w.text(",")
		}
		if w.full() {
			break
		}
		w.write(v.Index(i), depth+1, false)
	}
	w.text("]")
}

func (w *writer) mapping(v reflect.Value, depth int, typed bool) {
	if typed {
		w.text(v.Type().String() + " ")
	}
	if v.IsNil() {
		w.text("nil")
		return
	}
	if depth > deepest {
		w.text("[…]")
		return
	}
	calm, ok := stilled(v)
	if !ok || v.Len() > sortedEntries { // which of so many come first is different each time
		w.text("len: ")
		w.b = strconv.AppendInt(w.b, int64(v.Len()), 10)
		return
	}
	w.text("[")
	for i, e := range sorted(calm) {
		if i > 0 {
			w.text(", ")
		}
		if w.full() {
			break
		}
		w.write(e.key, depth+1, false)
		w.text(": ")
		w.write(e.value, depth+1, false)
	}
	w.text("]")
}

// sortedEntries is how many entries of a map are put in order, at most.
const sortedEntries = 500

type entry struct{ key, value reflect.Value }

// sorted are the entries of a map in the order of their keys, in which the debugger
// shows them: the runtime goes through a map in another order each time.
func sorted(v reflect.Value) []entry {
	var list []entry
	for it := v.MapRange(); it.Next() && len(list) < sortedEntries; {
		list = append(list, entry{it.Key(), it.Value()})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return compare(a.key, b.key) })
	return list
}

func compare(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.Interface && !a.IsNil() && !b.IsNil() && a.Elem().Kind() == b.Elem().Kind():
		return compare(a.Elem(), b.Elem())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(string(appendShown(nil, a, false)), string(appendShown(nil, b, false)))
}

func (w *writer) reference(v reflect.Value) {
	if v.IsNil() {
		w.text("nil")
		return
	}
	switch v.Kind() {
	case reflect.Func:
		if f := runtime.FuncForPC(v.Pointer()); f != nil {
			w.text(f.Name())
			return
		}
	case reflect.Chan:
		w.b = strconv.AppendInt(w.b, int64(v.Len()), 10)
		w.b = strconv.AppendInt(append(w.b, '/'), int64(v.Cap()), 10)
		return
	}
	w.b = strconv.AppendUint(append(w.b, "0x"...), uint64(v.Pointer()), 16)
}

// header is how a map of the runtime begins since Go 1.24. To go through a map while
// another goroutine writes to it ends the program: the runtime looks at the flag for
// that. It is not set in a copy.
type header struct {
	used      uint64
	seed      uintptr
	directory unsafe.Pointer
	length    int
	depth     uint8
	shift     uint8
	writing   uint8
	_         [5]uint8
	clear     uint64
}

// knownMaps says that maps are as header describes them.
var knownMaps = func() bool {
	m := map[int]int{1: 1, 2: 2, 3: 3}
	h := *(**header)(unsafe.Pointer(&m))
	if h.used != 3 || h.directory == nil || h.length != 0 || h.writing != 0 {
		return false
	}
	for i := range 2000 {
		m[i] = i
	}
	h = *(**header)(unsafe.Pointer(&m))
	return h.used == 2000 && h.length > 0 && h.length < 4096 && h.length == 1<<h.depth && h.writing == 0
}()

// stilled is a map that can be gone through whatever other goroutines do.
func stilled(v reflect.Value) (reflect.Value, bool) {
	if !knownMaps {
		return v, runtime.NumGoroutine() == 1
	}
	whole := *(*header)(v.UnsafePointer())
	whole.writing = 0
	p := &whole
	return reflect.NewAt(v.Type(), unsafe.Pointer(&p)).Elem(), true
}

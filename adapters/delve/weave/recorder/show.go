//go:build go1.22

package recorder

import (
	"reflect"
	"runtime"
	"strconv"
	"unicode/utf8"
)

const (
	longest = 200
	deepest = 3
)

// appendShown writes a value as the debugger shows it, but for errors of the standard
// library, which are what they say. No method of the program's is called. What is on top
// says no type, for that stands elsewhere, unless it is what an interface holds that is
// nil or an error. Cut says that the text is not all of the value.
func appendShown(b []byte, v reflect.Value, top bool) (text []byte, cut bool) {
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
		w.b, w.cut = append(w.b[:n], "…"...), true
	}
	return w.b, w.cut
}

type writer struct {
	b    []byte
	from int
	cut  bool // something is left out
}

func (w *writer) text(s string) { w.b = append(w.b, s...) }
func (w *writer) isFull() bool  { return len(w.b)-w.from > longest }

// leave writes what stands in place of what is left out.
func (w *writer) leave(s string) {
	w.text(s)
	w.cut = true
}

func (w *writer) top(v reflect.Value) {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if isNil(v.Elem()) || w.says(v) {
			w.dynamic(v, 0)
			return
		}
		v, w.cut = v.Elem(), true // of which type it is
		if v.Kind() == reflect.Pointer {
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
	if w.isFull() {
		w.cut = true
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.text("nil")
	case reflect.String:
		s := v.String()
		w.cut = w.cut || len(s) > longest
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
		w.leave("…")
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
	if isNil(v.Elem()) {
		w.text("nil")
		return
	}
	if e, safe := speakingError(v); safe {
		w.b, w.cut = strconv.AppendQuote(w.b, e.Error()), true
		return
	}
	w.write(v.Elem(), depth, false)
}

// says: what an interface holds is an error that can be asked what it says.
func (w *writer) says(v reflect.Value) bool {
	_, safe := speakingError(v)
	return safe
}

func (w *writer) structure(v reflect.Value, depth int, typed bool) {
	if typed {
		w.text(v.Type().String() + " ")
	}
	if depth > deepest {
		w.leave("{…}")
		return
	}
	if name, is := testName(v); is {
		w.text("{name: ") // all else in it is the test framework's
		w.write(name, depth+1, false)
		w.text(", …}")
		return
	}
	w.text("{")
	for i := range v.NumField() {
		if i > 0 {
			w.text(", ")
		}
		if w.isFull() {
			w.cut = true
			break
		}
		w.text(v.Type().Field(i).Name + ": ")
		w.write(v.Field(i), depth+1, true)
	}
	w.text("}")
}

// testName is the name of a test, where a value is what the framework knows of it.
func testName(v reflect.Value) (name reflect.Value, is bool) {
	if v.Type().PkgPath() != "testing" {
		return name, false
	}
	common := v.FieldByName("common")
	if !common.IsValid() || common.Kind() != reflect.Struct {
		return name, false
	}
	name = common.FieldByName("name")
	return name, name.IsValid()
}

// isNil: a nil of a type.
func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

func (w *writer) elements(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		w.text("nil")
		return
	}
	if depth > deepest {
		w.leave("[…]")
		return
	}
	w.text("[")
	for i := range v.Len() {
		if i > 0 {
			w.text(",")
		}
		if w.isFull() {
			w.cut = true
			break
		}
		w.write(v.Index(i), depth+1, false)
	}
	w.text("]")
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
		w.cut = w.cut || v.Len() > 0 // what waits in it cannot be read
		w.b = strconv.AppendInt(w.b, int64(v.Len()), 10)
		w.b = strconv.AppendInt(append(w.b, '/'), int64(v.Cap()), 10)
		return
	}
	w.b = strconv.AppendUint(append(w.b, "0x"...), uint64(v.Pointer()), 16)
}

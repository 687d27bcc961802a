//go:build go1.22

package recorder

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"unsafe"
)

func (w *writer) mapping(v reflect.Value, depth int, typed bool) {
	if typed {
		w.text(v.Type().String() + " ")
	}
	if v.IsNil() {
		w.text("nil")
		return
	}
	if depth > deepest {
		w.leave("[…]")
		return
	}
	calm, ok := stillMap(v)
	if !ok || v.Len() > sortedEntries { // which of so many come first is different each time
		w.leave("len: ")
		w.b = strconv.AppendInt(w.b, int64(v.Len()), 10)
		return
	}
	w.text("[")
	for i, e := range entriesInOrder(calm) {
		if i > 0 {
			w.text(", ")
		}
		if w.isFull() {
			w.cut = true
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

// entriesInOrder are the entries of a map in the order of their keys, in which the debugger
// shows them: the runtime goes through a map in another order each time.
func entriesInOrder(v reflect.Value) []entry {
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
	textA, _ := appendShown(nil, a, false)
	textB, _ := appendShown(nil, b, false)
	return cmp.Compare(string(textA), string(textB))
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

// stillMap gives a map that can be gone through whatever other goroutines do.
func stillMap(v reflect.Value) (reflect.Value, bool) {
	if !knownMaps {
		return v, runtime.NumGoroutine() == 1
	}
	whole := *(*header)(v.UnsafePointer())
	whole.writing = 0
	p := &whole
	return reflect.NewAt(v.Type(), unsafe.Pointer(&p)).Elem(), true
}

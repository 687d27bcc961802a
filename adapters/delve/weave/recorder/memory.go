//go:build go1.22

package recorder

import (
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

const (
	sumSize  = 1 << 20   // of one value, at most
	sumSmall = 4 << 10   // of one value that always gets a sum
	sumRun   = 256 << 20 // of all larger values of a run: then it would take too long
)

var (
	seed   = maphash.MakeSeed()
	summed atomic.Int64 // how much of the run's share is gone
)

// sum tells a sum of the memory of a value's own, which lies at p or is referred to: two
// that differ show that it was written to, be it by what was noted or not.
func (l *line) sum(v reflect.Value, p unsafe.Pointer) {
	for v.Kind() == reflect.Interface {
		v, p = v.Elem(), nil
	}
	if v.Kind() == reflect.Map {
		l.sumMap(v)
		return
	}
	from, size := region(v, p)
	n := int64(size)
	if from == nil || n == 0 || n > sumSize || n > sumSmall && summed.Add(n) > sumRun {
		return
	}
	t := v.Type()
	if k := v.Kind(); k == reflect.Pointer || k == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case !locks(t):
		l.addSum(maphash.Bytes(seed, unsafe.Slice((*byte)(from), size)))
	case t.Kind() == reflect.Struct && size == t.Size():
		l.addSum(fields(from, t))
	}
}

func (l *line) addSum(sum uint64) { l.member("m", strconv.AppendUint(nil, sum, 36)) }

// fields is the sum of a struct without what synchronizes.
func fields(p unsafe.Pointer, t reflect.Type) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range t.NumField() {
		if f := t.Field(i); !locks(f.Type) {
			_, _ = h.Write(unsafe.Slice((*byte)(unsafe.Add(p, f.Offset)), f.Type.Size()))
		}
	}
	return h.Sum64()
}

// sumMap tells that of a map's entries, whatever their order.
func (l *line) sumMap(m reflect.Value) {
	if m.IsNil() || m.Len() > sortedEntries || locks(m.Type().Elem()) {
		return
	}
	calm, ok := stillMap(m)
	if !ok {
		return
	}
	sum := uint64(m.Len())
	for it := calm.MapRange(); it.Next(); {
		var h maphash.Hash
		h.SetSeed(seed)
		key, _ := appendShown(nil, it.Key(), false)
		_, _ = h.Write(key)
		value := placedCopy(it.Value())
		_, _ = h.Write(unsafe.Slice((*byte)(value.Addr().UnsafePointer()), value.Type().Size()))
		sum += h.Sum64()
	}
	l.addSum(sum)
}

// locks says that a type has what synchronizes in it, which changes as it is used and
// is no part of what is asked about.
func locks(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return locks(t.Elem())
	case reflect.Struct:
		if path := t.PkgPath(); path == "sync" || strings.HasPrefix(path, "internal/sync") {
			return true
		}
		for i := range t.NumField() {
			if locks(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// put is a place that was noted as written to.
type put struct {
	at  unsafe.Pointer // the variable, or the map
	how interface{}    // an operand of what lies there
}

// puts are the last ones; notes guards them.
var puts struct {
	last [4096]put
	n    int
}

// mostParts bounds the parts that are told of one value.
const mostParts = 8

// parts tells those of a value that was asked about which were written to last, as they
// are now: that shows whether the writes which were noted are the last ones.
func (l *line) parts(v reflect.Value, p unsafe.Pointer) {
	from, size := region(v, p)
	if from == nil {
		return
	}
	list, _ := putsInto(from, size, 0, mostParts)
	before := `,"p":[`
	for _, w := range list {
		part := lines.Get().(*line)
		part.b = part.b[:0]
		part.value(w.how, placed)
		l.b = append(append(l.b, before...), part.b...)
		lines.Put(part)
		before = ","
	}
	if before == "," {
		l.b = append(l.b, ']')
	}
}

// putsInto are the last writes to some memory that were noted, since so many had been. All
// says that there can be no others.
func putsInto(from unsafe.Pointer, size uintptr, since, most int) (list []put, all bool) {
	notes.Lock()
	defer notes.Unlock()
	for i := puts.n - 1; i >= since && len(list) < most; i-- {
		if i < puts.n-len(puts.last) {
			return list, false
		}
		w := puts.last[i%len(puts.last)]
		if uintptr(w.at) >= uintptr(from) && uintptr(w.at)-uintptr(from) < size && !repeats(w, list) {
			list = append(list, w)
		}
	}
	return list, true
}

// repeats says that a variable is among others; of a map's entries nobody knows.
func repeats(w put, list []put) bool {
	_, entry := w.how.(E)
	return !entry && slices.ContainsFunc(list, func(o put) bool { return o.at == w.at && reflect.TypeOf(o.how) == reflect.TypeOf(w.how) })
}

// putsUntilNow is how many writes were noted.
func putsUntilNow() int {
	notes.Lock()
	defer notes.Unlock()
	return puts.n
}

// region is the memory of a value's own: of what it refers to, else where it lies.
func region(v reflect.Value, p unsafe.Pointer) (from unsafe.Pointer, size uintptr) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return v.UnsafePointer(), v.Type().Elem().Size()
	case reflect.Slice:
		return v.UnsafePointer(), uintptr(v.Len()) * v.Type().Elem().Size()
	case reflect.Map:
		return v.UnsafePointer(), 1
	case reflect.Struct, reflect.Array:
		return p, v.Type().Size()
	}
	return nil, 0
}

// entryNow is an operand of what a map holds at a key when it is looked at.
func entryNow(m, key reflect.Value) E {
	return func() (interface{}, interface{}, interface{}) {
		calm, ok := stillMap(m)
		if !ok {
			panic("it may change")
		}
		v := calm.MapIndex(key)
		if !v.IsValid() { // it is gone, and reads as nothing
			v = reflect.Zero(m.Type().Elem())
		}
		return m.Interface(), key.Interface(), Held{placedCopy(v).Addr().Interface()}
	}
}

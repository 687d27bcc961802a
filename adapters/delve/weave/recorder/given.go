//go:build go1.22

package recorder

import (
	"bytes"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// What a statement gives to code in which nothing is noted is looked at before and
// after: a map's entries, a slice's elements, what a pointer leads to.
type (
	// L is something that may be changed.
	L func() interface{}
	// K is something that is changed, by all that is known of what is called.
	K func() interface{}
	// R is what reflection writes to, which may be what the spec is about.
	R func() interface{}
	// W is a variable, and what may be changed of that to which it refers.
	W func() (variable, given interface{})
)

const (
	lentSize    = 1 << 20  // of one value, at most
	lentSmall   = 4 << 10  // of one value that is always looked at
	lentRun     = 64 << 20 // of all larger values of a run: then it would take too long
	lentEntries = 5000     // of a map
	mostChanged = 200      // entries or elements that one call has changed, which are told one by one
)

// reflected is done when it was said that reflection writes.
var reflected sync.Once

// borrowed is how much of the run's share is gone.
var borrowed atomic.Int64

// lent is one value that was given away.
type lent struct {
	now   reflect.Value // the map, the slice, or what the pointer leads to
	was   reflect.Value // a copy of it; not valid where it is too large
	known bool
	since int // so many writes had been noted

	header   reflect.Value // of a map or slice, where a pointer to it was given
	reflects bool          // it is written to by reflection
	through  bool          // it is noted only where it leads to what the spec is about
	variable interface{}   // the change is seen in it
	text     []byte        // as it was
}

// mayBeWritten says that a write to some memory was noted since the value was given away, or
// may have been: then it is not known that what got the value has changed it.
func (one lent) mayBeWritten(at unsafe.Pointer, size uintptr) bool {
	list, all := putsInto(at, size, one.since, 1)
	return len(list) > 0 || !all
}

// Lend looks at what the statement gives away that is about to run.
func (f *Frame) Lend(site string, list ...interface{}) {
	if !on {
		return
	}
	f.lent, f.lender = f.lent[:0], site
	for _, o := range list {
		f.lend(o)
	}
}

func (f *Frame) lend(o interface{}) {
	if n, is := o.(N); is {
		for _, place := range behind(n) {
			f.lend(T(func() interface{} { return place.Interface() }))
		}
		return
	}
	if one, ok := lend(o); ok {
		f.lent = append(f.lent, one)
	}
}

// behind are the places that the spec is about behind the pointers in a value.
func behind(n N) (list []reflect.Value) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		_ = recover() // the statement will fail as well
		debug.SetPanicOnFault(old)
	}()
	return n.places()
}

// Lends is Lend where a condition stands.
func (f *Frame) Lends(site string, list ...interface{}) bool {
	f.Lend(site, list...)
	return true
}

func lend(o interface{}) (one lent, ok bool) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		if recover() != nil { // the statement will fail as well
			ok = false
		}
		debug.SetPanicOnFault(old)
	}()
	switch p := o.(type) {
	case L:
		one.now = reflect.ValueOf(p())
	case K:
		one.now, one.known = reflect.ValueOf(p()), true
	case T:
		one.now, one.through = reflect.ValueOf(p()), true
	case R:
		one.now, one.through, one.reflects = reflect.ValueOf(p()), true, true
	case W:
		variable, given := p()
		one.now, one.variable = reflect.ValueOf(given), variable
		one.text = appendOperand(nil, variable)
	}
	switch one.now.Kind() {
	case reflect.Map, reflect.Slice:
	case reflect.Pointer:
		one.now = one.now.Elem()
		if k := one.now.Kind(); k == reflect.Map || k == reflect.Slice {
			one.header = placedCopy(one.now)
		}
	default:
		return one, false
	}
	if !one.now.IsValid() || one.now.Kind() == reflect.Map && one.now.IsNil() && !one.header.IsValid() {
		return one, false
	}
	one.since = putsUntilNow()
	one.was = copyOf(one.now)
	return one, one.was.IsValid() || one.known
}

// copyOf makes a copy of a value, as far as its own memory goes; not valid where that is
// too large.
func copyOf(v reflect.Value) reflect.Value {
	size := int64(v.Type().Size())
	switch v.Kind() {
	case reflect.Slice:
		size = int64(v.Len()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		size = int64(v.Len()) * int64(v.Type().Elem().Size()+v.Type().Key().Size()+16)
		if v.Len() > lentEntries {
			return reflect.Value{}
		}
	}
	if size > lentSize || size > lentSmall && borrowed.Add(size) > lentRun {
		return reflect.Value{}
	}
	switch k := v.Kind(); {
	case (k == reflect.Slice || k == reflect.Map) && v.IsNil():
		return reflect.Zero(v.Type())
	case k == reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		return c
	case k == reflect.Map:
		return entriesOf(v)
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// entriesOf is a copy of a map.
func entriesOf(m reflect.Value) reflect.Value {
	calm, ok := stillMap(m)
	if !ok {
		return reflect.Value{}
	}
	c := reflect.MakeMapWithSize(m.Type(), m.Len())
	for it := calm.MapRange(); it.Next(); {
		c.SetMapIndex(it.Key(), it.Value())
	}
	return c
}

// Room stands for as many places as a slice has behind it.
const Room = math.MaxInt32

// Behind are the places behind a slice that appending to it may write to: so many, or as
// many as a slice or a text has.
func Behind(slice, more interface{}) interface{} {
	n, is := more.(int)
	if !is {
		n = reflect.ValueOf(more).Len()
	}
	s := reflect.ValueOf(slice)
	end := min(s.Len()+n, s.Cap())
	return s.Slice3(s.Len(), end, end).Interface()
}

// Given notes what the statement has changed of what it gave away.
func (f *Frame) Given() {
	list := f.lent
	f.lent = nil
	for _, one := range list {
		f.noteChanged(one)
	}
}

func (f *Frame) noteChanged(one lent) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		_ = recover() // somebody else changes it at the same time
		debug.SetPanicOnFault(old)
	}()
	if one.through && (!one.now.CanAddr() || !hits(T(nil), one.now.Addr().UnsafePointer())) {
		if one.reflects && one.now.CanAddr() && one.was.IsValid() && !sameBytes(one.was, one.now) {
			reflected.Do(func() {
				note("values are written by reflection, too, where it is not known what they are a part of: those are no rows")
			})
		}
		return
	}
	if one.header.IsValid() && !sameBytes(one.header, one.now) {
		f.noteReplaced(one)
		return
	}
	switch one.now.Kind() {
	case reflect.Map:
		f.entries(one)
	case reflect.Slice:
		f.elements(one)
	default:
		at := one.now.Addr()
		if one.mayBeWritten(at.UnsafePointer(), one.now.Type().Size()) {
			return
		}
		if !one.was.IsValid() {
			f.gave(nil, at.Interface())
		} else if one.known || !sameBytes(one.was, one.now) {
			f.gave(one.was.Addr().Interface(), at.Interface())
		}
	}
}

// gave notes that something was changed; both are operands, and where it lies is that
// of the second.
func (f *Frame) gave(was, now interface{}) {
	text := []byte("{}")
	if was != nil {
		text = appendOperand(nil, was)
	}
	f.became(text, now)
}

// became notes that something was changed, as what it was is shown.
func (f *Frame) became(was []byte, now interface{}) {
	l := event("write", f.lender)
	l.number("c", f.call)
	l.b = append(append(append(l.b, `,"m":"given","v":[`...), was...), ',')
	l.value(now, apart)
	l.b = append(l.b, ']')
	l.endWrite()
}

// noteReplaced notes that another map or slice lies in the variable that was given.
func (f *Frame) noteReplaced(one lent) {
	at := one.now.Addr()
	switch {
	case one.mayBeWritten(at.UnsafePointer(), one.now.Type().Size()):
	case one.variable != nil:
		f.became(one.text, one.variable)
	case one.was.IsValid():
		f.gave(placedCopy(one.was).Addr().Interface(), at.Interface())
	default:
		f.gave(nil, at.Interface())
	}
}

func (f *Frame) elements(one lent) {
	s := one.now
	var list []int
	size := s.Type().Elem().Size()
	some := one.was.IsValid() && one.mayBeWritten(s.UnsafePointer(), uintptr(s.Len())*size)
	for i := 0; one.was.IsValid() && i < s.Len() && len(list) <= mostChanged; i++ {
		if !sameBytes(one.was.Index(i), s.Index(i)) {
			list = append(list, i)
		}
	}
	if some {
		if len(list) > mostChanged {
			return
		}
		list = slices.DeleteFunc(list, func(i int) bool { return one.mayBeWritten(s.Index(i).Addr().UnsafePointer(), size) })
	}
	if one.variable != nil {
		if len(list) > 0 || !one.was.IsValid() {
			f.became(one.text, one.variable)
		}
		return
	}
	if !one.was.IsValid() || len(list) > mostChanged {
		f.all(s, strconv.AppendUint(nil, uint64(s.Pointer()), 16))
		return
	}
	for _, i := range list {
		f.gave(one.was.Index(i).Addr().Interface(), s.Index(i).Addr().Interface())
	}
}

// entries notes what has become of those of a map, the new ones last.
func (f *Frame) entries(one lent) {
	m := one.now
	if one.mayBeWritten(m.UnsafePointer(), 1) {
		return
	}
	now := reflect.Value{}
	if one.was.IsValid() {
		now = copyOf(m)
	}
	inside := append(strconv.AppendUint(nil, uint64(m.Pointer()), 16), "[*]"...)
	if !now.IsValid() {
		if one.known {
			f.all(m, inside)
		}
		return
	}
	type change struct{ key, was, now reflect.Value }
	var list []change
	for it := one.was.MapRange(); it.Next(); {
		if after := now.MapIndex(it.Key()); !after.IsValid() || !sameBytes(placedCopy(it.Value()), placedCopy(after)) {
			list = append(list, change{it.Key(), it.Value(), after})
		}
	}
	for it := now.MapRange(); it.Next(); {
		if !one.was.MapIndex(it.Key()).IsValid() {
			list = append(list, change{key: it.Key(), now: it.Value()})
		}
	}
	switch {
	case one.variable != nil:
		if len(list) > 0 {
			f.became(one.text, one.variable)
		}
		return
	case len(list) > mostChanged:
		f.all(m, inside)
		return
	}
	for _, c := range list {
		var was interface{}
		if c.was.IsValid() {
			was = placedCopy(c.was).Addr().Interface()
		}
		if !c.now.IsValid() { // it is gone, and reads as nothing
			c.now = reflect.Zero(m.Type().Elem())
		}
		f.gave(was, E(func() (interface{}, interface{}, interface{}) {
			return m.Interface(), c.key.Interface(), Held{placedCopy(c.now).Addr().Interface()}
		}))
	}
}

// all notes that a collection was changed, where it is not known what of it.
func (f *Frame) all(v reflect.Value, place []byte) {
	l := event("write", f.lender)
	l.number("c", f.call)
	l.b = append(l.b, `,"v":[{},{`...)
	l.show(v)
	if v.Kind() == reflect.Map {
		l.member("h", place[:len(place)-len("[*]")])
	} else {
		l.number("z", int64(v.Len())*int64(v.Type().Elem().Size()))
	}
	l.b = append(l.b, `}]`...)
	l.member("o", place)
	l.end()
}

// placedCopy is a value in a place of its own.
func placedCopy(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// sameBytes says that the memory of two values, which lie in places, is the same.
func sameBytes(a, b reflect.Value) bool {
	size := a.Type().Size()
	return bytes.Equal(unsafe.Slice((*byte)(a.Addr().UnsafePointer()), size), unsafe.Slice((*byte)(b.Addr().UnsafePointer()), size))
}

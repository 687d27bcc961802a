//go:build go1.22

package recorder

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// places are those that the spec is about, which live as long as the program does, so
// that nothing else comes to lie there.
var places struct {
	wanted atomic.Bool
	sync.Mutex
	known map[unsafe.Pointer]bool
}

// mostPlaces bounds them, and what they keep in memory.
const mostPlaces = 100_000

// Aim says where a place is that the spec is about.
func Aim(o interface{}) {
	defer func() { _ = recover() }() // there is none
	if p, is := o.(P); is {
		o = p()
	}
	if v := reflect.ValueOf(o); on && v.Kind() == reflect.Pointer && !v.IsNil() {
		notePlace(v.UnsafePointer())
	}
}

func notePlace(at unsafe.Pointer) {
	places.Lock()
	defer places.Unlock()
	if places.known == nil {
		places.known = map[unsafe.Pointer]bool{}
	}
	if len(places.known) == mostPlaces && !places.known[at] {
		note("so many places were written to that writes through pointers to the last of them are not noted")
	}
	if len(places.known) <= mostPlaces {
		places.known[at] = true
	}
}

func note(text string) { remark("remark", text) }

// Unnoted notes that a part of the run is not, so that nothing can be said never to have happened.
func Unnoted(text string) {
	if on {
		remark("apart", text)
	}
}

func remark(kind, text string) {
	l := event(kind, `"f":""`)
	l.member("m", []byte(text))
	l.end()
}

// hits says whether a write is one that the spec is about, and remembers the place.
func hits(target interface{}, at unsafe.Pointer) bool {
	if _, through := target.(T); through {
		places.Lock()
		defer places.Unlock()
		return places.known[at]
	}
	if at != nil && places.wanted.Load() {
		notePlace(at)
	}
	return true
}

// Field is a pointer to a field within what another points to: of a package that does not
// export it, so that the source cannot name it.
func Field(whole interface{}, path ...int) interface{} {
	v := reflect.ValueOf(whole).Elem()
	for _, i := range path {
		v = v.Field(i)
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface()
}

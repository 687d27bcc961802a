//go:build go1.22

package recorder

import (
	"reflect"
	"unsafe"
)

// N is something that a call is given in which pointers may be to what the spec is about,
// and the size of that.
type N func() (size uintptr, holder interface{})

const (
	holderDeep  = 4   // steps to a pointer in it
	holderParts = 256 // that are looked at
)

// search looks for the places that the spec is about behind the pointers in a value.
type search struct {
	size  uintptr
	parts int
	found []reflect.Value
}

func (n N) places() []reflect.Value {
	size, holder := n()
	s := search{size: size}
	s.in(reflect.ValueOf(holder), 0)
	return s.found
}

func (s *search) in(v reflect.Value, depth int) {
	if s.parts++; depth > holderDeep || s.parts > holderParts {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		s.in(v.Elem(), depth)
	case reflect.Pointer:
		if !v.IsNil() {
			s.at(v.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && s.parts <= holderParts; i++ {
			s.in(v.Index(i), depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next() && s.parts <= holderParts; {
			s.in(it.Value(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.in(v.Field(i), depth+1)
		}
	}
}

// at looks at what a pointer leads to, and at the parts of it.
func (s *search) at(v reflect.Value, depth int) {
	if s.parts++; s.parts > holderParts {
		return
	}
	if v.CanAddr() && v.Type().Size() == s.size && hits(T(nil), unsafe.Pointer(v.UnsafeAddr())) {
		s.found = append(s.found, reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			s.at(v.Field(i), depth)
		}
	case reflect.Array:
		for i := 0; i < v.Len() && s.parts <= holderParts; i++ {
			s.at(v.Index(i), depth)
		}
	default:
		s.in(v, depth)
	}
}

package gosrc

import (
	"slices"
	"strings"
)

// Predeclared says that a name is a type or a function of the language itself
// that has no effect.
func Predeclared(name string) bool { return slices.Contains(predeclared, name) }

var predeclared = strings.Fields(`len cap complex imag real min max
	bool string byte rune error any uintptr
	int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64
	float32 float64 complex64 complex128`)

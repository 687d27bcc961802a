//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"cmp"
	"debug/dwarf"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/proc"
)

// Delve shows a number by the name of a constant of its type that has the same value, of
// whatever package: a second is "internal/fuzz.workerTimeoutDuration" to it in every test.
// Only the constants of the package that declares a type are its values' names; what another
// package calls so is another thing that happens to be equal.
//
// Delve has no switch for it. Its list of constants is private and is found by name; the
// names stay in it, so that expressions can use them. TestConstantsOfOtherPackages fails when
// an update of Delve moves it.

// constantType is Delve's, as far as it is built as expected.
type constantType struct {
	initialized bool
	values      []constantValue
}

// constantValue is Delve's, field by field: what it holds lies in Delve's memory.
type constantValue struct {
	name      string // by which it is shown
	fullName  string
	value     int64
	singleBit bool // it may be one of several that are set
}

// ownConstants takes from a program's values the names that other packages have for numbers.
func ownConstants(bi *proc.BinaryInfo) {
	field := reflect.ValueOf(bi).Elem().FieldByName("consts")
	if !field.IsValid() || field.Kind() != reflect.Map || field.Type().Elem().Kind() != reflect.Pointer ||
		!hasSameLayout(field.Type().Elem().Elem(), reflect.TypeFor[constantType]()) {
		return
	}
	for list := field.MapRange(); list.Next(); {
		image, offset := list.Key().FieldByName("imageIndex"), list.Key().FieldByName("offset")
		if !image.IsValid() || !offset.IsValid() || !image.CanInt() || !offset.CanUint() || int(image.Int()) >= len(bi.Images) {
			return
		}
		if of, err := bi.Images[image.Int()].Type(dwarf.Offset(offset.Uint())); err == nil {
			(*constantType)(list.Value().UnsafePointer()).keep(of)
		}
	}
}

// keep leaves a name to those constants that are of the package of their type.
func (c *constantType) keep(of godwarf.Type) {
	if c.initialized {
		return
	}
	c.initialized = true
	prefix := packageOf(of.Common().Name) + "."
	for i := range c.values {
		v := &c.values[i]
		own := prefix == "." || packageOf(v.fullName)+"." == prefix
		v.name, v.singleBit = "", false
		if own {
			v.name, v.singleBit = strings.TrimPrefix(v.fullName, prefix), bits.OnesCount64(uint64(v.value)) == 1
		}
	}
	slices.SortStableFunc(c.values, func(a, b constantValue) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(b.name, a.name)) // Delve takes the first
	})
}

// packageOf is the package's path in a name of the debug information.
func packageOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return ""
	}
	return name[:slash+dot]
}

// hasSameLayout says that two types have the same fields at the same places.
func hasSameLayout(a, b reflect.Type) bool {
	if a.Kind() != b.Kind() || a.Size() != b.Size() {
		return false
	}
	switch a.Kind() {
	case reflect.Slice:
		return hasSameLayout(a.Elem(), b.Elem())
	case reflect.Struct:
		same := a.NumField() == b.NumField()
		for i := 0; same && i < a.NumField(); i++ {
			same = a.Field(i).Name == b.Field(i).Name && a.Field(i).Offset == b.Field(i).Offset && hasSameLayout(a.Field(i).Type, b.Field(i).Type)
		}
		return same
	}
	return true
}

//go:build go1.22

package recorder

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Unless is something that is given to a function, or to a method of what an interface
// holds, unless that is of a package in which all is noted.
func Unless(of, given interface{}) interface{} {
	v := reflect.ValueOf(of)
	var pkg string
	switch {
	case !v.IsValid():
		return nil
	case v.Kind() == reflect.Func:
		f := runtime.FuncForPC(v.Pointer())
		if f == nil {
			return nil
		}
		pkg = packageOf(f.Name())
	default:
		t := v.Type()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		pkg = t.PkgPath()
	}
	if slices.Contains(woven[:], pkg) {
		return nil
	}
	return given
}

// packageOf is the package of a function by its name, as a type knows it.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[") // types
	slash := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.ReplaceAll(last, "%2e", ".")
}

// Reflected is what reflection is about to write to.
func Reflected(v reflect.Value) interface{} {
	switch {
	case v.CanAddr():
		return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface()
	case v.CanInterface() && (v.Kind() == reflect.Map || v.Kind() == reflect.Slice):
		return v.Interface()
	}
	return nil
}

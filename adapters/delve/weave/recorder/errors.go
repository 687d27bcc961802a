//go:build go1.22

package recorder

import (
	"reflect"
	"unsafe"
)

// talkers are the packages of the standard library whose errors say what they are
// without calling anything of the program's, unless it is an error that they hold.
var talkers = map[string]bool{
	"bufio": true, "bytes": true, "context": true, "encoding/base64": true, "encoding/csv": true, "encoding/hex": true,
	"encoding/json": true, "errors": true, "fmt": true, "io": true, "io/fs": true, "internal/poll": true, "net": true, "net/url": true,
	"os": true, "os/exec": true, "reflect": true, "regexp/syntax": true, "runtime": true, "strconv": true, "syscall": true, "text/template": true, "time": true,
}

// speakingError is the error that a value of an interface holds, where it can be asked what it
// says.
func speakingError(v reflect.Value) (e error, is bool) {
	if v.NumMethod() == 0 || !v.Type().Implements(reflect.TypeFor[error]()) || !isSafe(v.Elem(), 0) {
		return nil, false
	}
	if !v.CanInterface() {
		if !v.CanAddr() {
			return nil, false
		}
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	e, is = v.Interface().(error)
	return e, is
}

// isSafe says that to ask an error what it says runs the standard library's code only: its
// own, and that of the errors that it holds.
func isSafe(v reflect.Value, depth int) bool {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		if v.IsNil() {
			return false
		}
		t, v = t.Elem(), v.Elem()
	}
	if !talkers[t.PkgPath()] || depth > deepest {
		return false
	}
	if t.PkgPath() == "fmt" || v.Kind() != reflect.Struct {
		return v.Kind() != reflect.Slice && v.Kind() != reflect.Interface // fmt has put its text together before
	}
	for i := range v.NumField() {
		if !isSafeField(v.Field(i), depth) {
			return false
		}
	}
	return true
}

// isSafeField says that of a field: what a field of an error holds is no error of the program's.
func isSafeField(f reflect.Value, depth int) bool {
	switch f.Kind() {
	case reflect.Interface:
		return f.IsNil() || isSafe(f.Elem(), depth+1)
	case reflect.Slice:
		if f.Type().Elem().Kind() != reflect.Interface {
			return true
		}
		for i := range f.Len() {
			if x := f.Index(i); !x.IsNil() && !isSafe(x.Elem(), depth+1) {
				return false
			}
		}
	}
	return true
}

//go:build go1.22

package recorder

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// Where the runtime keeps the number of a goroutine in its record of it, and the
// panic that is under way; 0 where that was not found. Both are told apart by what
// is known to stand there, so that a runtime that has moved them is noticed.
var numberAt, panicAt, valueAt uintptr

const (
	word  = unsafe.Sizeof(uintptr(0))
	words = 52 // of the record that are looked at; it has more
)

// findRecord finds them, before the program begins.
func findRecord() {
	if getg() == nil || unsafe.Sizeof(int64(0)) != word {
		return
	}
	numbers := candidates()
	for range 2 {
		there := make(chan []uintptr)
		go func() { there <- candidates() }()
		numbers = commonTail(numbers, <-there)
	}
	if len(numbers) > 0 {
		numberAt = numbers[0]
	}
	one, two := new(int), new(int)
	at, value := throwAndFind(one)
	if at2, value2 := throwAndFind(two); at != 0 && at == at2 && value == value2 {
		panicAt, valueAt = at, value
	}
}

// candidates are where in the record the goroutine's number stands, as its stack
// trace says it.
func candidates() (list []uintptr) {
	id := slowNumber()
	for i := uintptr(2); i < words; i++ {
		if *(*int64)(unsafe.Add(getg(), i*word)) == id {
			list = append(list, i*word)
		}
	}
	return list
}

func commonTail(a, b []uintptr) (both []uintptr) {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				both = append(both, x)
			}
		}
	}
	return both
}

// throwAndFind panics, and looks while it does where the record leads to the value.
func throwAndFind(with *int) (at, value uintptr) {
	defer func() {
		at, value = findPanic(with)
		_ = recover()
	}()
	panic(with)
}

func findPanic(with *int) (at, value uintptr) {
	g := getg()
	low, high := *(*uintptr)(g), *(*uintptr)(unsafe.Add(g, word)) // of the stack, on which panics lie
	for i := uintptr(2); i < words; i++ {
		p := *(*uintptr)(unsafe.Add(g, i*word))
		if p%word != 0 || p < low || p+10*word > high {
			continue
		}
		for k := uintptr(0); k < 8; k++ {
			if *(*uintptr)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(g, i*word)), (k+1)*word)) != uintptr(unsafe.Pointer(with)) {
				continue
			}
			if x, ok := (*(*interface{})(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(g, i*word)), k*word))).(*int); ok && x == with {
				return i * word, k * word
			}
		}
	}
	return 0, 0
}

// number is that of the goroutine that runs.
func number() int64 {
	if numberAt != 0 {
		return *(*int64)(unsafe.Add(getg(), numberAt))
	}
	if runtime.NumGoroutine() == 1 {
		return 1
	}
	return slowNumber()
}

func slowNumber() int64 {
	var b [40]byte
	text := strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine ")
	if i := strings.IndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	id, _ := strconv.ParseInt(text, 10, 64)
	return id
}

// currentPanic says whether the deferred call that called us runs because of a panic, or of
// runtime.Goexit, and with what.
func currentPanic(skip int) (text []byte, is bool) {
	var current unsafe.Pointer
	if panicAt != 0 {
		if current = *(*unsafe.Pointer)(unsafe.Add(getg(), panicAt)); current == nil {
			return nil, false
		}
	}
	var pcs [4]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip+2, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.deferreturn": // it returns, though another may panic below it
			return nil, false
		case f.Function == "runtime.Goexit":
			return []byte("runtime.Goexit"), true
		case strings.HasPrefix(f.Function, "runtime."):
			if current == nil {
				return []byte("panic"), true
			}
			return panicText(*(*interface{})(unsafe.Add(current, valueAt))), true
		case !more || !strings.Contains(f.Function, ".deferwrap"):
			return nil, false
		}
	}
}

// panicText is what a panic was given. No method of the program's is called for it.
func panicText(x interface{}) (text []byte) {
	defer func() {
		if recover() != nil {
			text = []byte("panic")
		}
	}()
	if e, ok := x.(error); ok && isSafe(reflect.ValueOf(x), 0) {
		return append(text, e.Error()...)
	}
	text, _ = appendShown(nil, reflect.ValueOf(x), true)
	return text
}

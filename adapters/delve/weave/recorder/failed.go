//go:build go1.22

package recorder

import (
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// mostFrames bounds a stack that is told.
const mostFrames = 30

// Uncaught notes a panic that nobody has caught. It is deferred first in the functions in
// which goroutines begin; in is what stacks call that function.
func Uncaught(in string) {
	if !on {
		return
	}
	text, is := currentPanic(1)
	if !is || string(text) == "runtime.Goexit" {
		return
	}
	all := stack(2)
	if !beginsIn(all, in) {
		return // whoever has called it may catch it yet
	}
	noteFailure("uncaught", "", text, thrownFrom(all))
}

// beginsIn says that a function, which stands once on the stack, is where the goroutine
// begins.
func beginsIn(all []runtime.Frame, in string) bool {
	times, last := 0, ""
	_, in, _ = strings.Cut(in, ".") // a package may be called otherwise than its folder
	for _, f := range all {
		if strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "sync.(*WaitGroup).Go.") || strings.Contains(f.Function, ".gowrap") {
			continue
		}
		_, last, _ = strings.Cut(strings.ReplaceAll(shortName(f.Function), "[...]", ""), ".")
		if last == in {
			times++
		}
	}
	return times == 1 && last == in
}

// TestSays notes that a test fails with a message, where a call that fails it says
// something. Package testing calls it, before it marks the test as failed.
func TestSays(name, message string) {
	if !on {
		return
	}
	all := stack(3)
	if !failsWith(all[0]) || all[1].Function == "testing.(*common).checkRaces" {
		return
	}
	var text []byte
	if !strings.HasPrefix(message, "\n\tError Trace:") { // of testify, whose message is told otherwise
		text = append([]byte(name+": "), strings.Trim(message, "\n")...)
	}
	noteFailure("expected", name, text, all)
}

// failsWith says that a function fails a test with a message.
func failsWith(f runtime.Frame) bool {
	switch f.Function {
	case "testing.(*common).Error", "testing.(*common).Errorf", "testing.(*common).Fatal", "testing.(*common).Fatalf":
		return true
	}
	return false
}

// TestFailed notes that a test is marked as failed. Package testing calls it.
func TestFailed(name string) {
	if !on {
		return
	}
	all := stack(3)
	switch caller := all[0].Function; {
	case caller == "testing.(*common).Fail":
		return // that its part has failed is noted
	case failsWith(all[0]), caller == "testing.(*common).FailNow" && failsWith(all[1]):
		return // what it says is noted
	case strings.HasPrefix(caller, "testing.tRunner."):
		text := []byte("runtime.Goexit")
		if panicAt != 0 {
			if current := *(*unsafe.Pointer)(unsafe.Add(getg(), panicAt)); current != nil {
				text = panicText(*(*interface{})(unsafe.Add(current, valueAt)))
			}
		}
		noteFailure("uncaught", name, text, thrownFrom(all))
	default:
		noteFailure("expected", name, nil, all)
	}
}

// Exit notes that the program ends itself, and gives the code back.
func Exit(code int) int {
	exits(code)
	return code
}

// Fatal is Exit for what writes a message before: it gives the last part of that back.
func Fatal(last interface{}) interface{} {
	exits(1)
	return last
}

// FatalText is Fatal for a message that is all in one.
func FatalText(all string) string {
	exits(1)
	return all
}

// FatalList is Fatal for what is given as a list.
func FatalList(all []interface{}) []interface{} {
	exits(1)
	return all
}

func exits(code int) {
	if on && code != 0 {
		noteFailure("exited", "", strconv.AppendInt(nil, int64(code), 10), stack(3))
	}
}

// stack is who calls, the nearest first.
func stack(skip int) (list []runtime.Frame) {
	pcs := make([]uintptr, 200)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip+1, pcs)])
	ofCopy := false
	for {
		f, more := frames.Next()
		if !ofCopy { // else it is the function that has called its copy
			list = append(list, f)
		}
		if ofCopy = isCopy(f.Function); !more {
			return list
		}
	}
}

// copied is what the name of the copy of a function begins with.
const copied = ".aidb_copy_"

func isCopy(function string) bool { return strings.Contains(function, copied) }

// thrownFrom are the frames of what panicked: the deferred call that looks stands above.
func thrownFrom(all []runtime.Frame) []runtime.Frame {
	for i, f := range all {
		if f.Function == "runtime.gopanic" {
			return all[i:]
		}
	}
	return all
}

// noteFailure notes what ended the run or a test.
func noteFailure(how, test string, value []byte, all []runtime.Frame) {
	countAll()
	l := event("failed", `"m":"`+how+`"`)
	user := userFrames(all)
	if len(user) > 0 {
		l.member("at", place(nil, user[0]))
		l.member("f", []byte(shortName(user[0].Function)))
	}
	l.member("q", []byte(test))
	if value != nil {
		l.addText("v", value)
	}
	before := `,"s":[`
	for _, f := range user {
		l.b = append(l.b, before...)
		l.b = appendQuoted(l.b, place([]byte(shortName(f.Function)+" "), f))
		before = ","
	}
	if before == "," {
		l.b = append(l.b, ']')
	}
	l.end()
}

func place(b []byte, f runtime.Frame) []byte {
	return strconv.AppendInt(append(append(b, f.File...), ':'), int64(f.Line), 10)
}

// userFrames leaves out those of the standard library and of modules that the user has
// only fetched.
func userFrames(all []runtime.Frame) (list []runtime.Frame) {
	for _, f := range all {
		if f.File != "" && f.File != "_testmain.go" && !isLibrary(f) {
			if list = append(list, f); len(list) == mostFrames {
				break
			}
		}
	}
	return list
}

func isLibrary(f runtime.Frame) bool {
	if library != "/" {
		return strings.HasPrefix(f.File, library) || strings.Contains(f.File, "/pkg/mod/")
	}
	first, _, _ := strings.Cut(f.File, "/") // built with -trimpath
	return strings.Contains(f.File, "@") || !strings.Contains(first, ".") && !strings.HasPrefix(f.Function, "main.")
}

// library is where the standard library's sources are.
var library = func() string {
	_, file, _, _ := runtime.Caller(0)
	for range 2 { // the file, and its package
		file = file[:max(0, strings.LastIndexByte(file, '/'))]
	}
	return file + "/"
}()

// shortName is a function as stacks name it.
func shortName(function string) string {
	return strings.Replace(function[strings.LastIndexByte(function, '/')+1:], copied, ".", 1)
}

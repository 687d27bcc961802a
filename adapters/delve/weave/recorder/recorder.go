//go:build go1.22

// Package recorder notes what the statements that were woven into a program give it.
// It becomes a package of that program: it may import nothing but the standard
// library, and what it costs is the program's time. Package recording says which
// files it writes, and reads them.
package recorder

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"
)

// value and event are written as package recording reads them.
type value struct{ Text, Error, Place, Same, Of string }

type event struct {
	Kind     string
	Seq      int64
	At       string
	Function string
	Thread   string
	Depth    int
	Call     int64
	Probe    int
	Names    []string
	Values   []value
	Place    string
	Raised   bool
	Stack    []string
}

func (e *event) append(b []byte) []byte {
	b = append(b, '{')
	b = member(b, "k", e.Kind)
	b = number(b, "n", e.Seq)
	b = member(b, "at", e.At)
	b = member(b, "f", e.Function)
	b = member(b, "t", e.Thread)
	b = number(b, "d", int64(e.Depth))
	b = number(b, "c", e.Call)
	b = number(b, "p", int64(e.Probe))
	b = list(b, "a", e.Names)
	if len(e.Values) > 0 {
		b = append(b, `,"v":[`...)
		for i, v := range e.Values {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, '{')
			b = member(b, "v", v.Text)
			b = member(b, "e", v.Error)
			b = member(b, "o", v.Place)
			b = member(b, "i", v.Same)
			b = member(b, "h", v.Of)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	b = member(b, "o", e.Place)
	if e.Raised {
		b = append(b, `,"x":true`...)
	}
	b = list(b, "s", e.Stack)
	return append(b, '}')
}

func key(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

func member(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return quoted(key(b, name), text)
}

func number(b []byte, name string, n int64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(key(b, name), n, 10)
}

func list(b []byte, name string, texts []string) []byte {
	if len(texts) == 0 {
		return b
	}
	b = append(key(b, name), '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = quoted(b, text)
	}
	return append(b, ']')
}

// quoted appends a text as JSON; what is no UTF-8 becomes U+FFFD.
func quoted(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

const (
	headSize = 4 << 20
	tailSize = 8 << 20
	longest  = 200
)

// notes are the files; mu guards all of it.
var notes struct {
	sync.Mutex
	dir  string
	file *os.File
	room int
	tail int
	seq  int64
	line []byte // of the last event, to be used again
}

var (
	on    = begin()
	calls atomic.Int64
	main  = gid() // of the goroutine that starts the program
	kept  [20000]any
	next  atomic.Int64
)

// begin opens the first file. A child of the program finds it there and records
// nothing.
func begin() bool {
	notes.dir = os.Getenv("AIDB_RECORD")
	if notes.dir == "" {
		return false
	}
	f, err := os.OpenFile(filepath.Join(notes.dir, "head"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	notes.file, notes.room = f, headSize
	return true
}

func note(e event) {
	if t := gid(); t != main {
		e.Thread = t
	}
	notes.Lock()
	defer notes.Unlock()
	notes.seq++
	e.Seq = notes.seq
	notes.line = append(e.append(notes.line[:0]), '\n')
	line := notes.line
	if len(line) > notes.room {
		f, err := os.OpenFile(filepath.Join(notes.dir, "tail"+strconv.Itoa(notes.tail%2)), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return
		}
		notes.file.Close()
		notes.file, notes.room = f, tailSize
		notes.tail++
	}
	notes.room -= len(line)
	notes.file.Write(line)
}

// gid is the number of the goroutine that runs.
func gid() string {
	var b [40]byte
	text := string(b[:runtime.Stack(b[:], false)])
	text = strings.TrimPrefix(text, "goroutine ")
	if i := strings.IndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return text
}

// O is something that is looked at: its text in the source, and how to get its value
// and the place where it lies. Either may panic.
type O struct {
	Name  string
	Value func() any
	Place func() any // a pointer, or an Entry
	Base  func() any // what holds the place: a pointer, a map, a slice; may be nil
}

// Entry is a place in a map.
type Entry struct{ Map, Key any }

func (o O) look(places bool) (v value) {
	defer func() {
		if p := recover(); p != nil {
			v = value{Error: fmt.Sprint(p)}
		}
	}()
	x := o.Value()
	v.Text = show(x)
	if places {
		v.Same = identity(x)
		if o.Place != nil {
			v.Place = o.place()
		}
		if o.Base != nil {
			v.Of = o.holder()
		}
	}
	return v
}

func (o O) place() (name string) {
	defer func() {
		if recover() != nil {
			name = ""
		}
	}()
	p := o.Place()
	kept[next.Add(1)%int64(len(kept))] = p
	if e, ok := p.(Entry); ok {
		return fmt.Sprintf("%x[%v]", reflect.ValueOf(e.Map).Pointer(), e.Key)
	}
	return fmt.Sprintf("%x", reflect.ValueOf(p).Pointer())
}

func (o O) holder() (name string) {
	defer func() {
		if recover() != nil {
			name = ""
		}
	}()
	return identity(o.Base())
}

// Global notes what a variable of a package begins with.
func Global(at, name string, o O) {
	if !on {
		return
	}
	now := o.look(true)
	e := event{Kind: "write", At: at, Function: name, Values: []value{{}, now}}
	e.Place, e.Values[1].Place = now.Place, ""
	note(e)
}

// identity tells what a value refers to, for those that refer to something.
func identity(x any) string {
	switch x.(type) {
	case nil, int, string, bool:
		return ""
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Slice, reflect.UnsafePointer:
		if v.IsNil() {
			return ""
		}
		return fmt.Sprintf("%x", v.Pointer())
	}
	return ""
}

// Hit notes a pass of a line.
func Hit(probe int, places bool, at, function string, when func() bool, list ...O) {
	if !on {
		return
	}
	e := event{Kind: "hit", At: at, Function: function, Probe: probe}
	if when != nil {
		holds, err := test(when)
		if err != "" {
			e.Values = []value{{Error: "condition: " + err}}
			note(e)
			return
		}
		if !holds {
			return
		}
	}
	e.Values = make([]value, len(list))
	for i, o := range list {
		e.Values[i] = o.look(places)
	}
	note(e)
}

func test(when func() bool) (holds bool, err string) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Sprint(p)
		}
	}()
	return when(), ""
}

// Frame is one call of a function that is followed.
type Frame struct {
	call     int64
	function string
	ret      string
	was      map[int]value
	noted    bool
}

// Enter notes that a call began.
func Enter(noted bool, at, function string, list ...O) *Frame {
	f := &Frame{call: calls.Add(1), function: function, ret: at, noted: noted}
	if !on || !noted {
		return f
	}
	e := event{Kind: "enter", At: at, Function: function, Call: f.call}
	for _, o := range list {
		e.Names = append(e.Names, o.Name)
		e.Values = append(e.Values, o.look(true))
	}
	e.Stack = callers(3, 1)
	note(e)
	return f
}

// callers are those of the function that called us.
func callers(skip, n int) []string {
	var pcs [4]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip+1, pcs[:n])])
	var list []string
	for {
		fr, more := frames.Next()
		if fr.PC != 0 {
			list = append(list, fr.Function+" "+fr.File+":"+strconv.Itoa(fr.Line))
		}
		if !more {
			return list
		}
	}
}

// Leave notes that it ended; it is deferred.
func (f *Frame) Leave(list ...O) {
	if !on || !f.noted {
		return
	}
	e := event{Kind: "leave", At: f.ret, Function: f.function, Call: f.call}
	if panicking() {
		e.Raised = true
		e.Values = []value{{Text: "panic"}}
		note(e)
		return
	}
	for _, o := range list {
		e.Names = append(e.Names, o.Name)
		e.Values = append(e.Values, o.look(true))
	}
	note(e)
}

// panicking says that the deferred call that called us runs because of a panic.
func panicking() bool {
	var pcs [6]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		fr, more := frames.Next()
		if fr.Function == "runtime.gopanic" || fr.Function == "runtime.Goexit" {
			return true
		}
		if !more || !strings.HasPrefix(fr.Function, "runtime.") && !strings.Contains(fr.Function, ".func") {
			return false
		}
	}
}

// Return remembers the line of the return statement.
func (f *Frame) Return(at string) { f.ret = at }

// Use notes what the statement reads that is about to run, and remembers what its
// targets hold.
func (f *Frame) Use(at string, reads []O, targets ...O) {
	if !on {
		return
	}
	if f.was == nil && len(targets) > 0 {
		f.was = map[int]value{}
	}
	for i, t := range targets {
		f.was[i] = t.look(false)
	}
	if reads == nil {
		return
	}
	e := event{Kind: "use", At: at, Function: f.function, Call: f.call}
	for _, o := range reads {
		e.Names = append(e.Names, o.Name)
		e.Values = append(e.Values, o.look(true))
	}
	note(e)
}

// Wrote notes what the statement has written that has run.
func (f *Frame) Wrote(at string, known bool, targets ...O) {
	if !on {
		return
	}
	for i, t := range targets {
		e := event{Kind: "write", At: at, Function: f.function, Call: f.call, Stack: callers(3, 3)}
		was := value{}
		if known {
			was = f.was[i]
		}
		now := t.look(true)
		e.Place, now.Place = now.Place, ""
		e.Values = []value{was, now}
		note(e)
	}
}

// show writes a value as Go writes it, without calling any of its methods.
func show(x any) string {
	switch x := x.(type) {
	case int:
		return strconv.Itoa(x)
	case bool:
		return strconv.FormatBool(x)
	}
	var b strings.Builder
	write(&b, reflect.ValueOf(x), 0)
	text := b.String()
	if len(text) > longest {
		text = text[:longest]
		for len(text) > 0 && text[len(text)-1]&0xC0 == 0x80 {
			text = text[:len(text)-1]
		}
		text += "…"
	}
	return text
}

const deepest = 3

func write(b *strings.Builder, v reflect.Value, depth int) {
	if b.Len() > longest {
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		b.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		s := v.String()
		b.WriteString(strconv.Quote(s[:min(len(s), longest)]))
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
		} else if depth >= deepest {
			b.WriteString("…")
		} else {
			b.WriteByte('&')
			write(b, v.Elem(), depth+1)
		}
	case reflect.Interface:
		write(b, v.Elem(), depth)
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(v.Type().Field(i).Name + ": ")
			write(b, v.Field(i), depth+1)
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if b.Len() > longest {
				break
			}
			write(b, v.Index(i), depth+1)
		}
		b.WriteByte(']')
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('{')
		for i, it := 0, v.MapRange(); it.Next(); i++ {
			if i > 0 {
				b.WriteString(", ")
			}
			if b.Len() > longest {
				break
			}
			write(b, it.Key(), depth+1)
			b.WriteString(": ")
			write(b, it.Value(), depth+1)
		}
		b.WriteByte('}')
	case reflect.Func:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString("func")
		if f := runtime.FuncForPC(v.Pointer()); f != nil {
			b.WriteString(" " + f.Name())
		}
	default:
		b.WriteString(fmt.Sprintf("%s(%x)", v.Type(), uintptr(unsafe.Pointer(v.Pointer()))))
	}
}

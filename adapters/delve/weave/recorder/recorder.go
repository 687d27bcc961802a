//go:build go1.22

// Package recorder notes what the statements that were woven into a program give it.
// It becomes a package of that program: it may import nothing but the standard
// library, and what it costs is the program's time. Package recording says which
// files it writes, and reads them.
package recorder

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"unicode/utf8"
	"unsafe"
)

const (
	headSize = 4 << 20
	tailSize = 8 << 20
)

// notes are the files; the lock guards all of it.
var notes struct {
	sync.Mutex
	dir   string
	file  *file
	tails [2]*file // the last two, which are used in turns
	tail  int
	seq   int64
	first int64 // the goroutine that noted something first, which needs no name
}

// on says that this process records.
var on = begin()

// begin opens the first file. A child of the program finds it there and records
// nothing.
func begin() bool {
	notes.dir = os.Getenv("AIDB_RECORD")
	if notes.dir == "" {
		return false
	}
	f, ok := open(filepath.Join(notes.dir, "head"), headSize, true)
	if !ok {
		return false
	}
	notes.file = f
	findRecord()
	thin()
	return true
}

// line is an event as it is put together: a line of JSON.
type line struct {
	b       []byte
	scratch []byte // of the value that is looked at
	place   []byte // that was taken out of the last value
	at      unsafe.Pointer
	operand put  // the last value
	wrote   bool // it was written to

	within bool   // values are compared with others of this run only
	here   []byte // what tells the last value from those, where its text is cut
}

var lines = sync.Pool{New: func() interface{} { return &line{b: make([]byte, 0, 1024)} }}

// event begins a line. Site is its part that was written as the program was woven.
func event(kind, site string) *line {
	l := lines.Get().(*line)
	l.b = append(l.b[:0], `{"k":"`...)
	l.b = append(l.b, kind...)
	l.b = append(l.b, `",`...)
	l.b = append(l.b, site...)
	l.wrote, l.within = false, false
	return l
}

// endWrite ends the line of a write to the last value.
func (l *line) endWrite() {
	l.member("o", l.place)
	l.wrote = true
	l.end()
}

// end writes the line.
func (l *line) end() {
	thread := number()
	notes.Lock()
	if notes.first == 0 {
		notes.first = thread
	}
	if thread != notes.first {
		l.b = append(l.b, `,"t":"`...)
		l.b = strconv.AppendInt(l.b, thread, 10)
		l.b = append(l.b, '"')
	}
	notes.seq++
	if l.wrote && l.operand.how != nil {
		puts.last[puts.n%len(puts.last)] = l.operand
		puts.n++
	}
	l.b = append(l.b, `,"n":`...)
	l.b = strconv.AppendInt(l.b, notes.seq, 10)
	l.b = append(l.b, '}', '\n')
	if len(l.b) > notes.file.room {
		nextTail()
	}
	if len(l.b) <= notes.file.room {
		notes.file.write(l.b)
	}
	notes.Unlock()
	lines.Put(l)
}

// nextTail goes on with the other tail, which it empties.
func nextTail() {
	if notes.tail == 0 {
		notes.file.close() // the head
	}
	i := notes.tail % len(notes.tails)
	if f := notes.tails[i]; f == nil || !f.empty() {
		name := filepath.Join(notes.dir, "tail"+strconv.Itoa(i))
		if f != nil {
			f.close()
		}
		var ok bool
		if notes.tails[i], ok = open(name, tailSize, false); !ok {
			notes.tails[i] = &file{} // what comes now is dropped
		}
	}
	notes.file = notes.tails[i]
	notes.tail++
}

func (l *line) number(name string, n int64) {
	if n != 0 {
		l.b = append(l.b, `,"`...)
		l.b = append(l.b, name...)
		l.b = append(l.b, `":`...)
		l.b = strconv.AppendInt(l.b, n, 10)
	}
}

// member puts a text into the object that is open.
func (l *line) member(name string, text []byte) {
	if len(text) == 0 {
		return
	}
	if l.b[len(l.b)-1] != '{' {
		l.b = append(l.b, ',')
	}
	l.b = append(l.b, '"')
	l.b = append(l.b, name...)
	l.b = append(l.b, '"', ':')
	l.b = appendQuoted(l.b, text)
}

// appendQuoted appends a text as JSON; what is no UTF-8 becomes U+FFFD.
func appendQuoted(b []byte, text []byte) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRune(text[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		b = append(b, text[from:i]...)
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			b = utf8.AppendRune(b, utf8.RuneError)
		}
		i += n
		from = i
	}
	b = append(b, text[from:]...)
	return append(b, '"')
}

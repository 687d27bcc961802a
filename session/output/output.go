package output

import (
	"io"
	"os"

	"aidb-mcp/internal/text/pattern"
)

// Streams are the names of what is kept. Log is what logpoints wrote: its order
// among the program's own lines is not known.
const (
	Stdout = "stdout"
	Stderr = "stderr"
	Log    = "log"
)

// Buffer keeps the tail of each stream in a ring of fixed size. Where it holds
// the program's pipes a goroutine for each reads them; Drain fetches at once
// what a program that stands still has left in them. All methods may be called
// from any goroutine.
type Buffer struct {
	stdout, stderr, log *stream
}

// New makes a buffer that keeps the last limit bytes of each stream. Written is called with
// each text as it comes, without what is known as noise; it must not wait, nor keep the
// text. It may be nil.
func New(limit int, written func(stream string, text []byte)) *Buffer {
	if written == nil {
		written = func(string, []byte) {}
	}
	empty := func(name string) *stream {
		return &stream{ring: ring{limit: limit}, written: func(text []byte) { written(name, text) }}
	}
	b := &Buffer{stdout: empty(Stdout), stderr: empty(Stderr), log: empty(Log)}
	b.log.folds = true
	return b
}

// stream is a stream by its name, stdout when there is none of that name.
func (b *Buffer) stream(name string) *stream {
	switch name {
	case Stderr:
		return b.stderr
	case Log:
		return b.log
	}
	return b.stdout
}

// Mute leaves lines that are noise, and what is planted within lines, out of what is read from
// now on. Both may be nil.
func (b *Buffer) Mute(noise func(stream, line string) bool, planted *pattern.Pattern) {
	for name, s := range map[string]*stream{Stdout: b.stdout, Stderr: b.stderr} {
		m := mute{planted: planted}
		if noise != nil {
			m.noise = func(line string) bool { return noise(name, line) }
		}
		s.silence(m)
	}
}

// Attach starts to read the program's pipes; nil files are left out.
func (b *Buffer) Attach(stdout, stderr *os.File) {
	b.stdout.attach(newPump(stdout, b.stdout))
	b.stderr.attach(newPump(stderr, b.stderr))
}

// Drain takes in what has been written to the pipes so far, without waiting for more.
func (b *Buffer) Drain() {
	b.stdout.drain()
	b.stderr.drain()
}

// Detach drains the pipes and lets them go; whoever attached them closes them.
func (b *Buffer) Detach() {
	b.Drain()
	b.stdout.attach(nil)
	b.stderr.attach(nil)
}

// Write adds text that came another way than through a pipe.
func (b *Buffer) Write(stream, text string) { b.stream(stream).write([]byte(text)) }

// Fill takes in all that a reader gives, to its end.
func (b *Buffer) Fill(stream string, from io.Reader) {
	into, buf := b.stream(stream), make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		into.write(buf[:n])
		if err != nil {
			return
		}
	}
}

// Tail is the end of what a stream has got since it was last taken.
type Tail struct {
	Text    string
	Cut     int  // bytes before Text that are left out, and are still kept
	Lost    int  // bytes before those that are kept no more
	Partial bool // Text begins within a line
}

// Take returns what no Take has returned yet: its tail of at most limit bytes,
// in whole lines unless the last line alone is longer.
func (b *Buffer) Take(stream string, limit int) Tail {
	return b.stream(stream).take(limit)
}

// Page says which lines are wanted: those that contain Filter, Count of them
// from Start on; a negative Start counts from the end.
type Page struct {
	Start, Count int
	Filter       string
}

// Lines is a page of the lines that are kept.
type Lines struct {
	Lines []string
	Start int // number of the first one, among those that pass the filter
	Total int // of all that pass the filter
	Lost  int // bytes before the first line that are kept no more
}

// Read returns a page of the lines that are kept, taken or not.
func (b *Buffer) Read(stream string, p Page) Lines {
	b.Drain()
	return b.stream(stream).read(p)
}

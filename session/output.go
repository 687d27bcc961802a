package session

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"aidb-mcp/adapters"
)

// output keeps what the program wrote, and apart from it what logpoints wrote
// (their order among the program's own lines is not known): the tail of each
// stream, in a ring of fixed size. Where we hold the program's pipes a goroutine for each reads them
// as fast as the program writes; drain fetches at once what a program that
// stands still has left in them.
type output struct {
	stdout, stderr, log *stream
}

func newOutput(limit int) *output {
	empty := func() *stream { return &stream{ring: ring{limit: limit}} }
	return &output{stdout: empty(), stderr: empty(), log: empty()}
}

// named is a stream by its name: stdout, stderr or log.
func (o *output) named(name string) *stream {
	switch name {
	case "stderr":
		return o.stderr
	case "log":
		return o.log
	}
	return o.stdout
}

// sift leaves out of what is shown the lines that are noise to a dialect.
func (o *output) sift(d adapters.Dialect) {
	judge, ok := d.(adapters.NoiseJudge)
	if !ok {
		return
	}
	o.stdout.judge(func(line string) bool { return judge.Noise("stdout", line) })
	o.stderr.judge(func(line string) bool { return judge.Noise("stderr", line) })
}

// attach starts reading the program's streams.
func (o *output) attach(s *adapters.Streams) {
	o.stdout.attach(newPump(s.Stdout, o.stdout))
	o.stderr.attach(newPump(s.Stderr, o.stderr))
}

// drain takes in what has been written so far, without waiting for more.
func (o *output) drain() {
	o.stdout.drain()
	o.stderr.drain()
}

// detach lets the pumps go; the plan closes their files.
func (o *output) detach() {
	o.drain()
	o.stdout.attach(nil)
	o.stderr.attach(nil)
}

// write adds text that came another way than through a pipe.
func (o *output) write(name, text string) { o.named(name).write([]byte(text)) }

// stream is one ring with a mark of what has been shown. mu guards all of it.
type stream struct {
	mu    sync.Mutex
	noise func(line string) bool // lines that are not shown; nil: all are
	ring  ring
	shown int64
	pump  *pump
}

func (s *stream) attach(p *pump) {
	s.mu.Lock()
	s.pump = p
	s.mu.Unlock()
	if p != nil {
		go p.run()
	}
}

func (s *stream) drain() {
	s.mu.Lock()
	p := s.pump
	s.mu.Unlock()
	if p != nil {
		p.drain()
	}
}

// fill takes in all that another reader gives, to its end.
func (s *stream) fill(from io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		s.write(buf[:n])
		if err != nil {
			return
		}
	}
}

func (s *stream) write(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ring.write(b)
}

// take returns the tail of what has not been shown, in whole lines where it
// had to be cut, and how many bytes before it are left out.
func (s *stream) take(limit int) (text string, dropped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, fresh := s.ring.from(s.shown)
	whole := len(fresh) - incomplete(fresh)
	fresh = fresh[:whole]
	dropped = int(first - s.shown)
	s.shown = first + int64(whole)
	fresh = s.quiet(fresh)
	cut := cutTail(fresh, limit)
	return strings.ToValidUTF8(string(fresh[cut:]), "\uFFFD"), dropped + cut
}

// quiet leaves out the lines that are noise; mu is held.
func (s *stream) quiet(text []byte) []byte {
	if s.noise == nil {
		return text
	}
	kept := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		if !s.noise(strings.TrimRight(string(line), "\r\n")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// judge sets what is noise.
func (s *stream) judge(noise func(line string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noise = noise
}

// cutTail is where the last whole lines of at most limit bytes begin.
func cutTail(b []byte, limit int) int {
	if len(b) <= limit {
		return 0
	}
	cut := len(b) - limit
	if cut > 0 && b[cut-1] == '\n' {
		return cut
	}
	for i := cut; i < len(b)-1; i++ {
		if b[i] == '\n' {
			return i + 1
		}
	}
	for cut < len(b) && !utf8.RuneStart(b[cut]) {
		cut++
	}
	return cut
}

// incomplete counts the bytes of a character at the end that has not fully come.
func incomplete(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// ring keeps the last limit bytes written to it.
type ring struct {
	limit int
	buf   []byte
	end   int64 // bytes ever written
}

func (r *ring) write(b []byte) {
	if skip := len(b) - r.limit; skip > 0 {
		r.end += int64(skip)
		b = b[skip:]
	}
	if need := int(min(int64(r.limit), r.end+int64(len(b)))); need > len(r.buf) {
		r.buf = append(r.buf, make([]byte, need-len(r.buf))...)
	}
	for len(b) > 0 {
		n := copy(r.buf[r.end%int64(r.limit):], b)
		r.end += int64(n)
		b = b[n:]
	}
}

// from copies what is kept at and after position pos; first is where it begins.
func (r *ring) from(pos int64) (first int64, b []byte) {
	first = max(pos, r.end-int64(r.limit))
	b = make([]byte, 0, r.end-first)
	for at := first; at < r.end; {
		i := at % int64(r.limit)
		n := min(r.end-at, int64(len(r.buf))-i)
		b = append(b, r.buf[i:i+n]...)
		at += n
	}
	return first, b
}

// TakeOutput returns the output that no reply has shown yet, its tail of at most max bytes a stream.
func (s *Session) TakeOutput(max int) Output {
	s.out.drain()
	var o Output
	o.Stdout, o.StdoutDropped = s.out.stdout.take(max)
	o.Stderr, o.StderrDropped = s.out.stderr.take(max)
	o.Log, o.LogDropped = s.out.log.take(max)
	return o
}

// ReadOutput pages through the ring: stream stdout, stderr or log, lines from start (negative: from
// the end); total counts the lines kept (with the filter, those that contain it), dropped the
// bytes lost at the front.
func (s *Session) ReadOutput(name string, start, count int, filter string) (lines []string, total, dropped int) {
	s.out.drain()
	from := s.out.named(name)
	from.mu.Lock()
	first, text := from.ring.from(0)
	text = from.quiet(text)
	from.mu.Unlock()
	var kept []string
	for line := range strings.Lines(strings.ToValidUTF8(string(text), "\uFFFD")) {
		if line = strings.TrimRight(line, "\r\n"); strings.Contains(line, filter) {
			kept = append(kept, line)
		}
	}
	total = len(kept)
	if start < 0 {
		start = max(total+start, 0)
	}
	start = min(start, total)
	end := min(start+max(count, 0), total)
	return kept[start:end], total, int(first)
}

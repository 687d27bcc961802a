package output

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"aidb-mcp/internal/text/pattern"
)

// stream is one ring with a mark of what has been taken. mu guards all of it.
type stream struct {
	folds   bool              // equal lines that follow each other are one with a count
	written func(text []byte) // of every write

	mu    sync.Mutex
	mute  mute
	ring  ring
	taken int64
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

func (s *stream) write(b []byte) {
	s.mu.Lock()
	s.ring.write(b)
	m := s.mute
	s.mu.Unlock()
	s.written(m.clean(b, false))
}

func (s *stream) silence(m mute) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = m
}

func (s *stream) take(limit int) Tail {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, fresh := s.ring.from(s.taken)
	whole := len(fresh) - incompleteBytes(fresh)
	fresh = fresh[:whole]
	t := Tail{Lost: int(first - s.taken)}
	s.taken = first + int64(whole)
	fresh = s.mute.clean(fresh, s.folds)
	t.Cut = cutTail(fresh, limit)
	t.Partial = t.Cut > 0 && fresh[t.Cut-1] != '\n'
	t.Text = strings.ToValidUTF8(string(fresh[t.Cut:]), "\uFFFD")
	return t
}

func (s *stream) read(p Page) Lines {
	s.mu.Lock()
	first, text := s.ring.from(0)
	text = s.mute.clean(text, s.folds)
	s.mu.Unlock()
	var kept []string
	for line := range strings.Lines(strings.ToValidUTF8(string(text), "\uFFFD")) {
		if line = strings.TrimRight(line, "\r\n"); strings.Contains(line, p.Filter) {
			kept = append(kept, line)
		}
	}
	start := p.Start
	if start < 0 {
		start = max(len(kept)+start, 0)
	}
	start = min(start, len(kept))
	end := min(start+max(p.Count, 0), len(kept))
	return Lines{Lines: kept[start:end], Start: start, Total: len(kept), Lost: int(first)}
}

// colours are what a program writes to colour its text, which says nothing here.
var colours = pattern.New(`\x1b\[[0-9;:]*m`)

// mute is what is left out; nil: nothing is.
type mute struct {
	noise   func(line string) bool
	planted *pattern.Pattern
}

// clean is a text without colours and what is left out, and with equal lines folded where it
// folds.
func (m mute) clean(text []byte, folds bool) []byte {
	if bytes.IndexByte(text, '\x1b') >= 0 {
		text = colours.ReplaceAll(text, nil)
	}
	if m.planted != nil { // or all would be copied for nothing
		text = m.planted.ReplaceAll(text, nil)
	}
	if m.noise != nil {
		kept := make([]byte, 0, len(text))
		for line := range bytes.Lines(text) {
			if !m.noise(strings.TrimRight(string(line), "\r\n")) {
				kept = append(kept, line...)
			}
		}
		text = kept
	}
	if folds {
		return foldLines(text)
	}
	return text
}

// foldLines makes one line of equal ones that follow each other, with their number.
func foldLines(text []byte) []byte {
	var folded []byte
	var last []byte
	times := 0
	flush := func() {
		if times > 1 {
			line := bytes.TrimRight(last, "\r\n")
			folded = append(folded, line...)
			folded = fmt.Appendf(folded, " (%d times)", times)
			folded = append(folded, last[len(line):]...)
		} else {
			folded = append(folded, last...)
		}
	}
	for line := range bytes.Lines(text) {
		if times > 0 && bytes.Equal(line, last) {
			times++
			continue
		}
		flush()
		last, times = line, 1
	}
	flush()
	return folded
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

// incompleteBytes counts the bytes of a character at the end that has not fully come.
func incompleteBytes(b []byte) int {
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

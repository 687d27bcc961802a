package task

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"aidb-mcp/internal/text/pattern"
)

const (
	tailKept    = 2000     // bytes told of what a task has printed
	longestLine = 64 << 10 // that is looked at
)

// printed is what a task prints: its end, and whether it has said that it is ready.
type printed struct {
	ready *regexp.Regexp
	seen  chan struct{} // closed when a line has matched

	mu   sync.Mutex // guards all below
	last []byte     // the end of what was printed
	line []byte     // that is not complete
	over bool       // seen is closed
}

// colours are what terminals take for colours and the like.
var colours = pattern.New("\x1b\\[[0-9;?]*[A-Za-z]")

// Write takes what one of the streams has printed.
func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = append(p.last, b...)
	if extra := len(p.last) - 2*tailKept; extra > 0 {
		p.last = append(p.last[:0], p.last[extra:]...)
	}
	if p.ready == nil || p.over {
		return len(b), nil
	}
	p.line = append(p.line, b...)
	for {
		line, rest, found := bytes.Cut(p.line, []byte("\n"))
		if !found {
			break
		}
		p.match(line)
		p.line = rest
	}
	p.match(p.line) // some print no end of a line and wait
	if len(p.line) > longestLine {
		p.line = nil
	}
	return len(b), nil
}

func (p *printed) match(line []byte) {
	if !p.over && len(line) > 0 && p.ready.MatchString(plainText(string(line))) {
		p.over = true
		close(p.seen)
	}
}

func plainText(text string) string {
	return strings.TrimRight(colours.ReplaceAllString(text, ""), "\r")
}

// tail is the end of what was printed, whole lines.
func (p *printed) tail() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.TrimSpace(plainText(strings.ToValidUTF8(string(p.last), "")))
	if cut := len(text) - tailKept; cut > 0 {
		text = text[cut:]
		if _, rest, found := strings.Cut(text, "\n"); found {
			text = rest
		}
	}
	return text
}

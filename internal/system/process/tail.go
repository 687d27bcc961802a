package process

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

const (
	tailSize = 64 << 10 // kept of a child's stderr
	headSize = 4 << 20  // kept of each stream of Run
)

// tail is a writer that keeps the last tailSize bytes. It never blocks or fails.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > tailSize {
		p = p[n-tailSize:]
	}
	// The buffer grows to twice its size before it is cut, so that each byte is
	// moved at most once however small the writes.
	if len(t.buf)+len(p) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailSize:]...)
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// lastBytes returns the end of what was written, at most n bytes, cut at a line's start.
func (t *tail) lastBytes(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return lastLines(t.buf, min(n, tailSize))
}

// lastLines returns the end of text without its final newline, at most n bytes:
// whole lines, or the end of the last line when that alone is longer.
func lastLines(text []byte, n int) string {
	text = bytes.TrimRight(text, "\r\n")
	if cut := len(text) - max(n, 0); cut > 0 {
		before := text[cut-1]
		text = text[cut:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 && before != '\n' {
			text = text[i+1:]
		}
	}
	return strings.ToValidUTF8(string(text), "�")
}

// head is a writer that keeps the first headSize bytes and counts the rest. It
// never blocks or fails.
type head struct {
	mu      sync.Mutex
	buf     []byte
	dropped int
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := min(len(p), headSize-len(h.buf))
	h.buf = append(h.buf, p[:keep]...)
	h.dropped += len(p) - keep
	return len(p), nil
}

// bytes returns what was kept, followed by a notice when something was not.
func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dropped == 0 {
		return h.buf
	}
	return fmt.Appendf(bytes.Clone(h.buf), "\n[truncated: %d more bytes]\n", h.dropped)
}

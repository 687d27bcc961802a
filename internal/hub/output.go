package hub

import (
	"strings"
	"time"
	"unicode/utf8"
)

const (
	outputEvery   = 50 * time.Millisecond // output of that time is one event
	longestOutput = 8_000                 // bytes of one event
)

// pendingOutput is what a stream has printed that is no event yet.
type pendingOutput struct {
	stream string
	text   []byte
	cut    int
}

// Print takes in what the program has printed. It becomes an event a moment later, with
// what follows it, or before whatever else happens: a program that prints much makes few
// events.
func (h *Hub) Print(stream string, text []byte) {
	if len(text) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var p *pendingOutput
	if n := len(h.pending); n > 0 && h.pending[n-1].stream == stream {
		p = h.pending[n-1]
	} else {
		if n == 0 {
			// It owns nothing, and ends when it has run.
			time.AfterFunc(outputEvery, h.flush)
		}
		if n >= mostPending {
			h.flushAll()
		}
		p = &pendingOutput{stream: stream}
		h.pending = append(h.pending, p)
	}
	if extra := len(text) - longestOutput; extra > 0 {
		p.cut += extra
		text = text[extra:]
	}
	p.text = append(p.text, text...)
	if extra := len(p.text) - longestOutput; extra > 0 {
		p.cut += extra
		p.text = append(p.text[:0], p.text[extra:]...)
	}
}

// mostPending is how many pieces of different streams wait.
const mostPending = 16

func (h *Hub) flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flushAll()
}

// flushAll makes events of what has been printed.
func (h *Hub) flushAll() {
	for _, p := range h.pending {
		text, cut := p.text, p.cut
		for cut > 0 && len(text) > 0 && !utf8.RuneStart(text[0]) {
			text, cut = text[1:], cut+1
		}
		h.append(Event{By: Program, Kind: KindOutput, Output: &Output{
			Stream: p.stream, Text: strings.ToValidUTF8(string(text), "\uFFFD"), Cut: cut,
		}})
	}
	h.pending = nil
}

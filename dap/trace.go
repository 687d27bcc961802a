package dap

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	tracePayload = 300      // bytes of a message's content shown
	traceLimit   = 64 << 20 // bytes of one trace
)

// Tracer writes one readable line a message:
//
//	15:04:05.000123 go-1 → request  setBreakpoints #5 {"source":…
//	15:04:05.001201 go-1 ← reply    setBreakpoints #5 1.1ms {"breakpoints":…
//	15:04:05.001322 go-1 ← refused  evaluate #7 0.3ms could not find symbol value for x
//	15:04:05.002017 go-1 ← event    stopped {"reason":"breakpoint",…
//	15:04:05.002500 go-1 ← reverse  runInTerminal #9 {"kind":…
//	15:04:05.003007 go-1 → answer   runInTerminal #9 {}
//
// Several connections may share one. A nil Tracer writes nothing. After 64 MiB
// it says so and stops.
type Tracer struct {
	mask func([]byte) []byte // of a payload, JSON or text

	mu   sync.Mutex
	w    io.Writer
	left int
}

// NewTracer returns a tracer that makes one Write a line. What mask takes out of
// the content of a message is not traced; nil takes out nothing.
func NewTracer(w io.Writer, mask func(payload []byte) []byte) *Tracer {
	return &Tracer{w: w, mask: mask, left: traceLimit}
}

func (t *Tracer) request(conn, command string, seq int, arguments json.RawMessage) {
	t.line(conn, "→ request ", fmt.Sprintf("%s #%d", command, seq), arguments)
}

func (t *Tracer) reply(conn string, p *Pending, m message) {
	kind, payload := "← reply   ", m.Body
	if !m.Success {
		kind, payload = "← refused ", json.RawMessage(requestError(p.command, m).Message)
	}
	ms := float64(time.Since(p.sent).Microseconds()) / 1000
	t.line(conn, kind, fmt.Sprintf("%s #%d %.1fms", p.command, m.RequestSeq, ms), payload)
}

func (t *Tracer) event(conn string, m message) {
	t.line(conn, "← event   ", m.Event, m.Body)
}

func (t *Tracer) reverse(conn string, m message) {
	t.line(conn, "← reverse ", fmt.Sprintf("%s #%d", m.Command, m.Seq), m.Arguments)
}

func (t *Tracer) answer(conn string, r reply) {
	t.line(conn, "→ answer  ", fmt.Sprintf("%s #%d", r.Command, r.RequestSeq), r.Body)
}

func (t *Tracer) line(conn, kind, what string, payload []byte) {
	if t == nil {
		return
	}
	if t.mask != nil {
		payload = t.mask(payload)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left <= 0 {
		return
	}
	line := fmt.Sprintf("%s %s %s %s %s", time.Now().Format("15:04:05.000000"), conn, kind, what, excerpt(payload))
	line = strings.TrimRight(line, " ") + "\n"
	if t.left -= len(line); t.left <= 0 {
		line = fmt.Sprintf("the trace ends here: it has reached %d MiB\n", traceLimit>>20)
	}
	if _, err := io.WriteString(t.w, line); err != nil {
		t.left = 0 // a full disk is no reason to stop debugging
	}
}

// excerpt is the beginning of a payload on one line.
func excerpt(payload []byte) string {
	text, more := string(payload), ""
	if len(payload) > tracePayload {
		cut := tracePayload
		for cut > 0 && !utf8.RuneStart(payload[cut]) {
			cut--
		}
		text, more = string(payload[:cut]), fmt.Sprintf("… (%d bytes)", len(payload))
	}
	return strings.Join(strings.Fields(text), " ") + more
}

package telemetry

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kind is what a span is, in OpenTelemetry's numbers.
type Kind int

// The kinds that we have: a call that we answer, and a request that we make.
const (
	Server Kind = 2
	Client Kind = 3
)

// Parent is a caller's span, as W3C's Trace Context writes it. The zero Parent says that there is
// none.
type Parent struct {
	trace   [16]byte
	span    [8]byte
	sampled bool
	state   string
}

const longestState = 512

// ParseParent reads traceparent and tracestate. If they are not valid, it is the zero Parent.
func ParseParent(traceparent, tracestate string) (p Parent) {
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || parts[0] == "ff" || parts[0] == "00" && len(parts) != 4 || len(traceparent) > longestState {
		return Parent{}
	}
	version, flags := make([]byte, 1), make([]byte, 1)
	for _, part := range []struct {
		text string
		to   []byte
	}{{parts[0], version}, {parts[1], p.trace[:]}, {parts[2], p.span[:]}, {parts[3], flags}} {
		if len(part.text) != 2*len(part.to) || strings.ToLower(part.text) != part.text {
			return Parent{}
		}
		if _, err := hex.Decode(part.to, []byte(part.text)); err != nil {
			return Parent{}
		}
	}
	if p.trace == [16]byte{} || p.span == [8]byte{} {
		return Parent{}
	}
	p.sampled = flags[0]&1 != 0
	if len(tracestate) <= longestState && isPlain(tracestate) {
		p.state = tracestate
	}
	return p
}

// isPlain says that a text has printable letters of ASCII only.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// IsNobody says that no caller has told of a trace.
func (p Parent) IsNobody() bool { return p.trace == [16]byte{} }

// samples says whether a trace is told.
func (s sampler) samples(trace [16]byte, of Parent) bool {
	if s.ofParent && !of.IsNobody() {
		return of.sampled
	}
	if s.ratio >= 1 {
		return true
	}
	return binary.BigEndian.Uint64(trace[8:])>>1 < uint64(s.ratio*math.MaxInt64)
}

// mostChildren is of how many requests within one call a span is told; all are counted.
const mostChildren = 200

// Span is something that we do, from its start to its end. Nil is none, of which nothing
// is told. Its methods may be called from any goroutine.
type Span struct {
	to      *Telemetry
	trace   [16]byte
	id      [8]byte
	parent  [8]byte // zero: there is none
	sampled bool
	state   string
	kind    Kind
	name    string
	began   time.Time

	mu         sync.Mutex // guards the fields below
	attributes []attribute
	failed     bool
	ended      bool
	children   int
	counted    string // what they are counted as
}

type spanKey struct{}

// Start begins a span, below that of a caller if there is one. The context that it returns holds it.
func (t *Telemetry) Start(ctx context.Context, of Parent, kind Kind, name string) (context.Context, *Span) {
	if t == nil || t.traces == nil {
		return ctx, nil
	}
	s := &Span{to: t, kind: kind, name: name, began: time.Now(), trace: of.trace, parent: of.span, state: of.state}
	if of.IsNobody() {
		_, _ = rand.Read(s.trace[:]) // it never fails
	}
	_, _ = rand.Read(s.id[:])
	s.sampled = t.sampler.samples(s.trace, of)
	return context.WithValue(ctx, spanKey{}, s), s
}

// Record exports a request that was made and is over as a span below that of the context, if it
// has one. why is the kind of its failure, empty for none.
func Record(ctx context.Context, of, name, why string, began, ended time.Time) {
	within, _ := ctx.Value(spanKey{}).(*Span)
	if within == nil || !within.sampled || !within.count(of+".requests") {
		return
	}
	s := &Span{
		to: within.to, trace: within.trace, parent: within.id, state: within.state, sampled: true,
		kind: Client, name: of + " " + name, began: began, attributes: []attribute{textual(of+".command", name)},
	}
	_, _ = rand.Read(s.id[:])
	s.Fail(why)
	s.end(ended)
}

// Call is the span of a tool call, for work that goes on beside it: requests made after the call's
// end are not exported. The zero Call is none.
type Call struct{ span *Span }

// CallOf is the call of a context.
func CallOf(ctx context.Context) Call {
	s, _ := ctx.Value(spanKey{}).(*Span)
	return Call{s}
}

// In is a context that has the call's span, and the end and values of ctx.
func (c Call) In(ctx context.Context) context.Context {
	if c.span == nil {
		return ctx
	}
	return context.WithValue(ctx, spanKey{}, c.span)
}

// count counts one more request within the span. It returns false if the request gets no span of
// its own.
func (s *Span) count(as string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children, s.counted = s.children+1, as
	return !s.ended && s.children <= mostChildren
}

// Set adds an attribute. An empty text is left out.
func (s *Span) Set(key, text string) {
	if s == nil || text == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attributes = append(s.attributes, textual(key, text))
}

// Fail marks the span as failed, with one word for the kind: a message could hold values. An empty
// word is no failure.
func (s *Span) Fail(why string) {
	if s == nil || why == "" {
		return
	}
	s.Set("error.type", why)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = true
}

// End ends the span and exports it. Only the first end counts.
func (s *Span) End() { s.end(time.Now()) }

func (s *Span) end(at time.Time) {
	if s == nil || !s.sampled {
		return
	}
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	s.ended = true
	if s.children > 0 {
		s.attributes = append(s.attributes, numeric(s.counted, int64(s.children)))
	}
	exported := s.export(at)
	s.mu.Unlock()
	s.to.traces.put(exported)
}

// export is the span as it is exported; mu is held.
func (s *Span) export(at time.Time) spanJSON {
	j := spanJSON{
		TraceID: hex.EncodeToString(s.trace[:]), SpanID: hex.EncodeToString(s.id[:]), State: s.state,
		Name: s.name, Kind: s.kind, Start: nano(s.began), End: nano(at), Attributes: s.attributes,
	}
	if s.parent != [8]byte{} {
		j.ParentID = hex.EncodeToString(s.parent[:])
	}
	if s.failed {
		j.Status.Code = statusError
	}
	return j
}

// Traceparent names the span for those who are called within it; empty for a nil Span.
func (s *Span) Traceparent() string {
	if s == nil {
		return ""
	}
	flags := "00"
	if s.sampled {
		flags = "01"
	}
	return "00-" + hex.EncodeToString(s.trace[:]) + "-" + hex.EncodeToString(s.id[:]) + "-" + flags
}

func nano(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

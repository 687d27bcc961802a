package handlers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/session"
	"aidb-mcp/session/output"
)

// news adds to every reply what has happened meanwhile in the sessions whose
// events were subscribed to: a program that was left running has hit a
// breakpoint, or has ended. Of the call's own session it leaves out what the
// reply shows. A reply that nobody will read tells nothing. The client's log has
// heard of all before the reply.
func (ch *callChain) news(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		res, err := next(ctx, c)
		if ctx.Err() == nil && !c.isLook {
			ch.journal.chronicle(ctx, ch.Sessions, ch.Mask)
		}
		if err == nil && ctx.Err() == nil && !c.isLook {
			res.Envelope.Events = ch.subscribers.collect(ch.Sessions, c, func(s *session.Session) string {
				return showOf(ch.Sessions, s).statusText(s.State())
			})
		}
		return res, err
	}
}

// subscribers are the sessions whose events are wanted.
type subscribers struct {
	mu   sync.Mutex // guards all
	each map[*session.Session]*subscription
}

// subscription is what is wanted of one session, and what was last told of it.
type subscription struct {
	events []string
	epoch  int            // of the last state that was told
	marks  map[string]int // of each stream, see mark
}

func (n *subscribers) set(s *session.Session, events []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(events) == 0 {
		delete(n.each, s)
		return
	}
	sub := &subscription{events: events, marks: map[string]int{}}
	sub.epoch, _ = s.Moment()
	for _, stream := range newsStreams {
		sub.marks[stream] = mark(s.ReadOutput(stream, output.Page{}))
	}
	n.each[s] = sub
}

// collect returns what is new, one line an event, and forgets the sessions
// that are gone.
func (n *subscribers) collect(all *session.Manager, c *Call, describe func(*session.Session) string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.each) == 0 {
		return nil
	}
	var events []string
	known := all.List()
	for _, s := range known {
		if sub := n.each[s]; sub != nil {
			if s == c.Session {
				sub.epoch = max(sub.epoch, c.shownEpoch)
			}
			told := sub.collect(s, describe)
			if s == c.Session && c.showsOutput {
				told = slices.DeleteFunc(told, func(e event) bool { return e.output })
			}
			for _, e := range told {
				events = append(events, e.text)
			}
		}
	}
	for s := range n.each {
		if !slices.Contains(known, s) {
			delete(n.each, s)
		}
	}
	return events
}

// event is one line of news.
type event struct {
	text   string
	output bool
}

// newsStreams are the streams whose lines are news.
var newsStreams = []string{"stdout", "stderr"}

// collect says what has happened since the last reply, and takes that, and no more,
// as told.
func (sub *subscription) collect(s *session.Session, describe func(*session.Session) string) []event {
	var events []event
	if slices.Contains(sub.events, "output") {
		for _, stream := range newsStreams {
			last := s.ReadOutput(stream, output.Page{Start: -1, Count: 1})
			now := mark(last)
			if now > sub.marks[stream] && len(last.Lines) > 0 {
				text := fmt.Sprintf("%s: new output on %s, its last line: %s", s.ID(), stream, shorten(last.Lines[0]))
				events = append(events, event{text, true})
			}
			sub.marks[stream] = now
		}
	}
	epoch, status := s.Moment()
	if epoch > sub.epoch && slices.Contains(sub.events, eventOf[status]) {
		events = append(events, event{fmt.Sprintf("%s: %s", s.ID(), describe(s)), false})
	}
	sub.epoch = epoch
	return events
}

// eventOf is the event that brings a session into a state.
var eventOf = map[session.Status]string{
	session.StoppedBreakpoint: "breakpoint",
	session.StoppedException:  "exception",
	session.Terminated:        "terminated",
}

// shorten keeps an event to one short line.
func shorten(line string) string {
	const longest = 200
	if len(line) <= longest {
		return line
	}
	return strings.ToValidUTF8(line[:longest], "") + "…"
}

// mark grows with every line of a stream: a line that falls off the front of
// the ring takes one from the lines kept and adds its bytes to those lost.
func mark(kept output.Lines) int { return kept.Total + kept.Lost }

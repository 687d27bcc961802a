package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
)

// A call about a debug session that another client of the principal has started, perhaps
// at another gateway, is made by a seat that has no worker: one for each principal and
// machine, which the machine tells of the principal's sessions, too.

// How long visitors stay, and how long a machine may take to tell what lives there.
const (
	visitFor = 5 * time.Minute
	tellFor  = 300 * time.Millisecond
)

type visitKey struct {
	principal string
	at        *machine
}

// visitor is the seat by which a principal visits a machine.
func (l *Link) visitor(principal string, at *machine) *seat {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := visitKey{principal, at}
	v := l.visits[key]
	if v == nil {
		v = newSeat(l, pool.Client{Principal: principal}, func(frame.Frame) {})
		v.visits, v.at, v.known = true, at, make(chan struct{})
		l.visits[key], l.seats[v] = v, struct{}{}
	}
	return v
}

// Find is who is to be asked about the session of a handle: nil for this client's own
// worker. The handle names its machine, so that nothing is looked up.
func (s *seat) Find(id string) (pool.Visited, *fault.Error) {
	h, err := handle.Parse(id)
	if errors.Is(err, handle.ErrNone) || s.holds(id) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.SessionNotFound, "there is no session %q: %w", id, err).
			WithField("session_id").WithHint("give it as session_start answered it")
	}
	at := s.l.named(h.Machine)
	switch {
	case at == nil:
		return nil, lostMachine()
	case !s.l.lives(at):
		_, heard := s.l.heard(at)
		return nil, fault.New(fault.WorkerGone, "the machine that the session names has not been heard since %s; the call has not begun", clock(heard)).
			WithField("session_id").WithHint("call again when it is back")
	}
	return visited{s.l.visitor(s.who.Principal, at), id}, nil
}

// named is byHandles. Just after the gateway has begun, machines may take a moment to tell that they are there.
func (l *Link) named(handles string) *machine {
	over := time.NewTimer(time.Until(l.began.Add(firstWords)))
	defer over.Stop()
	for {
		l.mu.Lock()
		changed := l.changed
		m := l.byHandles(handles)
		l.mu.Unlock()
		if m != nil {
			return m
		}
		select {
		case <-changed:
		case <-over.C:
			return nil
		case <-l.stop:
			return nil
		}
	}
}

func lostMachine() *fault.Error {
	return fault.New(fault.SessionNotFound, "there is no such session: the machine that it names is not there, or has been started anew, and its sessions ended with it").
		WithField("session_id").WithHint("start it again with session_start")
}

// holds says that a session is this client's own worker's.
func (s *seat) holds(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, own := range s.sessions {
		if own.ID == id {
			return true
		}
	}
	return false
}

// visited is the worker that holds the session of a handle.
type visited struct {
	by *seat
	id string
}

// AskAs makes a call there. Its answer and its progress come to receive, under ids of ours.
func (v visited) AskAs(ctx context.Context, f frame.Frame, receive func(frame.Frame)) (cancel func(), refused *fault.Error) {
	gone := fault.New(fault.WorkerGone, "the machine that the session names went away in this moment; the call has not begun").
		WithField("session_id").WithHint("call again")
	return v.by.say(ctx, gone, receive, func(n int) (frame.Frame, string, []byte) {
		id := json.RawMessage(strconv.Quote(fmt.Sprint("aidb-visit-", n)))
		at := f.With(id, "id").With(id, "params", "_meta", "progressToken")
		return at, span.OpVisit, span.Marshal(span.Visit{Handle: v.id, Frame: at.Bytes()})
	})
}

// say makes a call of ours, which build makes with a number of its own, on the seat's line. What comes
// of it goes to receive. Gone is the error where the machine is no more there.
func (s *seat) say(ctx context.Context, gone *fault.Error, receive func(frame.Frame), build func(n int) (f frame.Frame, op string, body []byte)) (cancel func(), refused *fault.Error) {
	line, _, refused := s.open(ctx)
	if refused != nil {
		return nil, refused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != line || s.closing {
		return nil, gone
	}
	s.visit++
	f, op, body := build(s.visit)
	id := f.ID()
	s.used = time.Now()
	s.calls[string(id)] = &call{request: pool.NewBrief(f), line: line, receive: receive, number: line.Say(op, body)}
	return func() {
		s.Cancel(id, answer.Notification("notifications/cancelled", struct {
			RequestID json.RawMessage `json:"requestId"`
		}{id}))
	}, nil
}

// progress passes on what a worker tells of a visit.
func (s *seat) progress(f frame.Frame) {
	s.mu.Lock()
	c := s.calls[string(f.Name("params", "progressToken"))]
	s.mu.Unlock()
	if c != nil {
		c.receive(f)
	}
}

// noteLive notes what lives of the principal at the machine.
func (s *seat) noteLive(body []byte) {
	var live []handle.Entry
	if json.Unmarshal(body, &live) != nil || !s.visits {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = live
	select {
	case <-s.known:
	default:
		close(s.known)
	}
}

// Others are the debug sessions of the principal on all machines, none where this client's
// own worker has any. A machine that does not tell at once is passed over.
func (s *seat) Others() []handle.Entry {
	s.mu.Lock()
	own := len(s.sessions) > 0
	s.mu.Unlock()
	if own {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), tellFor)
	defer cancel()
	var asked []*seat
	for _, at := range s.l.living() {
		v := s.l.visitor(s.who.Principal, at)
		if _, _, refused := v.open(ctx); refused == nil {
			asked = append(asked, v)
		}
	}
	var all []handle.Entry
	for _, v := range asked {
		select {
		case <-v.known:
		case <-ctx.Done():
		}
		v.mu.Lock()
		v.used = time.Now()
		all = append(all, v.live...)
		v.mu.Unlock()
	}
	return all
}

func (l *Link) living() (all []*machine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.machines {
		if at.lives() {
			all = append(all, at)
		}
	}
	return all
}

package pool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
)

// guest is one call of a client to the worker of another client of the same principal,
// which holds the debug session that the call is about.
type guest struct {
	seat    *ClientSlot
	worker  *worker
	id      json.RawMessage // at the worker
	receive func(frame.Frame)
}

// guestPrefix begins the ids of their calls.
const guestPrefix = "aidb-guest-"

// Find is who is to be asked about the session of an id, for one who has no worker here.
// Both are nil where the id is no handle.
func (p *Pool) Find(principal, id string) (Visited, *fault.Error) {
	at, refused := p.find(principal, id)
	if at == nil {
		return nil, refused
	}
	return at, nil
}

// Live is the debug sessions of a principal.
func (p *Pool) Live(principal string) []handle.Entry { return p.book.Live(principal) }

// Find is the seat whose worker holds the session of a handle; nil where the id is none, so
// that the client's own worker must know what it means, or where that is the one. The
// error is what has become of the session; of one that is another principal's nothing more
// is known than of one that never was.
func (s *ClientSlot) Find(id string) (Visited, *fault.Error) {
	at, refused := s.pool.find(s.principal, id)
	if at == nil || at == s {
		return nil, refused
	}
	return at, nil
}

func (p *Pool) find(principal, id string) (*ClientSlot, *fault.Error) {
	h, err := handle.Parse(id)
	if errors.Is(err, handle.ErrNone) {
		return nil, nil
	}
	if err == nil && h.Machine == p.o.Machine {
		if at := p.seatOf(principal, h.Worker); at != nil {
			return at, nil
		}
	}
	return nil, p.notFound(principal, id, h, err)
}

// seatOf is the seat of a principal whose worker has a name, nil if there is none.
func (p *Pool) seatOf(principal, worker string) (at *ClientSlot) {
	for _, s := range p.allSlots() {
		if s.principal != principal {
			continue
		}
		s.mu.Lock()
		if s.worker != nil && s.worker.name == worker {
			at = s
		}
		s.mu.Unlock()
	}
	return at
}

// notFound says what has become of a session whose worker is not here.
func (p *Pool) notFound(principal, id string, h handle.Handle, wrong error) *fault.Error {
	const again = "start it again with session_start"
	entry, known := p.book.Find(principal, id)
	switch {
	case wrong != nil:
		return fault.New(fault.SessionNotFound, "there is no session %q: %w", shorten([]byte(id)), wrong).
			WithField("session_id").WithHint("%s", p.knownSessions(principal, "give it as session_start answered it"))
	case known && entry.Fate == handle.Lost:
		return fault.New(fault.WorkerCrashed, "session %s (%s) is lost since %s: its worker process has ended: %s", id, entry.Program, clock(entry.At), entry.Why).
			WithField("session_id").WithHint("%s", p.knownSessions(principal, again))
	case known && entry.Fate == handle.Live:
		return lostAnswer() // in this very moment
	case known:
		why := cmp.Or(entry.Why, "it was stopped, or its program had come to its end")
		return fault.New(fault.SessionNotFound, "session %s (%s) has ended at %s: %s", id, entry.Program, clock(entry.At), why).
			WithField("session_id").WithHint("%s", p.knownSessions(principal, again))
	case h.Machine != p.o.Machine:
		return fault.New(fault.SessionNotFound, "there is no session %q: it names another machine, or this server before it was started anew, with which its sessions ended", id).
			WithField("session_id").WithHint("%s", p.knownSessions(principal, again))
	}
	return fault.New(fault.SessionNotFound, "there is no session %q", id).
		WithField("session_id").WithHint("%s", p.knownSessions(principal, "start one with session_start"))
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05 MST") }

// knownSessions is a hint with what lives of a principal, or else what to do.
func (p *Pool) knownSessions(principal, otherwise string) string {
	live := p.book.Live(principal)
	if len(live) == 0 {
		return "none of your sessions lives; " + otherwise
	}
	return "yours are " + Listed(live)
}

// mostListed is how many sessions are listed in words.
const mostListed = 10

// Listed tells sessions in words, with what they are.
func Listed(live []handle.Entry) (text string) {
	for i, e := range live {
		if i == mostListed {
			return text + fmt.Sprintf(" and %d more", len(live)-i)
		}
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s (%s %s, %s, since %s)", e.ID, e.Language, shorten([]byte(e.Program)), e.State, clock(e.Since))
	}
	return text
}

// Others are the debug sessions of the principal that live at other workers; none, where
// this one's own worker has any.
func (s *ClientSlot) Others() []handle.Entry {
	live := s.pool.book.Live(s.principal)
	if len(live) == 0 {
		return nil
	}
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w == nil {
		return live
	}
	for _, e := range live {
		if e.Worker == w.name {
			return nil
		}
	}
	return live
}

// AskAs makes a call for a client whose own worker this is not. Its answer comes to
// receive, under the id of the call at the worker, and its progress by the same token; the
// error is that it could not be made. A worker that has gone is not started again: the
// session went with it.
func (s *ClientSlot) AskAs(ctx context.Context, f frame.Frame, receive func(frame.Frame)) (cancel func(), err *fault.Error) {
	s.mu.Lock()
	w := s.worker
	if w == nil || s.closed {
		s.mu.Unlock()
		return nil, lostAnswer()
	}
	g := &guest{seat: s, worker: w, receive: receive}
	g.id = json.RawMessage(strconv.Quote(guestPrefix + strconv.FormatInt(s.pool.guests.Add(1), 10)))
	s.guests[string(g.id)] = g
	s.mu.Unlock()
	at := f.With(g.id, "id").With(g.id, "params", "_meta", "progressToken")
	switch failed := w.ask(at, s.pool.o.Call); {
	case failed == nil && ctx.Err() == nil:
		return g.cancel, nil
	case failed == nil: // cancelled in the same moment
		g.cancel()
		return nil, abandonedAnswer(ctx)
	case errors.Is(failed, errFull):
		g.leave()
		return nil, fullAnswer(s.pool.o.Queue)
	}
	g.leave()
	return nil, lostAnswer()
}

func lostAnswer() *fault.Error {
	return fault.New(fault.SessionNotFound, "the worker process that held the session is ending").
		WithField("session_id").WithHint("session(list) shows what is left; start it again with session_start")
}

// leave drops the guest. False: it had its answer already.
func (g *guest) leave() bool {
	g.seat.mu.Lock()
	defer g.seat.mu.Unlock()
	_, waited := g.seat.guests[string(g.id)]
	delete(g.seat.guests, string(g.id))
	return waited
}

// cancel drops the call. It will not be answered.
func (g *guest) cancel() {
	if g.leave() && g.worker.forget(g.id) {
		g.worker.tell(answer.Notification("notifications/cancelled", struct {
			RequestID json.RawMessage `json:"requestId"`
			Reason    string          `json:"reason"`
		}{g.id, "the client has cancelled it, or has hung up"}))
	}
}

// deliver gives what the worker says to the client whose it is.
func (s *ClientSlot) deliver(f frame.Frame) {
	id := f.ID()
	if f.Method() == "notifications/progress" {
		id = f.Name("params", "progressToken")
	}
	if f.Kind() == frame.Request || len(id) == 0 {
		s.receive(f)
		return
	}
	s.mu.Lock()
	g := s.guests[string(id)]
	if g != nil && f.Kind() == frame.Answer {
		delete(s.guests, string(id))
	}
	s.mu.Unlock()
	if g == nil {
		s.receive(f)
		return
	}
	g.receive(f)
}

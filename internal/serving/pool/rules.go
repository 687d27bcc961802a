package pool

import (
	"encoding/json"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
)

// Under has the workers of a seat start by rules of its own, and not by those of its pool. It
// is called before the first call; the error says why none may start.
func (s *ClientSlot) Under(rules func() (Rules, *fault.Error)) { s.rules = rules }

// Renew has what the seat starts from now on go by rules that have changed. A worker that
// rests is ended for it, another when it begins to.
func (s *ClientSlot) Renew() {
	s.renewed.Add(1)
	s.pool.greetings.forget()
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w != nil {
		w.handleRest()
	}
}

// age is how often the rules have changed that its workers are started with.
func (s *ClientSlot) age() int64 { return s.pool.age.Load() + s.renewed.Load() }

// currentRules are those that count now.
func (s *ClientSlot) currentRules() (Rules, *fault.Error) {
	switch o := &s.pool.o; {
	case s.rules != nil:
		return s.rules()
	case o.For != nil:
		return o.For(s.principal), nil
	default:
		return Rules{Command: o.Command}, nil
	}
}

// MakeRoom ends a worker of a principal that has nothing to do, so that the principal may
// have one elsewhere. False: all of them have.
func (p *Pool) MakeRoom(principal string) bool {
	p.sharing.Lock()
	defer p.sharing.Unlock()
	w := p.restingWorker(principal)
	return w != nil && w.retire(true, false)
}

// Taken is how many workers each principal has that has any.
func (p *Pool) Taken() map[string]int { return p.places.all() }

func (p *Pool) fullAnswer(principal string, r Rules) *fault.Error {
	where := ""
	if r.Elsewhere > 0 {
		where = " on all machines"
	}
	return fault.New(fault.WorkerLimit, "%s may have %d workers%s, and none became free within %s", principal, r.Workers, where, p.o.Wait).
		WithHint("end a session that you do not need; a worker becomes free when its client ends its session, or after %s without a message", p.o.Idle)
}

func (p *Pool) elsewhereAnswer(principal string, r Rules) *fault.Error {
	return fault.New(fault.WorkerLimit, "%s may have %d workers on all machines, and has %d on others", principal, r.Workers, r.Elsewhere).
		WithHint("end a session that you do not need; a worker becomes free when its client ends its session, or after %s without a message", p.o.Idle)
}

// CancelAll cancels all calls of the seat's client. They will not be answered.
func (s *ClientSlot) CancelAll() {
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w == nil {
		return
	}
	for _, id := range w.open() {
		s.Cancel(id, answer.Notification("notifications/cancelled", struct {
			RequestID json.RawMessage `json:"requestId"`
			Reason    string          `json:"reason"`
		}{id, "its gateway has given it up"}))
	}
}

// isGuests says that a call is one of another client.
func isGuests(id string) bool { return strings.HasPrefix(id, `"`+guestPrefix) }

// open are the ids of calls of its client that have not been answered.
func (w *worker) open() (all []json.RawMessage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, c := range w.calls {
		if !isOurs(c.request.ID()) && !isGuests(id) {
			all = append(all, json.RawMessage(id))
		}
	}
	return all
}

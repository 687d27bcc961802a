package pool

import (
	"encoding/json"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
)

// Under has the workers of a seat start by rules of its own in place of the pool's. It is called
// before the first call. The error of rules says why no worker may start.
func (s *ClientSlot) Under(rules func() (Rules, *fault.Error)) { s.rules = rules }

// Renew has workers that the seat starts from now on go by rules that have changed. A worker that
// was started by the old ones is ended as soon as it is idle.
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

// age is how often the rules by which the seat's workers start have changed.
func (s *ClientSlot) age() int64 { return s.pool.age.Load() + s.renewed.Load() }

// currentRules are the rules that hold now.
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

// MakeRoom ends an idle worker of a principal, so that the principal may have one elsewhere. It
// returns false if none is idle.
func (p *Pool) MakeRoom(principal string) bool {
	p.sharing.Lock()
	defer p.sharing.Unlock()
	w := p.restingWorker(principal)
	return w != nil && w.retire(true, false)
}

// Taken is how many workers each principal has; who has none is not in it.
func (p *Pool) Taken() map[string]int { return p.places.all() }

func (p *Pool) fullAnswer(principal string, r Rules) *fault.Error {
	where := ""
	if r.Elsewhere > 0 {
		where = " on all machines"
	}
	return fault.New(fault.WorkerLimit, "%s may have %d workers%s, and none became free within %s", principal, r.Workers, where, p.o.Wait).
		WithHint("stop a debug session that you do not need (session with action stop) or end an MCP session, and call again; a worker without a message for %s ends by itself", p.o.Idle)
}

func (p *Pool) elsewhereAnswer(principal string, r Rules) *fault.Error {
	return fault.New(fault.WorkerLimit, "%s may have %d workers on all machines, and has %d on others", principal, r.Workers, r.Elsewhere).
		WithHint("stop a debug session that you do not need (session with action stop) or end an MCP session, and call again; a worker without a message for %s ends by itself", p.o.Idle)
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

// isGuests says that a call was made by another client ([ClientSlot.AskAs]).
func isGuests(id string) bool { return strings.HasPrefix(id, `"`+guestPrefix) }

// open are the ids of its own client's calls that have not been answered.
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

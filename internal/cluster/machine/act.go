package machine

import (
	"cmp"
	"encoding/json"
	"sync"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/pool"
)

// acts are those of a seat that have been noted, and not what came of them. The zero value is ready.
type acts struct {
	mu    sync.Mutex // guards the field below
	under map[string]func(outcome string)
}

// beginAct notes what is asked of a seat, with the debug session that it visits. An act that cannot be
// noted is refused.
func (s *seat) beginAct(f frame.Frame, session string) *fault.Error {
	s.mu.Lock()
	gateway, info := span.GatewayOf(s.reply), s.info
	s.mu.Unlock()
	if s.h.o.Audit == nil || gateway == s.h.o.Gateway && !s.parts {
		return nil
	}
	a, is := audit.ActOf(f, info)
	if !is {
		return nil
	}
	a.Principal, a.Gateway, a.Workspace, a.IsPart = s.principal, gateway, s.workspace, s.parts
	a.Session = cmp.Or(session, f.Text("params", "arguments", "session_id"))
	if s.parts {
		a.Arguments = json.RawMessage(f.Text("params", "_meta", client.PartKey))
	}
	done, err := s.h.o.Audit.Begin(a)
	if err != nil {
		return fault.New(fault.WorkerLimit, "the call is not made, because the machine %s cannot record it: %w", s.h.o.Name, err).
			WithHint("tell whoever runs that machine")
	}
	s.acts.mu.Lock()
	defer s.acts.mu.Unlock()
	if s.acts.under == nil {
		s.acts.under = map[string]func(string){}
	}
	s.acts.under[string(f.ID())] = done
	return nil
}

// end notes what came of an act, by the answer to it.
func (a *acts) end(id json.RawMessage, reply frame.Frame) {
	if done := a.take(id); done != nil {
		done(cmp.Or(pool.CodeOf(reply), "ok"))
	}
}

func (a *acts) refuse(id json.RawMessage, err *fault.Error) {
	if done := a.take(id); done != nil {
		done("AIDB_" + string(err.Code))
	}
}

// drop notes that nobody waits for an act any more.
func (a *acts) drop(id json.RawMessage) {
	if done := a.take(id); done != nil {
		done("cancelled")
	}
}

func (a *acts) dropAll() {
	a.mu.Lock()
	left := a.under
	a.under = nil
	a.mu.Unlock()
	for _, done := range left {
		done("cancelled")
	}
}

func (a *acts) take(id json.RawMessage) (done func(outcome string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	done = a.under[string(id)]
	delete(a.under, string(id))
	return done
}

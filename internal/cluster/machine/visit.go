package machine

import (
	"encoding/json"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
)

// Where a request names its progress, and progress its request.
var (
	tokenPath      = []string{"params", "_meta", "progressToken"}
	progressedPath = []string{"params", "progressToken"}
)

// visit makes a request at the worker that holds the debug session which it is about.
func (s *seat) visit(line *wire.Line, body []byte) {
	var v span.Visit
	if s.visits == nil || json.Unmarshal(body, &v) != nil {
		return
	}
	f, err := frame.Parse(v.Frame)
	if err != nil {
		s.h.o.Log.Warn("a gateway says what is no message; it is passed over", "error", err)
		return
	}
	if refused := s.admitCall(f); refused != nil {
		s.refuse(line, f, refused)
		return
	}
	at, refused := s.h.o.Pool.Find(s.principal, v.Handle)
	if at == nil {
		if refused == nil {
			refused = fault.New(fault.SessionNotFound, "there is no session %q", v.Handle).WithField("session_id")
		}
		s.refuse(line, f, refused)
		return
	}
	if refused := s.beginAct(f, v.Handle); refused != nil {
		s.refuse(line, f, refused)
		return
	}
	id := string(f.ID())
	token := f.Get(tokenPath...)
	answered := false // guarded by the seat's mutex
	cancel, refused := at.AskAs(s.over, s.fence(line, f), func(reply frame.Frame) {
		switch {
		case reply.Kind() == frame.Answer:
			s.mu.Lock()
			answered = true
			delete(s.visits, id)
			s.mu.Unlock()
			s.acts.end(f.ID(), reply)
			reply = reply.With(f.ID(), "id")
		case token != nil:
			reply = reply.With(token, progressedPath...)
		}
		s.say(span.OpFrame, reply.Bytes())
	})
	if refused != nil {
		s.refuse(line, f, refused)
		return
	}
	s.mu.Lock()
	if !answered {
		s.visits[id] = cancel
	}
	s.mu.Unlock()
}

// cancelVisit drops a visit that nobody waits for.
func (s *seat) cancelVisit(f frame.Frame, op string) {
	if op != span.OpCancel {
		return
	}
	id := string(f.Name("params", "requestId"))
	s.mu.Lock()
	cancel := s.visits[id]
	delete(s.visits, id)
	s.mu.Unlock()
	s.acts.drop(f.Name("params", "requestId"))
	if cancel != nil {
		cancel()
	}
}

// tellLive tells the gateway which debug sessions of the principal live here.
func (s *seat) tellLive() { s.say(span.OpLive, span.Marshal(s.h.o.Pool.Live(s.principal))) }

// tellLive tells all gateways that visit for a principal.
func (h *Host) tellLive(principal string) {
	h.mu.Lock()
	var all []*seat
	for _, s := range h.seats {
		if s.visits != nil && s.principal == principal {
			all = append(all, s)
		}
	}
	h.mu.Unlock()
	for _, s := range all {
		s.tellLive()
	}
}

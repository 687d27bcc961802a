package link

import (
	"encoding/json"
	"slices"
	"strings"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// take takes a packet of the machine.
func (s *seat) take(p wire.Packet) {
	s.mu.Lock()
	line, at := s.line, s.at
	known := s.name == p.Line && line != nil
	s.mu.Unlock()
	switch {
	case !known:
	case p.None:
		go s.lose(at, loss{line: p.Line, why: "it does not have the client's place any more", ended: true})
	default:
		line.Take(p)
	}
}

// hear takes a message of the machine.
func (s *seat) hear(line *wire.Line, op string, body []byte) {
	switch op {
	case span.OpOpened:
		var o span.Opened
		if json.Unmarshal(body, &o) == nil {
			s.noteOpened(line, o)
		}
	case span.OpSessions:
		var list []pool.Session
		if json.Unmarshal(body, &list) == nil {
			s.mu.Lock()
			if s.line == line && !s.peer { // those of a part are nobody's to go on with
				s.sessions = list
			}
			s.mu.Unlock()
		}
	case span.OpRefused:
		var r span.Refusal
		if json.Unmarshal(body, &r) == nil {
			if c := s.takeCall(line, string(r.ID)); c != nil {
				s.answer(c, r.Fault())
			}
		}
	case span.OpLive:
		s.noteLive(body)
	case span.OpClosed:
		go s.leave()
	case span.OpFrame:
		f, err := frame.Parse(body)
		if err != nil {
			s.l.o.Log.Warn("a machine says what is no message; it is passed over", "error", err)
			return
		}
		s.answerWith(line, f)
	}
}

// answerWith passes a message on to the client; the answer to a call once.
func (s *seat) answerWith(line *wire.Line, f frame.Frame) {
	if s.takePeers(f) {
		return
	}
	if f.Kind() != frame.Answer || f.ID() == nil {
		if s.visits {
			s.progress(f)
		} else {
			s.receive(f)
		}
		return
	}
	c := s.takeCall(line, string(f.ID()))
	if c == nil {
		return
	}
	s.l.o.Observe.Called(c.request.Called(f))
	switch c.request.Frame().Method() {
	case "initialize", "server/discover":
		f = s.introduce(f)
	}
	c.receive(f)
}

func (s *seat) takeCall(line *wire.Line, id string) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil || c.line != line {
		return nil
	}
	delete(s.calls, id)
	return c
}

// introduce adds to a server's instructions where it works, and what else there is.
func (s *seat) introduce(f frame.Frame) frame.Frame {
	instructions := f.Text("result", "instructions")
	if instructions == "" {
		return f
	}
	s.mu.Lock()
	place, at := s.place, s.at
	s.mu.Unlock()
	if at == nil {
		return f
	}
	s.l.mu.Lock()
	all := s.l.offers(s.who.Principal)
	s.l.mu.Unlock()
	text := "\nYou work in the workspace " + place + " on the machine " + at.name + "."
	if s.who.Workspace == "" && len(all) > 1 {
		text += " A client chooses another by the address /mcp/NAME or the header Aidb-Workspace: " + listed(all) + "."
	}
	return f.With(span.Marshal(instructions+text), "result", "instructions")
}

// noteOpened notes that the machine has the seat. Sessions that it had before are lost
// if it had to be made anew.
func (s *seat) noteOpened(line *wire.Line, o span.Opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != line {
		return
	}
	if o.Fresh && len(s.sessions) > 0 {
		s.untold = fault.New(fault.WorkerGone, "the machine %s does not have the client's worker any more%s", s.at.name, lostSessions(s.sessions)).
			WithHint("start the session again with session_start")
		s.sessions = nil
	}
	select {
	case <-s.opened: // it has told so before, which once is enough
	default:
		close(s.opened)
	}
}

// loss is what is lost, and why.
type loss struct {
	line  string // of which; empty: whichever there is
	why   string // empty: the machine is silent
	ended bool   // the worker has ended, too
}

// lose gives up the line to a machine and answers its calls with what is known of them.
func (s *seat) lose(at *machine, why loss) {
	s.mu.Lock()
	if s.at != at || why.line != "" && why.line != s.name || !why.ended && len(s.calls) == 0 && why.why == "" {
		s.mu.Unlock()
		return // who is only silent may come back: nothing waits for it
	}
	line, name := s.line, s.name
	s.line = nil
	if line == nil && !why.ended {
		s.mu.Unlock()
		return
	}
	opened := s.opened
	s.mu.Unlock()
	if line != nil {
		line.Close() // from here on no answer comes
		s.l.forget(name)
	}
	s.mu.Lock()
	left := s.takeCalls(line)
	sessions := s.sessions
	if why.ended {
		s.sessions = nil
		if s.at == at && s.line == nil {
			s.at = nil
		}
	}
	s.tell(left, at, why, sessions)
	closing := s.closing
	s.mu.Unlock()
	for _, c := range left {
		s.answer(c, s.goneAnswer(c, at, why, sessions))
	}
	if line != nil {
		select {
		case <-opened:
		default:
			close(opened)
		}
	}
	if closing || (s.visits || s.peer) && why.ended {
		s.leave()
	}
}

// tell notes what the client must hear with its next call, where no call was told; s.mu is held.
func (s *seat) tell(left []*call, at *machine, why loss, sessions []pool.Session) {
	answered := slices.ContainsFunc(left, func(c *call) bool { return c.request.Frame().Method() == "tools/call" })
	if why.ended && len(sessions) > 0 && !answered {
		s.untold = fault.New(fault.WorkerGone, "the machine %s is gone: %s%s", at.name, why.why, lostSessions(sessions)).
			WithHint("the next call has a worker on a machine that is there: start the session again with session_start")
	}
}

// goneAnswer is the answer to a call whose machine is gone.
func (s *seat) goneAnswer(c *call, at *machine, why loss, sessions []pool.Session) *fault.Error {
	message := "the machine " + at.name
	if why.why == "" {
		_, heard := s.l.heard(at)
		message += " has not been heard since " + clock(heard)
	} else {
		message += " is gone: " + why.why
	}
	begun := true
	switch c.line.State(c.number) {
	case wire.Unsent:
		begun = false
		message += "; the call has not begun, and will not"
	case wire.Sent:
		message += "; nobody knows whether the call has begun"
	case wire.Taken:
		message += "; the call had come there, and nobody knows how far it came"
	}
	if why.ended {
		message += lostSessions(sessions)
		hint := "the next call has a worker on a machine that is there"
		if len(sessions) > 0 {
			hint += ": start the session again with session_start"
		}
		return fault.New(fault.WorkerGone, "%s", message).WithHint("%s", hint)
	}
	hint := "when the machine is back, session(status) tells where the program stands"
	if !begun {
		hint = "call again when the machine is back"
	}
	return fault.New(fault.WorkerGone, "%s", message).WithHint("%s", hint)
}

// awayAnswer is the answer to a call whose machine is away and may come back.
func (s *seat) awayAnswer(at *machine) *fault.Error {
	_, heard := s.l.heard(at)
	return fault.New(fault.WorkerGone, "the machine %s, which has your worker, has not been heard since %s; the call has not begun", at.name, clock(heard)).
		WithHint("call again when it is back, or begin a new session of the protocol to work on another machine")
}

func lostSessions(sessions []pool.Session) string {
	if len(sessions) == 0 {
		return ""
	}
	var ids []string
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	return "; lost are the debug sessions " + strings.Join(ids, ", ") + ", with the programs that they had started"
}

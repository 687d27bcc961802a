package gateway

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"aidb-mcp/internal/mcp/frame"
)

// How long the answer to a request is waited for before it becomes a stream. Its
// HTTP status can tell of an error until then, and a plain body is cheaper.
const promptly = time.Second

// How often a stream on which nothing happens shows that it lives.
const keepAlive = 15 * time.Second

// comeBack is how long a client whose stream broke shall wait before it comes back.
const comeBack = time.Second

// writeLimit is how long a client may leave a part of its stream unread.
const writeLimit = 30 * time.Second

// sender writes one stream to one client.
type sender struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stream  *stream
	taken   int  // number of the last event that was written
	resumes bool // events have ids by which a client can come back
	named   bool // one has been sent
	status  func(frame.Frame) int
	moved   func(from, to int) // told up to where the client is sent the stream; nil: nobody
}

// answer writes what a request is answered with: as plain JSON when the answer
// comes promptly and alone, else as a stream. It returns when that has ended or
// the client has gone; gone is closed then.
func (s *sender) answer(gone <-chan struct{}) {
	defer s.stream.read()()
	timer := time.NewTimer(promptly)
	defer timer.Stop()
	for {
		events, ended, changed := s.stream.eventsAfter(s.taken)
		switch {
		case len(events) == 1 && events[0].frame.Kind() == frame.Answer && ended:
			s.sendJSON(events[0].frame)
			return
		case len(events) > 0 && events[0].frame.Kind() != frame.Answer, len(events) > 1, ended:
			s.tell(gone)
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			s.tell(gone)
			return
		case <-gone:
			return
		}
	}
}

func (s *sender) sendJSON(f frame.Frame) {
	writeMessage(s.w, s.status(f), f)
}

func writeMessage(w http.ResponseWriter, status int, f frame.Frame) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
	w.WriteHeader(status)
	_, _ = w.Write(f.Bytes()) // a client that has gone is seen elsewhere
	_, _ = io.WriteString(w, "\n")
}

// listen writes the stream's events as they come.
func (s *sender) listen(gone <-chan struct{}) {
	defer s.stream.read()()
	s.tell(gone)
}

func (s *sender) tell(gone <-chan struct{}) {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx would collect events
	s.w.WriteHeader(http.StatusOK)
	if s.write(s.greet()) != nil {
		return
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		events, ended, changed := s.stream.eventsAfter(s.taken)
		if len(events) > 0 {
			if !s.pass(events) {
				return
			}
			continue
		}
		if ended {
			return
		}
		select {
		case <-changed:
		case <-alive.C:
			if s.write([]byte(": alive\n\n")) != nil {
				return
			}
		case <-gone:
			return
		}
	}
}

// pass writes events. Whoever takes over meanwhile goes on behind them, unless
// they cannot be written.
func (s *sender) pass(events []event) bool {
	from, to := s.taken, events[len(events)-1].number
	s.move(from, to)
	if s.write(s.encode(events)...) != nil {
		s.move(to, from)
		return false
	}
	s.taken = to
	return true
}

func (s *sender) move(from, to int) {
	if s.moved != nil {
		s.moved(from, to)
	}
}

// greet shows that the stream is open, and gives a client the id with which
// it can come back before anything has happened, and how soon it shall.
func (s *sender) greet() []byte {
	if s.named = s.resumes; s.named {
		return fmt.Appendf(nil, "id: %s\nretry: %d\ndata:\n\n", eventID(s.stream.number, s.taken), comeBack.Milliseconds())
	}
	return []byte(": ok\n\n")
}

// encode writes events in pieces: the messages are not copied for it.
func (s *sender) encode(events []event) (pieces [][]byte) {
	for _, e := range events {
		var head []byte
		if s.resumes {
			head = fmt.Appendf(head, "id: %s\n", eventID(s.stream.number, e.number))
		}
		pieces = append(pieces, append(head, "event: message\ndata: "...), e.frame.Bytes(), []byte("\n\n"))
	}
	return pieces
}

// write sends a part of the stream, and gives up a client that does not take it.
func (s *sender) write(pieces ...[]byte) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeLimit)) // the tests' writers have none
	for _, piece := range pieces {
		if _, err := s.w.Write(piece); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

// eventID names an event among all of its session.
func eventID(stream, event int) string { return fmt.Sprintf("%d-%d", stream, event) }

func parseEventID(id string) (stream, event int, ok bool) {
	n, err := fmt.Sscanf(id, "%d-%d", &stream, &event)
	return stream, event, err == nil && n == 2 && eventID(stream, event) == id
}

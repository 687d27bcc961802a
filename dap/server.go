package dap

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Request is a request on its way to an adapter.
type Request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Server sends what an adapter says to its client, each message with its number. Its
// methods may be called from any goroutine.
type Server struct {
	to  io.Writer
	mu  sync.Mutex
	seq int
}

// NewServer returns one that writes each message at once.
func NewServer(to io.Writer) *Server { return &Server{to: to} }

// notice is an event, and answer a reply, as they go out with a body of any type.
type (
	notice struct {
		Seq   int    `json:"seq"`
		Type  string `json:"type"`
		Event string `json:"event"`
		Body  any    `json:"body,omitempty"`
	}
	answer struct {
		Seq        int    `json:"seq"`
		Type       string `json:"type"`
		RequestSeq int    `json:"request_seq"`
		Success    bool   `json:"success"`
		Command    string `json:"command"`
		Message    string `json:"message,omitempty"`
		Body       any    `json:"body,omitempty"`
	}
)

// Event tells of an event; a nil body is left out.
func (s *Server) Event(name string, body any) error {
	return s.send(func(seq int) any { return notice{seq, "event", name, body} })
}

// Reply answers a request; a nil body is left out.
func (s *Server) Reply(to Request, body any) error {
	return s.send(func(seq int) any { return answer{seq, "response", to.Seq, true, to.Command, "", body} })
}

// Refuse answers a request that fails.
func (s *Server) Refuse(to Request, message string, body any) error {
	return s.send(func(seq int) any { return answer{seq, "response", to.Seq, false, to.Command, message, body} })
}

func (s *Server) send(message func(seq int) any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	body, err := json.Marshal(message(s.seq))
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	_, err = s.to.Write(frame(body))
	return err
}

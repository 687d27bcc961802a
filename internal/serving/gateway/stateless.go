package gateway

import (
	"encoding/json"
	"net/http"
	"strings"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// Codes of the stateless revisions.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// maxClient is how long the name may be that a bridge gives itself, in bytes.
const maxClient = 200

// postShared takes a message of a stateless revision; taken is told when it has
// been passed on.
func (g *Gateway) postShared(w http.ResponseWriter, r *http.Request, f frame.Frame, taken func()) {
	if len(r.Header.Get(clientHeader)) > maxClient {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s may have %d bytes", clientHeader, maxClient)
		return
	}
	if !g.mayName(w, r) {
		return
	}
	s, ok := g.sharedOf(r)
	if !ok {
		refuse(w, http.StatusServiceUnavailable, answer.CodeServer, "the server is shutting down")
		return
	}
	switch f.Kind() {
	case frame.Answer:
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "nothing has been asked: answers are given with the request that is made again")
		return
	case frame.Notification:
		s.tell(f)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if problem := checkHeaders(r, f); problem != nil {
		writeMessage(w, http.StatusBadRequest, answer.Error(f.ID(), problem.code, problem.message, nil))
		return
	}
	if problem := s.checkParameters(r, f); problem != nil {
		writeMessage(w, http.StatusBadRequest, answer.Error(f.ID(), problem.code, problem.message, nil))
		return
	}
	to, cancel := s.ask(r.Context(), f)
	defer cancel() // who hangs up has cancelled
	taken()
	out := &sender{w: w, control: http.NewResponseController(w), stream: to, status: statusOf}
	out.answer(r.Context().Done())
}

// sharedOf finds the worker of the principal; of the client where a bridge says which it is.
func (g *Gateway) sharedOf(r *http.Request) (*shared, bool) {
	principal, client := principalOf(r), clientOf(r)
	key := strings.Join([]string{principal, r.Header.Get(clientHeader), client.Workspace, client.Label}, "\x00")
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining {
		return nil, false
	}
	s := g.shared[key]
	if s == nil {
		g.makeRoom()
		s = newShared(principal, g.ledger)
		s.audit, s.granted = g.o.Audit, g.granted
		s.seat = g.o.Pool.Place(client, s.receive)
		g.shared[key] = s
	}
	return s, true
}

// makeRoom drops stateless clients that have no worker any more, when there are
// too many; mu is held.
func (g *Gateway) makeRoom() {
	if len(g.shared) < maxSessions {
		return
	}
	for key, s := range g.shared {
		if s.rests() {
			delete(g.shared, key)
			go s.seat.Close()
		}
	}
}

// rests says that nobody waits for anything, and that no worker runs.
func (s *shared) rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls) == 0 && !s.seat.Running()
}

// statusOf is the HTTP status of an answer, by which proxies and clients see what is wrong.
func statusOf(f frame.Frame) int {
	var code int
	if json.Unmarshal(f.Get("error", "code"), &code) != nil {
		return http.StatusOK
	}
	switch code {
	case answer.CodeMethodNotFound:
		return http.StatusNotFound
	case answer.CodeInvalidParams, codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

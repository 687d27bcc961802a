// Package gateway serves many MCP clients at one address: Streamable HTTP of
// every revision in front, a worker on a pair of streams behind each client.
// Messages pass as they are; what is ours is who may come in, which worker a
// request goes to, and an answer when that worker gives none.
//
// It knows MCP as far as its transport goes, and nothing of debugging.
package gateway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/telemetry"
)

// Path is where the gateway listens.
const Path = "/mcp"

// Options describe a gateway.
type Options struct {
	Pool   pool.Workers
	Access *Access
	Log    *slog.Logger
	Audit  *audit.Log           // nil: acts are not recorded
	Grants *grants.Current      // nil: all principals may do the same
	Rates  *grants.Rates        // counts their calls, together with those that come through other gateways; nil: only ours are counted
	Traces *telemetry.Telemetry // nil: there are none

	MaxBody     int64 // bytes of one request
	MaxSessions int   // of all clients
}

// The bounds of a gateway.
const (
	defaultMaxBody = 16 << 20
	maxSessions    = 1000
	maxBatch       = 100

	maxRequests      = 1024 // that are being answered, of all; a principal may have a quarter
	requestsOfWorker = 16   // as many for each worker, where that is more

	maxInitialize  = 32 << 10 // bytes: it is kept for as long as its session lasts
	maxInitialized = 4 << 10  // so is this
)

// Gateway is the handler of all requests. Its methods may be called from any goroutine.
type Gateway struct {
	o       Options
	crowd   *crowd
	intake  *intake
	ledger  *ledger
	granted *granted

	mu       sync.Mutex // guards the fields below
	sessions map[string]*session
	shared   map[string]*shared // by principal and client
	draining bool
	posts    int           // messages that are being answered
	quiet    chan struct{} // closed when there are none; nil while nobody wants to know
}

// New makes a gateway without clients.
func New(o Options) *Gateway {
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = maxSessions
	}
	most := max(maxRequests, requestsOfWorker*o.Pool.Limits().Workers)
	return &Gateway{
		o: o, crowd: newCrowd(most, most/4), intake: newIntake(o.MaxBody), ledger: newLedger(), granted: newGranted(o.Grants, o.Rates, o.Traces),
		sessions: map[string]*session{}, shared: map[string]*shared{},
	}
}

// Headers of the transport.
const (
	sessionHeader  = "Mcp-Session-Id"
	revisionHeader = "Mcp-Protocol-Version"
	lastHeader     = "Last-Event-ID"
	clientHeader   = "Aidb-Client" // which of a principal's clients it is; a bridge sends it
)

// The revisions that have sessions. All later ones are stateless.
var withSessions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// firstStateless is the revision that did away with sessions.
const firstStateless = "2026-07-28"

// ServeHTTP answers one request at Path.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	principal := principalOf(r)
	if !g.crowd.enter(principal) {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, answer.CodeServer, "too many requests of yours are being answered: end some of them first")
		return
	}
	defer g.crowd.leave(principal)
	r = withTrace(withAddress(r))
	switch r.Method {
	case http.MethodPost:
		g.countPosts(1)
		defer g.countPosts(-1)
		g.post(w, r)
	case http.MethodGet:
		g.get(w, r)
	case http.MethodDelete:
		g.delete(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// post takes messages: one, or several in a batch where the revision has them.
func (g *Gateway) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header.Get("Content-Type")) {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	if !accepts(r, "application/json") || !accepts(r, "text/event-stream") {
		http.Error(w, "Accept must have application/json and text/event-stream", http.StatusNotAcceptable)
		return
	}
	body, taken, err := g.intake.read(w, r, principalOf(r))
	defer taken()
	tooLarge, isTooLarge := errors.AsType[*http.MaxBytesError](err)
	if isTooLarge || errors.Is(err, errBusy) { // who still sends would not read why
		_, _ = io.CopyN(io.Discard, r.Body, 2*g.o.MaxBody)
	}
	if isTooLarge {
		refuse(w, http.StatusRequestEntityTooLarge, answer.CodeInvalidRequest, "a message may have %d bytes", tooLarge.Limit)
		return
	}
	if errors.Is(err, errBusy) {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, answer.CodeServer, "%s", err)
		return
	}
	if err != nil {
		return // the client has gone
	}
	liftReadLimit(w)
	g.take(w, r, body, taken)
}

// take answers a body that has been read; taken is told when it is kept no more.
func (g *Gateway) take(w http.ResponseWriter, r *http.Request, body []byte, taken func()) {
	if several, ok := frame.Batch(body, maxBatch); ok {
		g.batch(w, r, several, taken)
		return
	}
	f, err := frame.Parse(body)
	switch {
	case errors.Is(err, frame.ErrNotJSON):
		refuse(w, http.StatusBadRequest, answer.CodeParse, "%s", err)
	case err != nil:
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s", err)
	case len(f.Bytes()) > longest(f.Method()):
		refuse(w, http.StatusRequestEntityTooLarge, answer.CodeInvalidRequest, "%s may have %d bytes", f.Method(), longest(f.Method()))
	case isStateless(r, f):
		g.postShared(w, r, f, taken)
	case f.Method() == "initialize" && r.Header.Get(sessionHeader) == "":
		g.postFirst(w, r, f, taken)
	default:
		g.postSession(w, r, []frame.Frame{f}, taken)
	}
}

// longest is how many bytes a message of a method may have.
func longest(method string) int {
	switch method {
	case "initialize":
		return maxInitialize
	case "notifications/initialized":
		return maxInitialized
	}
	return math.MaxInt
}

// liftReadLimit lifts the limit on reading a request, which is read: it would end the
// answer too. What is written has limits of its own.
func liftReadLimit(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the tests' writers have none
}

// isStateless says of which kind of revision a message is, by what it says.
func isStateless(r *http.Request, f frame.Frame) bool {
	return r.Header.Get(revisionHeader) >= firstStateless && r.Header.Get(sessionHeader) == "" || answer.Modern(f)
}

// batch takes several messages, as 2025-03-26 and those before it have them.
func (g *Gateway) batch(w http.ResponseWriter, r *http.Request, several []json.RawMessage, taken func()) {
	if r.Header.Get(revisionHeader) > "2025-03-26" {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s", frame.ErrBatch)
		return
	}
	if len(several) == 0 || len(several) > maxBatch {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "a batch has 1 to %d messages", maxBatch)
		return
	}
	var frames []frame.Frame
	for _, message := range several {
		f, err := frame.Parse(bytes.Clone(message)) // which may be kept, and not the others with it
		if err != nil || f.Method() == "initialize" || len(f.Bytes()) > longest(f.Method()) {
			refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "a message of the batch is none, or may not be in one")
			return
		}
		frames = append(frames, f)
	}
	g.postSession(w, r, frames, taken)
}

// postFirst begins a session.
func (g *Gateway) postFirst(w http.ResponseWriter, r *http.Request, f frame.Frame, taken func()) {
	if f.Kind() != frame.Request {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "initialize needs an id")
		return
	}
	if !g.mayName(w, r) {
		return
	}
	principal := principalOf(r)
	s := newSession(rand.Text(), principal, g.ledger)
	s.audit, s.granted = g.o.Audit, g.granted
	s.lasting = r.Header.Get(clientHeader) != ""
	s.seat = g.o.Pool.Place(clientOf(r), s.receive)
	s.begin()
	defer s.done()
	if err := g.enter(s); err != nil {
		s.close()
		refuse(w, http.StatusServiceUnavailable, answer.CodeServer, "%s", err)
		return
	}
	to := s.ask(r.Context(), []frame.Frame{f})
	taken()
	defer to.read()()
	reply, ok := firstAnswer(r.Context(), to)
	if !ok || reply.Get("error") != nil { // there is no session without a handshake
		g.leave(s)
		if ok {
			writeMessage(w, http.StatusOK, reply)
		}
		return
	}
	w.Header().Set(sessionHeader, s.id)
	g.send(w, r, s, to)
}

// firstAnswer waits for the answer that a stream begins or ends with.
func firstAnswer(ctx context.Context, to *stream) (frame.Frame, bool) {
	for {
		events, ended, changed := to.eventsAfter(0)
		for _, e := range events {
			if e.frame.Kind() == frame.Answer {
				return e.frame, true
			}
		}
		if ended {
			return frame.Frame{}, false
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return frame.Frame{}, false
		}
	}
}

// postSession takes messages of a session.
func (g *Gateway) postSession(w http.ResponseWriter, r *http.Request, frames []frame.Frame, taken func()) {
	s, ok := g.sessionOf(w, r)
	if !ok {
		return
	}
	s.begin()
	defer s.done()
	var requests []frame.Frame
	for _, f := range frames {
		if f.Kind() == frame.Request {
			requests = append(requests, f)
		} else {
			s.tell(f)
		}
	}
	if len(requests) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	// Hanging up is not cancellation here: the client may come back for the answer.
	to := s.ask(context.WithoutCancel(r.Context()), requests)
	taken()
	g.send(w, r, s, to)
}

func (g *Gateway) send(w http.ResponseWriter, r *http.Request, s *session, to *stream) {
	out := &sender{
		w: w, control: http.NewResponseController(w), stream: to, resumes: s.resumable(),
		status: func(frame.Frame) int { return http.StatusOK },
	}
	out.answer(r.Context().Done())
	if !out.named {
		s.forget(to)
	}
}

// get lets a client listen to its session, or take up a stream that broke.
func (g *Gateway) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "text/event-stream") {
		http.Error(w, "Accept must have text/event-stream", http.StatusNotAcceptable)
		return
	}
	if r.Header.Get(sessionHeader) == "" {
		http.Error(w, "there is nothing to listen to without a session: "+sessionHeader+" is missing", http.StatusMethodNotAllowed)
		return
	}
	s, ok := g.sessionOf(w, r)
	if !ok {
		return
	}
	liftReadLimit(w)
	s.begin()
	defer s.done()
	out := &sender{w: w, control: http.NewResponseController(w), resumes: true}
	gone := r.Context().Done()
	if id := r.Header.Get(lastHeader); id != "" {
		number, taken, known := parseEventID(id)
		if known {
			out.stream, out.taken = s.stream(number), taken
		}
		if out.stream == nil { // a 404 would end the session
			http.Error(w, "the events after "+shorten(id)+" are not kept any more", http.StatusBadRequest)
			return
		}
		if number != general {
			out.listen(gone)
			return
		}
	}
	out.moved = s.noteListened
	from, taken, ended := s.listen()
	if out.stream == nil {
		out.stream, out.taken = from, taken
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	out.listen(ctx.Done())
}

// delete ends a session.
func (g *Gateway) delete(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(sessionHeader) == "" {
		http.Error(w, sessionHeader+" is missing", http.StatusBadRequest)
		return
	}
	if s, ok := g.sessionOf(w, r); ok {
		g.leave(s)
		w.WriteHeader(http.StatusNoContent)
	}
}

// sessionOf finds the session that a request names, and refuses one that has none.
func (g *Gateway) sessionOf(w http.ResponseWriter, r *http.Request) (*session, bool) {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s is missing: begin with initialize", sessionHeader)
		return nil, false
	}
	if revision := r.Header.Get(revisionHeader); revision != "" && !slices.Contains(withSessions, revision) {
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "unsupported %s %s; those with sessions are %s", revisionHeader, shorten(revision), strings.Join(withSessions, ", "))
		return nil, false
	}
	g.mu.Lock()
	s := g.sessions[id]
	g.mu.Unlock()
	if s == nil || s.principal != principalOf(r) { // another's is as good as none
		refuse(w, http.StatusNotFound, answer.CodeServer, "there is no such session; begin a new one with initialize")
		return nil, false
	}
	return s, true
}

// Why a session cannot begin.
var (
	errDraining = errors.New("the server is shutting down")
	errSessions = errors.New("there are too many sessions, and all of yours are in use: end one by DELETE")
)

// enter takes a session in. When there are too many, one goes of the principal that
// has the most: that which has rested longest. The error is why none may come.
func (g *Gateway) enter(s *session) error {
	g.mu.Lock()
	if g.draining {
		g.mu.Unlock()
		return errDraining
	}
	g.sessions[s.id] = s
	var oldest *session
	if len(g.sessions) > g.o.MaxSessions {
		var most string
		if oldest, most = g.oldest(); oldest == nil && most == s.principal {
			delete(g.sessions, s.id)
			g.mu.Unlock()
			return errSessions
		}
	}
	g.mu.Unlock()
	if oldest != nil {
		g.leave(oldest)
	}
	return nil
}

// oldest is the session that has rested longest of the principal that has the
// most, nil if all of them are in use; mu is held.
func (g *Gateway) oldest() (oldest *session, most string) {
	has := map[string]int{}
	for _, s := range g.sessions {
		if has[s.principal]++; has[s.principal] > has[most] {
			most = s.principal
		}
	}
	var since time.Time
	for _, s := range g.sessions {
		if at, rests := s.restsSince(); rests && s.principal == most && (oldest == nil || at.Before(since)) {
			oldest, since = s, at
		}
	}
	return oldest, most
}

func (g *Gateway) leave(s *session) {
	g.mu.Lock()
	delete(g.sessions, s.id)
	g.mu.Unlock()
	s.close()
}

// resumable says that the client takes up streams that broke.
func (s *session) resumable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision >= "2025-11-25"
}

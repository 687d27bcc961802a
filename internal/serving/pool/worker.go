package pool

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/system/process"
)

// worker is one process with the wires to it, for one seat.
//
// Goroutines: one reads what it says, one its log, and one of the writer's. The
// reader is the one who ends it, when there is nothing more to read.
type worker struct {
	name  string
	seat  *ClientSlot
	age   int64 // of the rules it was started with
	child *process.Child
	out   *frame.Writer
	over  chan struct{} // closed when its place is free

	mu             sync.Mutex // guards the fields below
	calls          map[string]*call
	asked          map[string]bool // what it asks its client, by id
	sessions       []Session       // of debugging, if it is one of ours
	tells          bool            // which sessions it has
	held           bool            // it has had one
	stirred        time.Time       // when there was last a message
	why            *ending         // nil while nobody has ended it
	gone           bool            // nothing more can be asked
	vacates        bool            // it ends for the sake of who waits
	fresh          bool            // what it was started for has not been asked yet
	idle           *time.Timer
	rests          time.Duration    // how long it may do so before it ends
	hello, welcome frame.Frame      // a handshake and its answer, until it is known whether it is one of ours
	replay         chan frame.Frame // the answer to a handshake that we repeat, nil for none
}

// Session is one of debugging in a worker of ours.
type Session = handle.Session

// call is a request that has not been answered.
type call struct {
	request frame.Frame // brief
	cut     bool
	size    int // of the whole request, in bytes
	begun   time.Time
	limit   *time.Timer
}

func newCall(f frame.Frame, limit time.Duration, overdue func()) *call {
	kept, cut := brief(f)
	return &call{request: kept, cut: cut, size: len(f.Bytes()), begun: time.Now(), limit: time.AfterFunc(limit, overdue)}
}

// ending is why we have ended a worker.
type ending struct {
	why  string // as Observer has it
	says string // to who waits for an answer
}

// talk starts the goroutines of a worker that runs.
func (w *worker) talk(o *Options) {
	w.out = frame.NewWriter(w.child.Stdin, func() {})
	w.rests = o.Idle
	w.idle = time.AfterFunc(w.rests, w.rest)
	go w.log(o)
	go w.read(o)
}

// log passes on what the worker writes to its standard error.
func (w *worker) log(o *Options) {
	const longest = 16 << 10
	lines := frame.NewReader(w.child.Stderr, longest)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, frame.ErrTooLong):
			o.Log.Warn("a worker's line is too long to be shown", "worker", w.name)
		case err != nil:
			return
		case len(line) > 0:
			o.Log.Info("a worker says", "worker", w.name, "text", string(line))
		}
	}
}

// read takes what the worker says until it ends.
func (w *worker) read(o *Options) {
	lines := frame.NewReader(w.child.Stdout, o.MaxLine)
	garbage := 0
	for {
		line, err := lines.Next()
		if err != nil && !errors.Is(err, frame.ErrTooLong) {
			if !errors.Is(err, io.EOF) {
				o.Log.Debug("reading from a worker", "worker", w.name, "error", err)
			}
			break
		}
		if len(line) == 0 && err == nil {
			continue
		}
		var f frame.Frame
		if err == nil {
			f, err = frame.Parse(line)
		}
		if err != nil {
			if garbage++; garbage <= 3 {
				o.Log.Warn("a worker says what is no message; it is passed over", "worker", w.name, "error", err, "text", shorten(line))
			}
			continue
		}
		w.hear(f)
	}
	w.child.Kill() // one that has closed its output is of no use
	w.seat.handleEnd(w)
}

func shorten(line []byte) string {
	const longest = 200
	if len(line) > longest {
		line = line[:longest]
	}
	return strings.ToValidUTF8(string(line), "?")
}

// SessionsChanged is the notification by which a worker of ours tells the pool,
// and nobody else, which sessions it has.
const SessionsChanged = "notifications/aidb/sessions"

// SessionsParams are its parameters.
type SessionsParams struct {
	Sessions []Session `json:"sessions"`
}

// hear takes one message of the worker.
func (w *worker) hear(f frame.Frame) {
	w.stir()
	switch f.Kind() {
	case frame.Answer:
		defer w.handleRest() // when its client has the answer
		if !w.finishCall(f) {
			return
		}
	case frame.Request:
		if !w.asks(f.ID()) {
			w.send(answer.Error(f.ID(), answer.CodeServer, "too many questions wait for their answers", nil))
			return
		}
	case frame.Notification:
		if f.Method() == SessionsChanged {
			w.note(f)
			return
		}
	}
	w.seat.deliver(f)
}

// maxAsked is how many questions of a worker its client may leave unanswered.
const maxAsked = 1000

// asks notes a question of the worker. False: there are too many.
func (w *worker) asks(id json.RawMessage) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.asked) >= maxAsked {
		return false
	}
	w.asked[string(id)] = true
	return true
}

// note takes the list of its sessions.
func (w *worker) note(f frame.Frame) {
	var list []Session
	if json.Unmarshal(f.Get("params", "sessions"), &list) != nil {
		return
	}
	w.mu.Lock()
	w.sessions, w.tells, w.held = list, true, w.held || len(list) > 0
	w.hasGreeted()
	w.mu.Unlock()
	w.seat.pool.book.Tell(w.seat.principal, w.name, list)
	if w.seat.follow != nil {
		w.seat.follow(list)
	}
	w.handleRest()
}

// finishCall notes that a call is over. False: nobody waits for this answer.
func (w *worker) finishCall(f frame.Frame) bool {
	id := string(f.ID())
	w.mu.Lock()
	c, known := w.calls[id]
	delete(w.calls, id)
	replay := w.replay
	w.mu.Unlock()
	if !known {
		return f.ID() == nil // an error about something that was no message
	}
	c.limit.Stop()
	switch {
	case isOurs(f.ID()):
		return false
	case replay != nil:
		replay <- f // it has room for it
		return false
	}
	w.seat.pool.o.Observe.Called(calledOf(c, f))
	if !c.cut && c.request.Method() == "initialize" && len(f.Bytes()) <= longestGreeting && w.age == w.seat.age() {
		w.mu.Lock()
		w.hello, w.welcome = c.request, f
		w.hasGreeted()
		w.mu.Unlock()
	}
	if !c.cut {
		w.seat.noteSubscriptions(c.request, f)
	}
	return true
}

func calledOf(c *call, f frame.Frame) Called {
	called := Called{
		Method: c.request.Method(), Took: time.Since(c.begun),
		In: c.size, Out: len(f.Bytes()),
	}
	if called.Method == "tools/call" {
		called.Tool = c.request.Text("params", "name")
	}
	called.Code = CodeOf(f)
	return called
}

// CodeOf is the code of the failure that an answer tells, empty when it tells none.
func CodeOf(f frame.Frame) (code string) {
	switch {
	case f.Get("error") != nil:
		if code = f.Text("error", "data", "code"); code == "" {
			code = string(f.Get("error", "code"))
		}
	case string(f.Get("result", "isError")) == "true":
		if code = f.Text("result", "structuredContent", "error", "code"); code == "" {
			code = codeIn(f)
		}
	}
	return code
}

// codeIn is the code with which the text of a failure begins, "error" where that is none.
func codeIn(f frame.Frame) string {
	var content []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(f.Get("result", "content"), &content) == nil && len(content) > 0 {
		if code, _, ok := strings.Cut(content[0].Text, ": "); ok && strings.HasPrefix(code, "AIDB_") && !strings.ContainsAny(code, " \n") {
			return code
		}
	}
	return "error"
}

// What can be wrong with a call before it is made.
var (
	errGone = errors.New("the worker has ended")
	errFull = errors.New("the worker has too much to do")
	errTwin = errors.New("its id is already in use")
)

// ask makes a call. The error is errGone, errFull or errTwin.
func (w *worker) ask(f frame.Frame, limit time.Duration) error {
	id := string(f.ID())
	w.mu.Lock()
	switch {
	case w.gone || w.why != nil:
		w.mu.Unlock()
		return errGone
	case w.calls[id] != nil:
		w.mu.Unlock()
		return errTwin
	case len(w.calls) >= w.seat.pool.o.Queue:
		w.mu.Unlock()
		return errFull
	}
	if w.replay == nil && !isOurs(f.ID()) {
		w.fresh = false
	}
	w.calls[id] = newCall(f, limit, func() { w.overdue(id, limit) })
	w.mu.Unlock()
	w.send(f)
	return nil
}

// forget drops a call that nobody waits for. False: there is none.
func (w *worker) forget(id json.RawMessage) bool {
	defer w.handleRest()
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.calls[string(id)]
	if c != nil {
		c.limit.Stop()
		delete(w.calls, string(id))
	}
	return c != nil
}

// tell passes on a notification, or the answer to something that this worker has asked.
func (w *worker) tell(f frame.Frame) {
	if f.Kind() == frame.Answer {
		w.mu.Lock()
		asked := w.asked[string(f.ID())]
		delete(w.asked, string(f.ID()))
		w.mu.Unlock()
		if !asked {
			return // of a worker before it, perhaps
		}
	}
	w.send(f)
}

// send writes to the worker. One that does not read is of no use.
func (w *worker) send(f frame.Frame) {
	w.stir()
	if err := w.out.Put(f.Bytes(), w.seat.pool.o.Grace); errors.Is(err, frame.ErrDeaf) {
		w.end(ending{"hung", "it does not read what it is asked, and was ended"})
	}
}

// stir puts the end of an idle worker off.
func (w *worker) stir() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stirred = time.Now()
	if !w.gone {
		w.idle.Reset(w.rests)
	}
}

// restsSince says that ending the worker would harm nobody, and since when.
func (w *worker) restsSince() (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stirred, w.tells && w.why == nil && !w.gone && !w.fresh && len(w.calls) == 0 && len(w.sessions) == 0
}

// handleRest lets who waits have the place of a worker that has begun to rest, and
// ends one that goes by old rules.
func (w *worker) handleRest() {
	_, rests := w.restsSince()
	switch p := w.seat.pool; {
	case rests && p.places.countWaiting() > 0:
		p.share()
	case rests && w.age != w.seat.age():
		w.retire(true, false)
	}
}

// rest ends a worker that has nothing to do.
func (w *worker) rest() {
	w.mu.Lock()
	busy := len(w.calls) > 0
	w.mu.Unlock()
	if busy {
		w.stir()
		return
	}
	w.retire(false, false)
}

// overdue gives a call up: the client is told, the worker is asked to end it, and
// restarted if it does not even answer that it lives.
func (w *worker) overdue(id string, limit time.Duration) {
	w.mu.Lock()
	c := w.calls[id]
	if c == nil {
		w.mu.Unlock()
		return
	}
	if c.request.Method() == listen || isOurs(c.request.ID()) { // the one has no end, the other nobody waits for
		w.mu.Unlock()
		return
	}
	delete(w.calls, id)
	replay := w.replay
	w.mu.Unlock()

	late := answer.Fault(c.request, timeoutAnswer(c.request, limit))
	if replay != nil {
		replay <- late
		return
	}
	w.seat.pool.o.Observe.Called(calledOf(c, late))
	w.seat.deliver(late)
	if isHandshake(c.request.Method()) {
		w.end(ending{"start", "it did not answer its handshake in time, and was ended"})
		return
	}
	w.tell(answer.Notification("notifications/cancelled", struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}{c.request.ID(), "it takes too long"}))
	w.prove()
}

// prove asks the worker whether it lives.
func (w *worker) prove() {
	key := string(ourID("ping"))
	ping := answer.Request(ourPrefix+"ping", "ping", nil)
	w.mu.Lock()
	if w.gone || w.calls[key] != nil {
		w.mu.Unlock()
		return
	}
	grace := w.seat.pool.o.Grace
	w.calls[key] = newCall(ping, grace, func() { w.end(ending{"hung", "it answered nothing any more, and was ended"}) })
	w.mu.Unlock()
	w.send(ping)
}

// listen is the request that lasts as long as its client listens.
const listen = "subscriptions/listen"

func isHandshake(method string) bool { return method == "initialize" || method == "server/discover" }

// end ends the worker at once, for a reason of ours.
func (w *worker) end(e ending) {
	w.mu.Lock()
	if w.why == nil {
		w.why = &e
	}
	w.mu.Unlock()
	w.child.Kill() // its reader sees the end of its output
}

func (w *worker) isGone() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}

// leave takes what is known of a worker that is gone: the calls that nobody will
// answer, the oldest first.
func (w *worker) leave() (calls []*call, sessions []Session, why *ending, vacates bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = true
	w.idle.Stop()
	for _, c := range w.calls {
		c.limit.Stop()
		if !isOurs(c.request.ID()) {
			calls = append(calls, c)
		}
	}
	clear(w.calls)
	slices.SortFunc(calls, func(a, b *call) int { return a.begun.Compare(b.begun) })
	return calls, w.sessions, w.why, w.vacates
}

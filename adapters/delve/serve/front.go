//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/debugger"
	godap "github.com/google/go-dap"

	"aidb-mcp/internal/system/mend"
)

// front stands between the client and Delve's DAP session.
//
// Goroutines: read takes the client's requests one after another; pump passes
// on what the session says; each request of our own and each exceptionInfo is
// answered on a goroutine of its own, because it may have to wait for the
// program to stop. sending guards the client's stream. What start sets (dbg,
// inner, paths) is set before any of the others can see it.
type front struct {
	std     standard
	sending sync.Mutex

	hello  []byte // the client's initialize request, replayed to the session that debugs
	dbg    *debugger.Debugger
	group  *proc.TargetGroup // for what may be asked of it without its lock
	inner  *inner
	paths  paths
	frozen bool                // a core file
	mended map[*proc.Arch]bool // whose unwinding is mended; the lock of the target group guards it
	calls  calls
	own    ownIDs
	tracks frameTracks
	relay  *relay // the program's output when it goes to the client as events
	ending *exitWatch
	ways   map[codeAddress][]uint64 // to the lines of breakpoints; of read alone

	starting sync.Mutex // held while the program is started
	attached bool       // the program was there before, and is to live on
	pid      int        // of that program
	before   mend.Sight // how it was then
	leaving  release

	loaded sync.Once // the debug information, of which much was only needed once
	ended  sync.Once
	over   chan struct{} // closed when the session has ended
}

func newFront(std standard) *front {
	return &front{std: std, over: make(chan struct{}), mended: map[*proc.Arch]bool{}, ending: newExitWatch()}
}

// serve returns when the client has gone, the session has ended, or the system wants this
// process to end. A program
// that was launched is dead by then, one that was attached to runs on.
func (f *front) serve(ended <-chan os.Signal) {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		f.read()
	}()
	select {
	case <-gone:
	case <-f.over:
	case <-ended:
	}
	f.starting.Lock() // what has begun to start ends too, and nothing more starts
	if !f.leave() && f.inner != nil {
		f.inner.close()
	}
	f.std.program.close()
}

// running are the requests that run the program, which a core file cannot.
var running = []string{"continue", "next", "stepIn", "stepOut", "restart"}

var errFrozen = errors.New("a core file cannot be run: it is the picture of a program that has ended")

// request is a request as far as the front looks at it.
type request struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

func (f *front) read() {
	r := bufio.NewReader(f.std.client)
	for {
		frame, err := godap.ReadBaseMessage(r)
		if err != nil {
			return
		}
		var req request
		if json.Unmarshal(frame, &req) == nil {
			f.handle(req, frame)
		}
	}
}

func (f *front) handle(req request, frame []byte) {
	switch {
	case req.Command == "initialize":
		f.initialize(req, frame)
	case req.Command == "launch" || req.Command == "attach":
		f.starting.Lock()
		f.start(req)
		f.starting.Unlock()
	case f.inner == nil:
		f.beforeStart(req)
	case req.Command == "disconnect":
		f.disconnect(req, frame)
	case powers[req.Command] != nil:
		go f.answer(req, powers[req.Command])
	case req.Command == "exceptionInfo":
		go f.exceptionInfo(req, frame)
	case f.frozen && slices.Contains(running, req.Command):
		f.fail(req, errFrozen)
	case req.Command == "setExceptionBreakpoints":
		f.catch(req, frame)
	case req.Command == "evaluate":
		go f.evaluate(req, frame)
	default:
		f.pass(req, frame)
	}
}

// pass leaves a request to the session.
func (f *front) pass(req request, frame []byte) {
	f.calls.noteRequest(req)
	f.tracks.noteRequest(req)
	switch req.Command {
	case "pause":
		f.calls.interrupt(f.dbg)
		f.pause(req, frame)
		return
	case "continue":
		f.endProgram()
	}
	if req.Command == "configurationDone" || slices.Contains(running, req.Command) {
		f.addWays()
	}
	f.inner.write(frame)
}

// initialize lets a session without a debugger answer, so that the
// capabilities are those of Delve.
func (f *front) initialize(req request, frame []byte) {
	f.hello = frame
	throwaway := newInner(config(), nil)
	defer throwaway.close()
	reply, err := throwaway.exchange(req.Seq, frame, f.send)
	if err != nil {
		f.fail(req, err)
		return
	}
	f.send(withOwnFilters(reply))
}

// beforeStart answers what comes before launch or attach has succeeded.
func (f *front) beforeStart(req request) {
	if req.Command != "disconnect" {
		f.fail(req, errors.New("no program has been started yet"))
		return
	}
	f.succeed(req, nil)
	f.end()
}

func (f *front) end() { f.ended.Do(func() { close(f.over) }) }

// pump passes on what the session says, until it ends.
func (f *front) pump() {
	defer f.end()
	defer f.ending.close()
	for {
		frame, err := f.inner.read()
		if err != nil {
			return
		}
		h := peek(frame)
		f.calls.noteReply(h)
		f.relay.holdExit(h)
		frame = f.ending.fixExitCode(h, frame)
		frame, filter := f.own.translate(frame)
		switch {
		case isOurs(h):
		case filter != nil && f.passOver(filter):
		default:
			f.send(f.correct(frame))
			f.release(h)
		}
	}
}

// release gives back, at the first stop, what reading the debug information took.
func (f *front) release(h header) {
	if h.Event == "stopped" {
		f.loaded.Do(func() { go debug.FreeOSMemory() })
	}
}

// ourSeq is the number of the requests that we send to the session by ourselves.
const ourSeq = 1 << 30

// isOurs says that a message answers a request of ours.
func isOurs(h header) bool {
	return h.Type == "response" && h.RequestSeq == ourSeq
}

// passOver lets the program go on when a stop at a breakpoint of ours turns out
// to be none, or is told a little later. The client never hears of it.
func (f *front) passOver(at *ownFilter) bool {
	nothing := false
	if at.vain != nil {
		group, unlock := f.dbg.LockTargetGroup()
		selected := group.Selected
		nothing = at.vain(&target{Target: selected, paths: f.paths}, selected.CurrentThread())
		unlock()
	}
	later := !nothing && at.says && f.turn(said, true)
	if !nothing && !later {
		return false
	}
	goOn, err := json.Marshal(godap.ContinueRequest{Request: godap.Request{
		ProtocolMessage: godap.ProtocolMessage{Seq: ourSeq, Type: "request"}, Command: "continue",
	}})
	if err != nil {
		return false
	}
	go f.inner.write(goOn) // the session may have something to say before it reads
	return true
}

// answer serves a request of our own.
func (f *front) answer(req request, p customRequest) {
	body, err := f.ask(req, p)
	if err != nil {
		f.fail(req, err)
		return
	}
	f.succeed(req, body)
}

var errRunning = errors.New("debuggee is running")

// ask calls p with the program standing still and nobody else at it.
func (f *front) ask(req request, p customRequest) (body any, err error) {
	if f.dbg.IsRunning() {
		return nil, errRunning
	}
	group, unlock := f.dbg.LockTargetGroup()
	defer unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s failed: %v\n%s", req.Command, r, debug.Stack())
		}
	}()
	if _, err := group.Valid(); err != nil {
		return nil, err
	}
	f.mendUnwinding(group)
	return p(&target{Target: group.Selected, paths: f.paths}, req.Arguments)
}

// send writes one message. An error means that the client has gone, which read notices too.
func (f *front) send(frame []byte) {
	f.sending.Lock()
	defer f.sending.Unlock()
	_ = godap.WriteBaseMessage(f.std.client, frame)
}

func (f *front) sendMessage(m any) {
	if frame, err := json.Marshal(m); err == nil {
		f.send(frame)
	}
}

// reply is a successful reply with any body.
type reply struct {
	godap.Response
	Body any `json:"body,omitempty"`
}

func (f *front) succeed(req request, body any) {
	f.sendMessage(reply{response(req, true), body})
}

func (f *front) fail(req request, err error) {
	r := godap.ErrorResponse{Response: response(req, false)}
	r.Message = err.Error()
	r.Body.Error = &godap.ErrorMessage{Format: err.Error()}
	f.sendMessage(r)
}

func response(req request, success bool) godap.Response {
	return godap.Response{
		ProtocolMessage: godap.ProtocolMessage{Type: "response"},
		RequestSeq:      req.Seq,
		Command:         req.Command,
		Success:         success,
	}
}

func event(name string) godap.Event {
	return godap.Event{ProtocolMessage: godap.ProtocolMessage{Type: "event"}, Event: name}
}

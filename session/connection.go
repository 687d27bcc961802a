package session

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/stopped"
)

// connection is one DAP connection of a run: the root, or that of a child session,
// which is another process or another thread of the program. Thread ids of
// different connections may be equal; ours are told apart by a shift.
//
// The fields up to initialized never change once the connection is listed. Of its stops
// and pauses the session's state knows.
type connection struct {
	conn      *dap.Conn
	run       *run
	peer      *adapters.Peer
	name      string // of a child session, for people
	request   string // launch or attach
	arguments any
	broker    bool // has no program: it only asks for children
	number    int  // among the connections of its run
	shift     int  // what our thread ids are above the adapter's

	onceInitialized sync.Once
	initialized     chan struct{} // closed at the first initialized event
	done            chan struct{} // closed when the connection's program has ended

	caps       atomic.Pointer[godap.Capabilities]
	pid        atomic.Int64 // of its program, 0 when not known
	configured atomic.Bool  // breakpoints have been sent: later changes are sent too
	answered   atomic.Bool  // launch or attach is
	begun      atomic.Bool  // the adapter has told of the process that it debugs
	over       atomic.Bool  // its program has ended

	gathering sync.Mutex // held while a stop that threads may share is followed
}

// shiftStep lies between the thread ids of two connections.
const shiftStep = 1000

// newConnection wraps the adapter's stream. It reads no event before begin.
func (l *run) newConnection(peer *adapters.Peer, name, request string, arguments any) *connection {
	return &connection{
		run: l, peer: peer, name: name, request: request, arguments: arguments,
		initialized: make(chan struct{}),
		done:        make(chan struct{}),
	}
}

// begin lists the connection and starts to read. It is listed first, since some
// adapters send events before they are asked anything. False: the run has ended
// meanwhile.
func (k *connection) begin() bool {
	l := k.run
	ready := make(chan struct{})
	defer close(ready)
	return l.connections.add(l.ctx, k, func() {
		k.conn = dap.New(k.peer.Stream, dap.Options{
			Name:    l.s.name,
			Log:     l.s.log,
			Trace:   l.s.manager.trace,
			Timeout: l.s.limits.Request,
			OnEvent: func(e dap.Event) {
				<-ready
				k.onEvent(e)
			},
			OnRequest: func(ctx context.Context, command string, arguments json.RawMessage) (any, error) {
				<-ready
				return l.onRequest(ctx, command, arguments)
			},
		})
	})
}

// Call and Send make a connection an adapters.Caller.
func (k *connection) Call(ctx context.Context, command string, arguments, body any) error {
	return k.conn.Call(ctx, command, arguments, body)
}

// Send sends a request whose reply is waited for later.
func (k *connection) Send(command string, arguments any) *dap.Pending {
	return k.conn.Send(command, arguments)
}

// Name is that of a child session, for people.
func (k *connection) Name() string { return k.name }

// AdapterThread is the adapter's id of a thread of ours.
func (k *connection) AdapterThread(thread int) int { return thread - k.shift }

// OurThread is our id of an adapter's thread.
func (k *connection) OurThread(thread int) int { return thread + k.shift }

// Capabilities are what the adapter says of itself.
func (k *connection) Capabilities() godap.Capabilities {
	if caps := k.caps.Load(); caps != nil {
		return *caps
	}
	return godap.Capabilities{}
}

// knownPID is the process of its program, 0 when it is not known.
func (k *connection) knownPID() int { return int(k.pid.Load()) }

// ExpectPause says that a pause is asked for.
func (k *connection) ExpectPause() {
	k.run.s.change(func(m *lifecycle.Machine) { m.Of(k.number).Pausing = true })
}

// Threads lists a connection's threads with our ids.
func (k *connection) Threads(ctx context.Context) ([]godap.Thread, error) {
	var body godap.ThreadsResponseBody
	if err := k.Call(ctx, "threads", nil, &body); err != nil {
		return nil, err
	}
	for i := range body.Threads {
		body.Threads[i].Id = k.OurThread(body.Threads[i].Id)
	}
	k.Claim(body.Threads)
	return body.Threads, nil
}

// Claim remembers that threads belong to this connection.
func (k *connection) Claim(threads []godap.Thread) {
	ids := make([]int, len(threads))
	for i, t := range threads {
		ids[i] = t.Id
	}
	k.run.connections.claim(k, ids...)
}

// StackTrace asks for a thread's frames.
func (k *connection) StackTrace(thread, start, levels int) stopped.PendingFrames {
	args := godap.StackTraceArguments{ThreadId: k.AdapterThread(thread), StartFrame: start, Levels: levels}
	return stopped.PendingFrames{
		Pending:  k.Send("stackTrace", args),
		Tidy:     k.run.plan().Capabilities.Threads.Frame,
		Lineless: start == 0 && k.IsLineless(thread),
	}
}

// IsLineless says that a thread was found at an instruction without a line.
func (k *connection) IsLineless(thread int) (so bool) {
	k.run.s.change(func(m *lifecycle.Machine) { so = thread != 0 && m.Of(k.number).Lineless == thread })
	return so
}

// frames asks for a thread's top frames and waits.
func (k *connection) frames(ctx context.Context, thread, levels int) ([]godap.StackFrame, error) {
	frames, _, err := k.StackTrace(thread, 0, levels).Wait(ctx)
	return frames, err
}

// markEnded marks the connection's program as ended; it answers true the first time.
func (k *connection) markEnded() bool {
	if !k.over.CompareAndSwap(false, true) {
		return false
	}
	close(k.done)
	return true
}

// decode unmarshals leniently: adapters send nulls and wrong types in fields
// that do not matter, and what could be read still counts.
func (k *connection) decode(what string, raw json.RawMessage, into any) bool {
	if len(raw) == 0 {
		return true
	}
	if err := json.Unmarshal(raw, into); err != nil {
		k.run.s.log.Warn("odd message from the adapter", "what", what, "error", err)
		return false
	}
	return true
}

package session

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/session/stopped"
)

// connection is one DAP connection of a run: the root, or that of a child session,
// which is another process or another thread of the program. Thread ids of
// different connections may be equal; ours are told apart by a shift.
//
// The fields up to initialized never change once the connection is listed; the rest
// is guarded by the session's mu.
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

	pid        int // of its program, 0 when not known
	caps       godap.Capabilities
	configured bool // breakpoints have been sent: later changes are sent too
	over       bool // its program has ended
	stopSeq    int  // counts stopped events, so that a newer one wins over one still decided about
	pauses     int  // tries at the pause under way
	lineless   int  // the thread whose instruction was made from no line, 0 when there is none
	pausing    bool // a pause was asked for and has not come
	begun      bool // the adapter has told of the process that it debugs
	owed       bool // a continued event of our own resume may still come
	letGo      bool // it has been resumed by us

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
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.ctx.Err() != nil {
		return false
	}
	if len(l.connections) > 0 && !l.plan().Capabilities.Threads.OneIDSpace {
		k.shift = shiftStep * len(l.connections)
	}
	if l.plan().Capabilities.Threads.IDsFromZero {
		k.shift++
	}
	k.number = len(l.connections)
	l.connections = append(l.connections, k)
	l.root.CompareAndSwap(nil, k)
	ready := make(chan struct{})
	defer close(ready)
	k.conn = dap.New(k.peer.Stream, dap.Options{
		Name:    l.s.id,
		Log:     l.s.log,
		Trace:   l.s.manager.trace,
		Timeout: l.s.limits.Request,
		OnEvent: func(e dap.Event) {
			<-ready
			l.onEvent(k, e)
		},
		OnRequest: func(ctx context.Context, command string, arguments json.RawMessage) (any, error) {
			<-ready
			return l.onRequest(ctx, command, arguments)
		},
	})
	return true
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
	k.run.s.mu.Lock()
	defer k.run.s.mu.Unlock()
	return k.caps
}

// ExpectPause says that a pause is asked for.
func (k *connection) ExpectPause() {
	k.run.s.mu.Lock()
	defer k.run.s.mu.Unlock()
	k.pausing = true
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
	k.run.s.mu.Lock()
	defer k.run.s.mu.Unlock()
	for _, t := range threads {
		k.run.owners[t.Id] = k
	}
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
func (k *connection) IsLineless(thread int) bool {
	k.run.s.mu.Lock()
	defer k.run.s.mu.Unlock()
	return k.lineless != 0 && k.lineless == thread
}

// frames asks for a thread's top frames and waits.
func (k *connection) frames(ctx context.Context, thread, levels int) ([]godap.StackFrame, error) {
	frames, _, err := k.StackTrace(thread, 0, levels).Wait(ctx)
	return frames, err
}

// rootConnection is the connection of Open; nil before the adapter is up. It needs no
// lock, for the end of a run is followed while children still come.
func (l *run) rootConnection() *connection { return l.root.Load() }

// mainConnection is the connection of the program itself: requests without a thread go
// to it, and its word on breakpoints counts. A broker's is its first living
// child, nil while there is none. mu is held.
func (l *run) mainConnection() *connection {
	for _, k := range l.connections {
		if !k.broker && !k.over {
			return k
		}
	}
	if root := l.rootConnection(); root != nil && !root.broker {
		return root
	}
	return nil
}

// owner is the connection that a thread belongs to, the given one when it is not known; mu is held.
func (l *run) owner(thread int, otherwise *connection) *connection {
	if k := l.owners[thread]; k != nil && !k.over {
		return k
	}
	return otherwise
}

// debuggedConnections lists the connections with a living program that hold our breakpoints,
// the program's own first; mu is held.
func (l *run) debuggedConnections() []*connection {
	main := l.mainConnection()
	var debugged []*connection
	for _, k := range l.connections {
		switch {
		case k.broker || k.over || !k.configured:
		case k == main:
			debugged = slices.Insert(debugged, 0, k)
		default:
			debugged = append(debugged, k)
		}
	}
	return debugged
}

// stoppedConnections are those that debug a living program, for who looks at it.
func (l *run) stoppedConnections() []stopped.Connection {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	var list []stopped.Connection
	for _, k := range l.debuggedConnections() {
		list = append(list, k)
	}
	return list
}

// debuggedProcesses are the processes of all connections, as far as they are known.
func (l *run) debuggedProcesses() (pids []int) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	for _, k := range l.connections {
		if k.pid != 0 {
			pids = append(pids, k.pid)
		}
	}
	return pids
}

// markEnded marks the connection's program as ended; it answers true the first time.
func (k *connection) markEnded() bool {
	s := k.run.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.over {
		return false
	}
	k.over = true
	close(k.done)
	return true
}

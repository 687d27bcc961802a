// Package bridge is the near end of a remote MCP server, for clients that speak
// MCP on a pair of streams only. Messages pass as they are. While the remote is
// away the client keeps its tools and is told at once what is the matter; when
// it is back, things go on by themselves.
//
// A call is never made twice: one that may have begun is taken up again or
// reported, and only one that cannot have begun is made anew.
//
// The package works with any server of Streamable HTTP and knows nothing of
// debugging.
package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// Options describe a bridge. Zero durations mean the defaults.
type Options struct {
	URL     string // of the remote: http, https, or unix:PATH
	Token   string // may be empty
	Own     bool   // the token is this user's, and shown to no other user's server on this machine, where the system tells
	CA      string // file with further certificates to trust; may be empty
	Cache   string // directory for what the remote has told; empty: none is kept
	Version string
	Log     *slog.Logger

	// What a client is given while the remote is away and has never told anything.
	Tools        json.RawMessage // a list of tools
	Instructions string

	Dial       time.Duration // longest connecting
	Call       time.Duration // longest call
	Resume     time.Duration // how long a call whose line broke is taken up again
	Silence    time.Duration // after which a stream that used to show that it lives is taken for broken
	MinBackoff time.Duration // between two tries to find the remote again
	MaxBackoff time.Duration
	MaxMessage int // bytes
}

func (o *Options) fill() {
	o.Dial = cmp.Or(o.Dial, 5*time.Second)
	o.Call = cmp.Or(o.Call, 15*time.Minute)
	o.Resume = cmp.Or(o.Resume, 10*time.Second)
	o.Silence = cmp.Or(o.Silence, 45*time.Second)
	o.MinBackoff = cmp.Or(o.MinBackoff, 250*time.Millisecond)
	o.MaxBackoff = cmp.Or(o.MaxBackoff, 30*time.Second)
	o.MaxMessage = cmp.Or(o.MaxMessage, 16<<20)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// bridge is one client with its remote.
//
// Goroutines: one reads what the client says, one passes its notifications and
// answers on in their order, one for each of its requests, one that listens to
// the remote and one that looks for it while it is away.
type bridge struct {
	o        Options
	out      *frame.Writer
	remote   *remote
	cache    *cache
	outgoing chan frame.Frame // notifications and answers of the client
	living   context.Context  // of all that goes on by itself

	renewing sync.Mutex // held by who begins a new session

	mu      sync.Mutex // guards the fields below
	calls   map[string]context.CancelCauseFunc
	ending  bool            // no call is begun any more
	meta    json.RawMessage // of the newest stateless request
	session session
	away    *absence // nil: the remote is there
}

// session is that with the remote, in the revisions that have them.
type session struct {
	id         string
	initialize frame.Frame   // the client's own; the zero frame before
	ready      frame.Frame   // the notification that ends the handshake
	revision   string        // that was agreed on
	ours       bool          // the remote is one of ours
	changed    chan struct{} // closed when another session takes its place
	lost       bool          // what the remote held before is gone, and the client has not been told
}

// The causes with which a call ends before its answer.
var (
	errCancelled = errors.New("the client has cancelled it")
	errEnd       = errors.New("the bridge is ending")
)

// maxCalls is how many requests may wait for their answers.
const maxCalls = 1000

// Run passes messages until the input ends, the output breaks or ctx ends.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	o.fill()
	remote, err := newRemote(&o)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(errEnd)
	b := &bridge{
		o: o, remote: remote, cache: openCache(&o),
		outgoing: make(chan frame.Frame, 1000), calls: map[string]context.CancelCauseFunc{},
		session: session{changed: make(chan struct{})},
	}
	b.out = frame.NewWriter(out, func() { stop(errEnd) })
	calls, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(errEnd)
	b.living = calls
	var running, asked sync.WaitGroup // what goes on by itself, and the client's calls
	running.Go(func() { b.tell(calls) })
	running.Go(func() { b.listen(calls) })

	read := make(chan struct{})
	go func() { // it stays blocked in a read that does not end
		defer close(read)
		b.read(calls, in, &asked)
	}()
	var over bool
	select {
	case <-read:
		over = true
	case <-ctx.Done():
	}
	b.mu.Lock()
	b.ending = true // from here on asked does not grow
	b.mu.Unlock()
	if over {
		waitAtMost(settleLimit, &asked) // what is answered at once, when the client has said all it wants
	}
	cancel(errEnd)
	b.leave()
	_ = b.out.Flush(flushLimit) // a client that has gone
	b.out.Fail(io.ErrClosedPipe)
	waitAtMost(flushLimit, &asked, &running)
	return nil
}

// waitAtMost waits until all are done, or the limit has passed.
func waitAtMost(limit time.Duration, all ...*sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		for _, one := range all {
			one.Wait()
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// How long an end may take: for answers that come at once, and for the client to take them.
const (
	settleLimit = time.Second
	flushLimit  = 500 * time.Millisecond
)

// read takes what the client says.
func (b *bridge) read(ctx context.Context, in io.Reader, asked *sync.WaitGroup) {
	lines := frame.NewReader(in, b.o.MaxMessage)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, frame.ErrTooLong):
			b.say(answer.Error(nil, answer.CodeInvalidRequest, "a message is too long", nil))
			continue
		case err != nil:
			return
		case len(line) == 0:
			continue
		}
		f, err := frame.Parse(line)
		switch {
		case errors.Is(err, frame.ErrNotJSON):
			b.say(answer.Error(nil, answer.CodeParse, err.Error(), nil))
		case err != nil:
			b.say(answer.Error(nil, answer.CodeInvalidRequest, err.Error(), nil))
		case unfit(f) != "":
			b.say(answer.Error(f.ID(), answer.CodeInvalidRequest, "invalid request: its "+unfit(f)+" has characters that no header can hold", nil))
		case f.Kind() == frame.Request:
			b.begin(ctx, f, asked)
		default:
			b.hear(ctx, f)
		}
	}
}

// begin makes a call on a goroutine of its own.
func (b *bridge) begin(ctx context.Context, f frame.Frame, asked *sync.WaitGroup) {
	id := string(f.ID())
	own, cancel := context.WithCancelCause(ctx)
	b.mu.Lock()
	if b.ending {
		b.mu.Unlock()
		cancel(errEnd)
		return
	}
	_, twice := b.calls[id]
	full := len(b.calls) >= maxCalls
	if !twice && !full {
		b.calls[id] = cancel
		asked.Add(1)
	}
	if answer.Modern(f) {
		b.meta = f.With([]byte("null"), "params", "_meta", "progressToken").Get("params", "_meta")
	}
	b.mu.Unlock()
	if twice || full {
		cancel(nil)
		b.say(answer.Error(nil, answer.CodeInvalidRequest, "invalid request: too many calls, or two with the id "+id, nil))
		return
	}
	go func() {
		defer asked.Done()
		defer cancel(nil)
		limited, release := context.WithTimeoutCause(own, b.o.Call, errLate)
		defer release()
		reply, ok := b.call(limited, f)
		b.mu.Lock()
		delete(b.calls, id)
		b.mu.Unlock()
		if ok {
			b.say(reply)
		}
	}()
}

// hear takes a notification or an answer of the client.
func (b *bridge) hear(ctx context.Context, f frame.Frame) {
	if f.Method() == "notifications/cancelled" {
		b.mu.Lock()
		cancel := b.calls[string(f.Name("params", "requestId"))]
		stateless := b.session.initialize.Method() == ""
		b.mu.Unlock()
		if cancel == nil {
			return // it has been answered
		}
		cancel(errCancelled)
		if stateless {
			return // hanging up says it
		}
	}
	select {
	case b.outgoing <- f:
	case <-ctx.Done():
	}
}

// tell passes on what needs no answer, in its order.
func (b *bridge) tell(ctx context.Context) {
	for {
		select {
		case f := <-b.outgoing:
			b.pass(ctx, f)
		case <-ctx.Done():
			return
		}
	}
}

func (b *bridge) pass(ctx context.Context, f frame.Frame) {
	if f.Method() == "notifications/initialized" {
		b.mu.Lock()
		b.session.ready = f
		there := b.session.id != ""
		b.mu.Unlock()
		if !there {
			return // it is said when the remote is back
		}
	}
	if b.absence() != nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, b.o.Resume)
	defer cancel()
	_, err := b.remote.post(limited, f, b.headers(f), nil)
	if away, isAway := asAway(err); isAway && !away.unbegun {
		// The line may have been cut while it was idle. To be told twice harms nobody.
		_, err = b.remote.post(limited, f, b.headers(f), nil)
	}
	if err != nil {
		b.o.Log.Warn("a message did not reach the remote", "method", f.Method(), "error", err)
		if where, isAway := asAway(err); isAway && ctx.Err() == nil {
			b.noteAbsence(where)
		}
		return
	}
	if f.Method() == "notifications/initialized" {
		b.change()
	}
}

// say writes to the client.
func (b *bridge) say(f frame.Frame) {
	if err := b.out.Put(f.Bytes(), 30*time.Second); err != nil {
		b.o.Log.Debug("the client cannot be told", "error", err)
	}
}

// leave ends the session with the remote.
func (b *bridge) leave() {
	b.mu.Lock()
	id := b.session.id
	away := b.away != nil
	b.mu.Unlock()
	if id == "" || away {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b.remote.delete(ctx, b.headers(frame.Frame{}))
}

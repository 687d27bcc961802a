// Package dapdoor lets editors join debug sessions: it serves the Debug Adapter Protocol at
// a loopback port, for what a person sees and does at a desk. Who joins must know the
// session's token.
//
// It must not know the debuggers below: the stream of the session's hub and the engine's
// answers are all it has.
package dapdoor

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"

	"aidb-mcp/internal/fault"
	"aidb-mcp/persons"
	"aidb-mcp/session"
)

// mostClients is how many editors may be connected.
const mostClients = 32

// Options are what a door works with.
type Options struct {
	Desk *persons.Desk
	Dir  string // where it is written down for this user's `aidb-mcp dap`; empty: nowhere
	// BySocket has it at a socket in Dir, which only this user reaches, in place of a port.
	BySocket bool
	Log      *slog.Logger

	// Report writes down what is kept of a session, in a format of FormatHTML and
	// FormatMarkdown; nil: nothing is written down.
	Report func(ctx context.Context, s *session.Session, format string) (string, error)
}

// Door serves editors. It is closed until somebody opens it. All methods may be called
// from any goroutine.
type Door struct {
	Options
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex // guards the fields below
	listener net.Listener
	tokens   map[*session.Session]string
	notes    []string // files that tell of us
	clients  int
	closed   bool
}

// New makes a door that is closed.
func New(o Options) *Door {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d := &Door{Options: o, tokens: map[*session.Session]string{}}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	return d
}

// Address is where a session can be joined.
type Address struct {
	Host    string
	Port    int
	Socket  string // in place of a host and a port
	Token   string
	Session string
}

// Open opens the door to a session. It stays open until Close.
func (d *Door) Open(s *session.Session) (Address, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return Address{}, fault.New(fault.SessionTerminated, "the server is shutting down")
	}
	if d.listener == nil {
		l, err := d.listen()
		if err != nil {
			return Address{}, fmt.Errorf("open a door for editors: %w", err)
		}
		d.listener = l
		// It owns the listener, and ends when that is closed.
		d.work.Go(func() { d.accept(l) })
	}
	d.forgetGone()
	token, known := d.tokens[s]
	if !known {
		token = rand.Text()
		d.tokens[s] = token
	}
	at := Address{Token: token, Session: s.ID()}
	if tcp, isPort := d.listener.Addr().(*net.TCPAddr); isPort {
		at.Host, at.Port = tcp.IP.String(), tcp.Port
	} else {
		at.Socket = d.listener.Addr().String()
	}
	if !known && d.Dir != "" {
		file, err := note{Address: at, Target: s.Target(), Workspace: s.Workspace()}.write(d.Dir)
		if err != nil {
			d.Log.Warn("write down where editors join", "error", err) // the configuration of the reply works all the same
		} else {
			d.notes = append(d.notes, file)
		}
	}
	return at, nil
}

// listen listens where only this machine, or this user, reaches us.
func (d *Door) listen() (net.Listener, error) {
	if !d.BySocket {
		return net.Listen("tcp", "127.0.0.1:0")
	}
	if d.Dir == "" {
		return nil, errors.New("there is no directory for a socket: set XDG_RUNTIME_DIR, or HOME")
	}
	if err := openDir(d.Dir); err != nil {
		return nil, err
	}
	file := filepath.Join(d.Dir, fmt.Sprintf("%d.sock", os.Getpid()))
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process of that number which has been killed
		return nil, err
	}
	return net.Listen("unix", file)
}

// forgetGone forgets the tokens of sessions that nobody knows any more. The lock is held.
func (d *Door) forgetGone() {
	for s := range d.tokens {
		if known, err := d.Desk.Sessions.Get(s.ID()); err != nil || known != s {
			delete(d.tokens, s)
		}
	}
}

// sessionOf is the session that a token opens, nil for none. All tokens are compared, so
// that the time tells nothing.
func (d *Door) sessionOf(token string) *session.Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forgetGone()
	var found *session.Session
	for s, want := range d.tokens {
		if subtle.ConstantTimeCompare([]byte(want), []byte(token)) == 1 {
			found = s
		}
	}
	return found
}

// accept serves who comes, until the listener is closed.
func (d *Door) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			d.Log.Warn("accept an editor", "error", err)
			return
		}
		if !d.admit() {
			_ = conn.Close()
			continue
		}
		// It owns the connection, and ends with it or with the door.
		d.work.Go(func() {
			defer d.dismiss()
			d.Serve(conn)
		})
	}
}

func (d *Door) admit() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.clients >= mostClients || d.closed {
		return false
	}
	d.clients++
	return true
}

func (d *Door) dismiss() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients--
}

// Close closes the door and ends all connections: programs go on.
func (d *Door) Close() {
	d.mu.Lock()
	d.closed = true
	if d.listener != nil {
		_ = d.listener.Close()
	}
	notes := d.notes
	d.mu.Unlock()
	d.cancel()
	d.work.Wait()
	removeNotes(notes)
}

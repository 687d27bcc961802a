package inspector

import (
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"
)

// Relay is a Unix socket at which an inspector elsewhere can be reached.
type Relay struct {
	listener net.Listener
	target   string
	log      *slog.Logger
	conns    sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

// NewRelay listens at a path for those who want to speak with the inspector at
// an address. The directory of the path guards it from others.
func NewRelay(path, target string, log *slog.Logger) (*Relay, error) {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	r := &Relay{listener: listener, target: target, log: log, open: map[net.Conn]bool{}}
	go r.accept()
	return r, nil
}

// Close hangs up on everybody.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	for conn := range r.open {
		_ = conn.Close()
	}
	r.mu.Unlock()
	_ = r.listener.Close()
	r.conns.Wait()
}

func (r *Relay) accept() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		if !r.keep(conn) {
			return
		}
		go func() {
			defer r.drop(conn)
			defer func() { // a fault here costs this connection and not the server
				if p := recover(); p != nil {
					r.log.Error("panic", "doing", "passing on to an inspector", "panic", p, "stack", string(debug.Stack()))
				}
			}()
			r.join(conn)
		}()
	}
}

// join passes everything on in both directions until one side hangs up.
func (r *Relay) join(near net.Conn) {
	far, err := net.DialTimeout("tcp", r.target, dialLimit)
	if err != nil {
		r.log.Debug("an inspector cannot be reached", "address", r.target, "error", err)
		return
	}
	if !r.keep(far) {
		return
	}
	defer r.drop(far)
	node := quick{far.(*net.TCPConn)}
	back := make(chan struct{})
	go func() {
		defer close(back)
		copyAll(near, node)
		_ = near.Close()
	}()
	copyAll(node, near)
	// What node still has to say is its answer to the goodbye.
	_ = node.CloseWrite()
	select {
	case <-back:
	case <-time.After(time.Second):
	}
	_ = far.Close()
	<-back
}

// copyAll is io.Copy without its short cuts, which would pass by quick.
func copyAll(to io.Writer, from io.Reader) {
	_, _ = io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{from})
}

// keep enters a connection, or closes it when the relay is closed already.
func (r *Relay) keep(conn net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		_ = conn.Close()
		return false
	}
	r.open[conn] = true
	r.conns.Add(1)
	return true
}

func (r *Relay) drop(conn net.Conn) {
	_ = conn.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, conn)
	r.conns.Done()
}

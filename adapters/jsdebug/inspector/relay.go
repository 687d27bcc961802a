package inspector

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"runtime/debug"
	"slices"
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
	leaves map[net.Conn]*leave // by the near one
	closed bool
}

// NewRelay listens at a path for those who want to speak with the inspector at
// an address. The directory of the path guards it from others.
func NewRelay(path, target string, log *slog.Logger) (*Relay, error) {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	r := &Relay{listener: listener, target: target, log: log, open: map[net.Conn]bool{}, leaves: map[net.Conn]*leave{}}
	go r.accept()
	return r, nil
}

// Close hangs up on everybody, when leave was taken of node, which then is hung up on.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	leaves := slices.Collect(maps.Values(r.leaves))
	r.mu.Unlock()
	_ = r.listener.Close()
	var taken sync.WaitGroup
	for _, l := range leaves {
		taken.Go(l.take)
	}
	taken.Wait()
	r.mu.Lock()
	for conn := range r.open {
		_ = conn.Close()
	}
	r.mu.Unlock()
	r.conns.Wait()
}

// part enters what is to be done when the relay is closed.
func (r *Relay) part(near net.Conn, l *leave) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leaves[near] = l
	return !r.closed
}

func (r *Relay) forget(near net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.leaves, near)
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

// join passes everything on in both directions until one side hangs up. Node is heard to its
// end whoever else has gone: it dies where it is just writing to who vanishes (seen with 20).
func (r *Relay) join(near net.Conn) {
	far, err := net.DialTimeout("tcp", r.target, dialLimit)
	if err != nil {
		r.log.Debug("an inspector cannot be reached", "address", r.target, "error", err)
		return
	}
	defer far.Close()
	node := quick{far.(*net.TCPConn)}
	l := newLeave(&socket{conn: node})
	if !r.part(near, l) {
		return
	}
	defer r.forget(near)
	go func() {
		defer close(l.gone)
		_ = frames(&heedless{to: near}, bufio.NewReaderSize(node, 64<<10), func(_ byte, text []byte) bool { return l.hear(text) })
		_ = near.Close()
	}()
	err = frames(l, bufio.NewReaderSize(near, 64<<10), func(kind byte, text []byte) bool {
		l.follow(kind, text)
		return false
	})
	if errors.Is(err, errCut) {
		l.address(false)
	}
	l.take()
	_ = node.CloseWrite()
	select {
	case <-l.gone:
	case <-time.After(time.Second):
		_ = far.Close()
		<-l.gone
	}
}

// heedless writes as long as somebody is there, and lets the rest fall.
type heedless struct {
	to   io.Writer
	gone bool
}

func (h *heedless) Write(b []byte) (int, error) {
	if !h.gone {
		_, err := h.to.Write(b)
		h.gone = err != nil
	}
	return len(b), nil
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

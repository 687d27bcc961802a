package bridge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// far is a gateway that can go away and come back at its address.
type far struct {
	t       *testing.T
	address string
	listens net.Listener
	server  *http.Server
	pool    *pool.Pool

	mu    sync.Mutex
	conns map[net.Conn]bool
}

func newFar(t *testing.T) *far {
	f := &far{t: t, address: testkit.Address(testkit.Port(t)), conns: map[net.Conn]bool{}}
	f.rise()
	t.Cleanup(f.fall)
	return f
}

func (f *far) rise() {
	f.t.Helper()
	l := listen(f.t, f.address)
	f.listens = l
	f.pool = pool.New(pool.Options{Command: []string{os.Args[0]}, Env: os.Environ()})
	g := gateway.New(gateway.Options{Pool: f.pool, Access: &gateway.Access{}})
	mux := http.NewServeMux()
	mux.Handle("/mcp", g)
	f.server = &http.Server{Handler: mux, ConnState: func(c net.Conn, s http.ConnState) {
		f.mu.Lock()
		defer f.mu.Unlock()
		switch s {
		case http.StateNew:
			f.conns[c] = true
		case http.StateClosed:
			delete(f.conns, c)
		}
	}}
	go f.server.Serve(l)
}

// fall ends it, with all that it knew.
func (f *far) fall() {
	f.server.Close()
	f.listens.Close() // the server may not have begun with it
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	f.pool.Close(ctx)
}

// cut breaks all lines to it.
func (f *far) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		c.Close()
	}
}

// listen takes an address again at which somebody has just ceased to listen. A process
// that another test starts at this moment still has that listener too, until it has come
// from its fork to its program.
func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		l, err := net.Listen("tcp", address)
		if err == nil {
			return l
		}
		if !errors.Is(err, syscall.EADDRINUSE) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// cutter listens at an address, and cuts each line when it has been asked and has
// answered this; stop ends it.
func cutter(t *testing.T, address, answered string) (stop func()) {
	l := listen(t, address)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				io.WriteString(c, answered)
			}
			c.Close()
		}
	}()
	return func() { l.Close(); <-done }
}

package adapters

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aidb-mcp/dap"
)

// server answers each connection with what talk writes.
func server(t *testing.T, talk func(net.Conn)) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				talk(conn)
			}()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestProbe(t *testing.T) {
	t.Parallel()
	hear := func(c net.Conn) { _, _ = c.Read(make([]byte, 1024)) }
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	for name, test := range map[string]struct {
		port int
		want Protocol
	}{
		"debugpy greets": {server(t, func(c net.Conn) {
			io.WriteString(c, "Content-Length: 60\r\n\r\n"+`{"type":"event","event":"output","body":{"output":"ptvsd"}}`)
			hear(c)
		}), Debugpy},
		"a DAP server answers": {server(t, func(c net.Conn) {
			_, _ = dap.ReadBody(bufio.NewReader(c))
			io.WriteString(c, "Content-Length: 2\r\n\r\n{}")
		}), DAP},
		"Java hangs up at a first word that is not its own": {server(t, func(c net.Conn) {
			_, _ = io.ReadFull(c, make([]byte, len("JDWP-Handshake")))
		}), JDWP},
		"somebody hears it and says nothing": {server(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), ""},
		"node refuses in HTTP": {server(t, func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n")
		}), Inspector},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, line, err := Probe(context.Background(), "127.0.0.1", test.port)
			defer line.Close()
			if err != nil || got != test.want || (line != nil) != (got == DAP) {
				t.Errorf("%q, %v, %v", got, line, err)
			}
		})
	}
	if _, _, err := Probe(context.Background(), "", server(t, func(net.Conn) {})); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("nobody takes the connection: %v", err)
	}
	if _, _, err := Probe(context.Background(), "", 1); err == nil {
		t.Error("port 1 answers")
	}
}

// Who takes the connection to a DAP server begins anew on it: the answer to the probe
// has been read, and what came after it has not.
func TestLine(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	port := server(t, func(c net.Conn) {
		defer close(ended)
		_, _ = dap.ReadBody(bufio.NewReader(c))
		io.WriteString(c, "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnext")
		_, _ = io.Copy(io.Discard, c)
	})
	_, line, err := Probe(t.Context(), "127.0.0.1", port)
	if err != nil {
		t.Fatal(err)
	}
	conn := line.Take()
	if line.Take() != nil {
		t.Error("it can be taken twice")
	}
	line.Close() // it is another's now
	if next, err := dap.ReadBody(bufio.NewReader(conn)); err != nil || string(next) != "next" {
		t.Errorf("%q, %v", next, err)
	}
	conn.Close()
	<-ended
}

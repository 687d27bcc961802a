package adapters

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
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
			hear(c)
			io.WriteString(c, "Content-Length: 2\r\n\r\n{}")
		}), DAP},
		"node refuses in HTTP": {server(t, func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n")
		}), Inspector},
		"a stranger hangs up": {server(t, hear), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := Probe(context.Background(), "127.0.0.1", test.port); err != nil || got != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := Probe(context.Background(), "", 1); err == nil {
		t.Error("port 1 answers")
	}
}

func TestFindDebuggee(t *testing.T) {
	t.Parallel()
	port := server(t, func(net.Conn) {})
	for name, r := range map[string]Request{"by pid": {PID: os.Getpid()}, "by port": {Port: port}} {
		if d := FindDebuggee(r); d.PID != os.Getpid() || !strings.HasSuffix(d.Program, ".test") || !r.Attaches() {
			if runtime.GOOS == "linux" {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
	if d := FindDebuggee(Request{Port: port, Host: "192.0.2.1"}); d.PID != 0 {
		t.Errorf("a port of another machine: %+v", d)
	}
	for program, runs := range map[string]bool{"/usr/bin/python3.11": true, "/usr/bin/python": true, "/usr/bin/pythonista": false, "": false} {
		if got := (Debuggee{Program: program}).Runs("python"); got != runs {
			t.Errorf("%s: %v", program, got)
		}
	}
}

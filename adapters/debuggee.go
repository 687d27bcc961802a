package adapters

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/process"
)

// Debuggee is what could be found out about a program that runs already, before
// anything is attached to it. What is empty is not known.
type Debuggee struct {
	PID      int      // of the program, or of what listens at the port on this machine
	Program  string   // that process's executable
	Protocol Protocol // that is spoken at the port
	Sources  []string // files in which breakpoints were asked for
}

// Protocol is what debuggers speak at a port.
type Protocol string

// The protocols that can be told apart without disturbing a program that waits
// for its debugger. (Java's cannot: a program that was suspended at its start
// goes on when the first connection ends.)
const (
	DAP       Protocol = "DAP"
	Debugpy   Protocol = "DAP of debugpy"
	Inspector Protocol = "inspector" // HTTP, of node and its like
)

// Attaches says that the request is for a program that runs already.
func (r Request) Attaches() bool { return r.PID != 0 || r.Host != "" || r.Port != 0 }

// Runs says that the program's executable has one of these names, whatever
// version follows: python3.11 is python.
func (d Debuggee) Runs(names ...string) bool {
	base := strings.ToLower(filepath.Base(d.Program))
	return d.Program != "" && slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutPrefix(base, name)
		return ok && strings.Trim(rest, "0123456789.-") == ""
	})
}

// String names what is attached to, for people.
func (d Debuggee) String() string {
	switch {
	case d.PID == 0:
		return "an unknown program"
	case d.Program == "":
		return fmt.Sprintf("process %d", d.PID)
	}
	return fmt.Sprintf("process %d, %s", d.PID, d.Program)
}

// FindDebuggee looks at the process that the request names, or at the one that
// listens at its port on this machine. It connects to nothing.
func FindDebuggee(r Request) Debuggee {
	d := Debuggee{PID: r.PID}
	if d.PID == 0 && r.Port != 0 && Local(r.Host) {
		d.PID = process.Listener(r.Port)
	}
	if d.PID != 0 {
		d.Program = process.ProgramOf(d.PID)
	}
	return d
}

// Local says that a host is this machine, as far as its name tells.
func Local(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
}

// Limits of a probe.
const (
	dialLimit  = 2 * time.Second
	greetLimit = 300 * time.Millisecond // for a server that speaks first
	replyLimit = time.Second
)

// Probe finds out what is spoken at a port: it waits for a greeting, then says
// what begins a DAP session, which servers of other protocols refuse in words of
// their own. An error is that nothing could be reached.
func Probe(ctx context.Context, host string, port int) (Protocol, error) {
	if host == "" {
		host = "127.0.0.1"
	}
	dialer := net.Dialer{Timeout: dialLimit}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	heard := make([]byte, 1024)
	listen := func(limit time.Duration) []byte {
		_ = conn.SetReadDeadline(time.Now().Add(limit))
		n, _ := conn.Read(heard)
		return heard[:n]
	}
	if greeting := listen(greetLimit); len(greeting) > 0 {
		return protocolOf(greeting, Debugpy), nil
	}
	hello, err := json.Marshal(godap.InitializeRequest{
		Request:   godap.Request{ProtocolMessage: godap.ProtocolMessage{Seq: 1, Type: "request"}, Command: "initialize"},
		Arguments: godap.InitializeRequestArguments{ClientID: "aidb", AdapterID: "aidb", LinesStartAt1: true, ColumnsStartAt1: true, PathFormat: "path"},
	})
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", len(hello), hello); err != nil {
		return "", nil // it has hung up: no protocol that we know
	}
	return protocolOf(listen(replyLimit), DAP), nil
}

func protocolOf(said []byte, dap Protocol) Protocol {
	switch {
	case bytes.HasPrefix(said, []byte("Content-Length:")) && dap == Debugpy && !bytes.Contains(said, []byte("ptvsd")):
		return DAP // it greets too, but is another
	case bytes.HasPrefix(said, []byte("Content-Length:")):
		return dap
	case bytes.HasPrefix(said, []byte("HTTP/")) && !bytes.Contains(said, []byte("\r\nServer:")):
		return Inspector
	}
	return ""
}

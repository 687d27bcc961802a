package adapters

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
)

// Protocol is what debuggers speak at a port.
type Protocol string

// The protocols that can be told apart without disturbing a program that waits
// for its debugger.
const (
	DAP       Protocol = "DAP"
	Debugpy   Protocol = "DAP of debugpy"
	Inspector Protocol = "inspector" // HTTP, of node and its like
	// JDWP is Java's, most likely: its debugger hangs up without a word when it is not
	// spoken to in JDWP, and waits on; who begins to speak JDWP lets a program go on that
	// was suspended at its start.
	JDWP Protocol = "JDWP"
)

// Line is a connection on which a DAP server has answered a probe. Some serve a
// single client and end with it, so whoever attaches goes on with this connection. It
// has been initialized; a server that takes no second initialize is not to be had on it.
type Line struct {
	mu   sync.Mutex
	conn net.Conn // nil: taken or closed
}

// Take is the connection, nil where there is none (any more). It is the caller's then.
func (l *Line) Take() net.Conn {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	conn := l.conn
	l.conn = nil
	return conn
}

// Close ends the connection unless somebody has taken it.
func (l *Line) Close() {
	if conn := l.Take(); conn != nil {
		conn.Close()
	}
}

// Limits of a probe.
const (
	dialLimit  = 2 * time.Second
	greetLimit = 300 * time.Millisecond // for a server that speaks first
	replyLimit = time.Second
)

// Probe finds out what is spoken at a port: it waits for a greeting, then says what
// begins a DAP session, which servers of other protocols refuse in ways of their own
// and forget. A DAP server that answers is handed on with its connection; every other
// has been left. An error is that nothing could be reached, or nobody behind it.
func Probe(ctx context.Context, host string, port int) (Protocol, *Line, error) {
	if host == "" {
		host = "127.0.0.1"
	}
	dialer := net.Dialer{Timeout: dialLimit}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return "", nil, err
	}
	k := probe{conn, bufio.NewReader(conn)}
	if said, gone := k.readAnswer(greetLimit); gone && len(said) == 0 {
		conn.Close()
		return "", nil, errHungUp
	}
	spoken := k.ask()
	if spoken != DAP || conn.SetDeadline(time.Time{}) != nil {
		conn.Close()
		return spoken, nil, nil
	}
	return DAP, &Line{conn: prefixedConn{conn, k.reader}}, nil
}

// errHungUp is what becomes of a connection to the proxy of a container, for example,
// in which nobody takes it.
var errHungUp = errors.New("it closes every connection at once: nothing listens behind it, or a debugger is attached there already")

// probe is a connection to a server that may speak anything.
type probe struct {
	conn   net.Conn
	reader *bufio.Reader
}

func (k probe) ask() Protocol {
	if said, _ := k.reader.Peek(k.reader.Buffered()); len(said) > 0 {
		return protocolOf(said)
	}
	hello, err := json.Marshal(godap.InitializeRequest{
		Request:   godap.Request{ProtocolMessage: godap.ProtocolMessage{Seq: 1, Type: "request"}, Command: "initialize"},
		Arguments: godap.InitializeRequestArguments{ClientID: "aidb", AdapterID: "aidb", LinesStartAt1: true, ColumnsStartAt1: true, PathFormat: "path"},
	})
	if err != nil {
		return ""
	}
	if _, err := fmt.Fprintf(k.conn, "Content-Length: %d\r\n\r\n%s", len(hello), hello); err != nil {
		return "" // it has hung up before it was told anything
	}
	switch said, gone := k.readAnswer(replyLimit); {
	case len(said) == 0 && gone:
		return JDWP
	case protocolOf(said) != DAP:
		return protocolOf(said)
	}
	if _, err := dap.ReadBody(k.reader); err != nil { // nobody else expects this answer
		return ""
	}
	return DAP
}

// readAnswer reads what the server says within a limit, and whether it has hung up then. What
// was heard is still there to be read.
func (k probe) readAnswer(limit time.Duration) (said []byte, gone bool) {
	if err := k.conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, true
	}
	_, err := k.reader.Peek(1)
	said, _ = k.reader.Peek(k.reader.Buffered())
	return said, err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// protocolOf knows a server by the first that it says.
func protocolOf(said []byte) Protocol {
	switch {
	case bytes.HasPrefix(said, []byte("Content-Length:")) && bytes.Contains(said, []byte("ptvsd")):
		return Debugpy
	case bytes.HasPrefix(said, []byte("Content-Length:")):
		return DAP
	case bytes.HasPrefix(said, []byte("HTTP/")) && !bytes.Contains(said, []byte("\r\nServer:")):
		return Inspector
	}
	return ""
}

// prefixedConn is a connection of which more may have been read than was looked at.
type prefixedConn struct {
	net.Conn
	rest io.Reader
}

func (a prefixedConn) Read(p []byte) (int, error) { return a.rest.Read(p) }

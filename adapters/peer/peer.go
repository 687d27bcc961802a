// Package peer opens the connection to a debug adapter: over the standard
// streams of a process of ours, or over a socket.
//
// It knows no adapter, nothing of sessions and nothing of MCP.
package peer

import (
	"context"
	"net"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
)

const stderrTail = 4000 // bytes

// Start runs an adapter that speaks DAP on its standard streams.
func Start(spec process.Spec) (*adapters.Peer, error) {
	child, err := process.Start(spec)
	if err != nil {
		return nil, err
	}
	return &adapters.Peer{
		Stream:  stdio{child},
		PID:     child.Pid(),
		Done:    child.Done(),
		Kill:    child.Kill,
		Orphans: child.Orphans,
		Stderr:  func() string { return child.StderrTail(stderrTail) },
	}, nil
}

// Dial joins an adapter that is not ours: nothing of it ends with the peer but
// the connection. Network is "tcp" or "unix".
func Dial(ctx context.Context, network, address string) (*adapters.Peer, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return On(conn), nil
}

// On is Dial for a connection that is there already.
func On(conn net.Conn) *adapters.Peer {
	return &adapters.Peer{
		Stream: conn,
		Kill:   func() { conn.Close() },
		Stderr: func() string { return "" },
	}
}

// Of joins a process of ours, already started, that serves DAP on a socket: the
// process ends with the peer, and its standard streams are closed.
func Of(child *process.Child, conn net.Conn) *adapters.Peer {
	return &adapters.Peer{
		Stream:  conn,
		PID:     child.Pid(),
		Done:    child.Done(),
		Kill:    child.End,
		Orphans: child.Orphans,
		Stderr:  func() string { return child.StderrTail(stderrTail) },
	}
}

// stdio is a child's standard streams as one.
type stdio struct{ child *process.Child }

func (s stdio) Read(p []byte) (int, error)  { return s.child.Stdout.Read(p) }
func (s stdio) Write(p []byte) (int, error) { return s.child.Stdin.Write(p) }

func (s stdio) Close() error {
	err := s.child.Stdin.Close()
	s.child.Stdout.Close()
	return err
}

package jsdebug

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// server is the js-debug of one session: one process, and a connection for each
// process and worker thread of the program.
type server struct {
	node      string // that runs js-debug, absolute
	script    string // dapDebugServer.js, absolute
	boot      string // the directory that js-debug is run from, see layOut; empty: its own
	inspector string // the address of a program's to which there is to be a relay, or empty
	program   int    // whose that is, 0 if it is not known
	scratch   string // for its sockets and files; removed with the process
	root      *process.Root
	env       []string
	log       *slog.Logger

	relaying *process.Child // the relay's process, once it runs

	mu               sync.Mutex
	network, address string // where it listens, once it does
}

// listening is what js-debug prints before the address when it is ready.
const listening = "Debug server listening at "

// open starts js-debug and makes the first connection.
func (s *server) open(ctx context.Context) (*adapters.Peer, error) {
	network, args := "unix", append(s.main(), filepath.Join(s.scratch, "dap.sock"))
	if runtime.GOOS == "windows" {
		network, args = "tcp", append(s.main(), "0", "127.0.0.1")
	}
	child, err := process.Start(process.Spec{
		Name: "js-debug", Path: s.node, Args: args, Env: s.env, Dir: filepath.Dir(s.scratch),
		Remove: []string{s.scratch}, Root: s.root, Fill: s.fill, Log: s.log,
	})
	if err != nil {
		return nil, fault.New(fault.AdapterCrashed, "js-debug could not be started: %w", err).WithHint("%s", verifyHint)
	}
	address, err := awaitReady(ctx, child)
	if err != nil {
		child.End()
		return nil, err
	}
	s.mu.Lock()
	s.network, s.address = network, address
	s.mu.Unlock()
	var conn net.Conn
	if err = s.relay(ctx); err == nil {
		conn, err = new(net.Dialer).DialContext(ctx, network, address)
	}
	if err != nil {
		child.End()
		return nil, err
	}
	return peer.Of(child, conn), nil
}

// main are the arguments of node that run js-debug.
func (s *server) main() []string {
	if s.boot == "" {
		return []string{s.script}
	}
	return []string{filepath.Join(s.boot, serverName)}
}

// fill writes what js-debug and the program load into the scratch directory.
func (s *server) fill() error {
	if err := writeHook(s.scratch); err != nil || s.boot == "" {
		return err
	}
	if filepath.Dir(s.boot) != s.scratch { // it is there
		return nil
	}
	return layOut(s.boot, filepath.Dir(s.script))
}

// relay starts what passes on what a program's inspector says, in a process of its own:
// it lets the program go when we, or js-debug, cannot.
func (s *server) relay(ctx context.Context) error {
	if s.inspector == "" {
		return nil
	}
	self, err := process.Executable()
	if err != nil {
		return err
	}
	spec := process.Spec{
		Name: "relay to node", Path: self, Args: []string{inspector.RelayCommand, relaySocket(s.scratch), s.inspector},
		Root: s.root, Farewell: leaveLimit, Log: s.log,
	}
	if s.program != 0 {
		spec.Release = &process.Release{PID: s.program, Limit: leaveLimit}
	}
	if s.relaying, err = process.Start(spec); err != nil {
		return err
	}
	listens := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(s.relaying.Stdout).ReadString('\n')
		listens <- err
	}()
	select {
	case err = <-listens:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("starting the relay to node: %w: %s", err, s.relaying.StderrTail(500))
	}
	return nil
}

// leaveLimit is how long a program may take to be let go.
const leaveLimit = 3 * time.Second

// leave ends the relay, which lets the program go.
func (s *server) leave() {
	if s.relaying == nil {
		return
	}
	_ = s.relaying.Stdin.Close()
	limit := time.NewTimer(leaveLimit)
	defer limit.Stop()
	select {
	case <-s.relaying.Done():
	case <-limit.C:
	}
	s.relaying.End()
}

const verifyHint = "adapter(action: verify, language: javascript) checks it; installing it again mends it"

// awaitReady waits for the line that tells the address. What js-debug prints
// afterwards is read and dropped.
func awaitReady(ctx context.Context, child *process.Child) (address string, err error) {
	type result struct {
		address string
		err     error
	}
	ready := make(chan result, 1)
	go func() {
		lines := bufio.NewReader(child.Stdout)
		var said []string
		for {
			line, err := lines.ReadString('\n')
			if at, ok := strings.CutPrefix(strings.TrimSpace(line), listening); ok {
				ready <- result{address: at}
				_, _ = io.Copy(io.Discard, lines)
				return
			}
			if err != nil {
				ready <- result{err: errors.New(strings.TrimSpace(strings.Join(said, "")))}
				return
			}
			if len(said) < 20 {
				said = append(said, line)
			}
		}
	}()
	select {
	case r := <-ready:
		if r.err == nil {
			return r.address, nil
		}
		status := child.Exit()
		words := strings.TrimSpace(r.err.Error() + "\n" + child.StderrTail(1000))
		return "", fault.New(fault.AdapterCrashed, "js-debug ended before it was ready (%s): %s", status, words).WithHint("%s", verifyHint)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// dial makes a further connection, for a child session. Nothing but the
// connection ends with it.
func (s *server) dial(ctx context.Context) (*adapters.Peer, error) {
	s.mu.Lock()
	network, address := s.network, s.address
	s.mu.Unlock()
	return peer.Dial(ctx, network, address)
}

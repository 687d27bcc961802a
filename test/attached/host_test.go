//go:build linux

package attached

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// host is a server with a client, or a gateway whose worker serves the client.
type host struct {
	server  *testkit.Server
	session *mcp.ClientSession // of the gateway; nil: the server has its own
	pid     int                // of the process that has the debug sessions
}

// The gateway's limits: as short, and as much, as a session needs.
const (
	idleLimit   = "4s"
	memoryLimit = 700 // MiB
)

func open(t *testing.T, c cell) *host {
	t.Helper()
	o := testkit.Options{Dir: c.at.Dir, Env: environment()}
	if !c.ending.isGateways() {
		s := testkit.Start(t, o)
		return &host{server: s, pid: s.PID()}
	}
	const token = "6ZQ3V2Y5K7T4N1W8"
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("ada "+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Args = []string{"--http", "127.0.0.1:0", "--token-file", tokens}
	switch c.ending {
	case byIdle:
		o.Args = append(o.Args, "--worker-idle", idleLimit)
	case byMemory:
		o.Args = append(o.Args, "--worker-memory", fmt.Sprint(memoryLimit))
	}
	w := testkit.StartWire(t, o)
	h := &host{server: w.Server}
	t.Cleanup(func() { h.signal(syscall.SIGTERM) })
	client := mcp.NewClient(&mcp.Implementation{Name: "attached", Version: "1"}, nil)
	var err error
	h.session, err = client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: w.Address(), HTTPClient: testkit.Bearer(t, token), DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.session.Close() })
	h.pid = h.worker(t)
	return h
}

// worker is the process that serves the client of a gateway, once there is one.
func (h *host) worker(t *testing.T) (pid int) {
	t.Helper()
	if _, err := h.call("session", A{"action": "list"}); err != nil {
		t.Fatal(err)
	}
	for _, p := range testkit.Descendants(h.server.PID()) {
		if strings.Contains(p.Command, " serve") && !strings.Contains(p.Command, " supervise ") {
			pid = p.PID
		}
	}
	if pid == 0 {
		t.Fatal("the gateway has no worker")
	}
	return pid
}

// call calls a tool and returns its text, with the structured content beside it.
func (h *host) call(tool string, args A) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), testkit.CallLimit)
	defer cancel()
	if h.session == nil {
		r, err := h.server.CallContext(ctx, tool, args)
		if err == nil && r.IsError {
			err = fmt.Errorf("%s", r)
		}
		return r.Text + "\n" + r.JSON, err
	}
	result, err := h.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(result)
	if err == nil && result.IsError {
		err = fmt.Errorf("%s %v: %s", tool, args, text)
	}
	return string(text), err
}

func (h *host) signal(s syscall.Signal) {
	select {
	case <-h.server.Exited():
	default:
		h.server.Signal(s)
	}
}

// looksOnly matches what is run before a session begins, to see what there is.
var looksOnly = regexp.MustCompile(`(?: -?-version| --help| -c .*)$`)

// players are the supervisors of the session, and all that runs below them.
func (h *host) players() (supervisors, debuggers []int) {
	list := testkit.Descendants(h.pid)
	for _, p := range list {
		if strings.Contains(p.Command, " supervise ") && !looksOnly.MatchString(p.Command) {
			supervisors = append(supervisors, p.PID)
		}
	}
	for _, p := range list {
		isOurs := strings.Contains(p.Command, " relay-node ") // which outlives the debugger, and whose duty that is
		if p.State != "Z" && !isOurs && slices.Contains(supervisors, p.Parent) && !slices.Contains(supervisors, p.PID) {
			debuggers = append(debuggers, p.PID)
		}
	}
	return supervisors, debuggers
}

// end ends the session as the cell says. It returns when that is said or done, as far
// as one can see it from outside.
func (h *host) end(t *testing.T, c cell, tracer int) error {
	limit := 30 * time.Second
	switch c.ending {
	case byStop:
		text, err := h.call("session", A{"action": "stop"})
		for c.state == early && err != nil && strings.Contains(err.Error(), "no debug session") { // it has not begun
			text, err = h.call("session", A{"action": "stop"})
		}
		if err == nil && c.state != early && !strings.Contains(text, "the program was left running") {
			err = fmt.Errorf("the reply to stop: %s", text)
		}
		return err
	case byInput:
		h.server.CloseInput()
	case byClient:
		h.server.Vanish()
	case byTerm:
		h.signal(syscall.SIGTERM)
	case byKill:
		h.server.Kill()
		return nil
	case byGateway:
		h.server.Kill()
		return nil
	case byWorker:
		return syscall.Kill(h.pid, syscall.SIGKILL)
	case bySupervisor:
		supervisors, _, err := h.begun(limit)
		if err != nil {
			return err
		}
		slay(supervisors)
		return nil
	case byDebugger:
		_, debuggers, err := h.begun(limit)
		if err != nil {
			return err
		}
		if tracer != 0 {
			debuggers = append(debuggers, tracer)
		}
		slay(debuggers)
		return nil
	case byMemory:
		if err := h.eat(t); err != nil {
			return err
		}
	}
	return ended(h.pid, limit)
}

// begun are the players, once there are both: on a busy machine a session that is attaching
// has none at first.
func (h *host) begun(limit time.Duration) (supervisors, debuggers []int, err error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(limit); ; {
		if supervisors, debuggers = h.players(); len(supervisors) > 0 && len(debuggers) > 0 {
			return supervisors, debuggers, nil
		}
		select {
		case <-tick.C:
		case <-late:
			return nil, nil, fmt.Errorf("there is nothing to be killed after %v", limit)
		}
	}
}

func slay(pids []int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// eat starts another program in the same worker, which needs more memory than that
// may have.
func (h *host) eat(t *testing.T) error {
	file := filepath.Join(t.TempDir(), "eat.py")
	text := fmt.Sprintf("food = b'x' * (%d << 20)\ninput()\n", memoryLimit+100)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	go func() { _, _ = h.call("session_start", A{"target": file, "stdin_open": true, "session_id": "eater"}) }()
	return nil
}

// ended waits until a process has ended.
func ended(pid int, limit time.Duration) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(limit); ; {
		if !lives(pid) {
			return nil
		}
		select {
		case <-tick.C:
		case <-late:
			return fmt.Errorf("process %d still runs after %v", pid, limit)
		}
	}
}

func lives(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

//go:build linux

package test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/testkit"
)

// Every revision that the SDK knows works, with the official client.
func TestProtocolRevisions(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "exit0")
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Protocol: revision})
			info := s.Client.InitializeResult()
			if info.ProtocolVersion != revision {
				t.Errorf("negotiated %s, want %s", info.ProtocolVersion, revision)
			}
			if info.ServerInfo.Name != "aidb" || info.ServerInfo.Title != "AI Debugger" {
				t.Errorf("the server calls itself %+v", info.ServerInfo)
			}
			if n := len(info.Instructions); n == 0 || n > 2000 {
				t.Errorf("%d bytes of instructions", n)
			}
			tools, err := s.Client.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 17 {
				t.Fatalf("tools/list: %v, %+v", err, tools)
			}
			s.OK("session_start", A{"target": "."}).Want("terminated", "data", "execution_state", "status")
		})
	}
}

// No handshake at all: 2026-07-28 as a client speaks it on the wire.
func TestStatelessRequests(t *testing.T) {
	t.Parallel()
	w := testkit.StartWire(t, testkit.Options{})
	meta := A{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         A{"name": "by hand", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": A{},
	}
	w.Request(1, "server/discover", A{"_meta": meta})
	if m := w.Answer(1); m.Error != nil || !strings.Contains(m.Raw, "2026-07-28") {
		t.Errorf("server/discover: %s", m.Raw)
	}
	w.Request(2, "tools/call", A{"_meta": meta, "name": "session", "arguments": A{"action": "list"}})
	w.Reply(2).Want("true", "success")
	w.CloseInput()
	exitsWithin(t, w.Server, 15*time.Second)
}

func TestMalformedLines(t *testing.T) {
	t.Parallel()
	w := testkit.StartWire(t, testkit.Options{})
	w.Initialize("2025-06-18")
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":`, `not JSON`, `[]`, `"text"`, `{}`, `{"jsonrpc":"1.0","id":9,"method":"x"}`, "\x00\xff\xfe",
	} {
		w.Send(line)
		if m := w.Next(); m == nil || m.Error == nil || (m.Error.Code != -32700 && m.Error.Code != -32600) {
			t.Errorf("%q was answered with %+v", line, m)
		}
	}
	w.Send("")
	w.Send(`{"jsonrpc":"2.0","method":"notifications/nobody_knows"}`)
	w.Request(5, "ping", A{})
	if m := w.Answer(5); m.Error != nil {
		t.Errorf("ping after bad lines: %s", m.Raw)
	}
	w.Request(6, "no/such/method", A{})
	if m := w.Answer(6); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("unknown method: %s", m.Raw)
	}
	w.CallTool(7, "sesion", A{})
	if m := w.Answer(7); m.Error == nil || !strings.Contains(m.Error.Message, "sesion") {
		t.Errorf("unknown tool: %s", m.Raw)
	}
	w.CallTool(8, "session", A{"action": "list"})
	w.Reply(8).Want("true", "success")
}

// At the end of the input every request already read is answered before the exit.
func TestEndOfInputWithPendingRequests(t *testing.T) {
	t.Parallel()
	for range 5 {
		w := testkit.StartWire(t, testkit.Options{})
		w.Initialize("2025-06-18")
		for id := range 20 {
			w.CallTool(id+1, "config", A{"action": "show"})
		}
		w.CloseInput()
		answered := map[string]bool{}
		for m := w.Next(); m != nil; m = w.Next() {
			answered[string(m.ID)] = true
		}
		for id := range 20 {
			if !answered[fmt.Sprint(id+1)] {
				t.Errorf("request %d was never answered", id+1)
			}
		}
		exitsWithin(t, w.Server, 15*time.Second)
	}
}

// A call that waits is given up when the input ends, and the server ends at once.
func TestEndOfInputDuringAWait(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "echo")
	w := testkit.StartWire(t, testkit.Options{Dir: p.Dir})
	w.Initialize("2025-11-25")
	w.CallTool(1, "session_start", A{"target": ".", "stdin_open": true, "timeout_ms": 4000})
	w.Reply(1) // it runs by then, or a busy machine is still building it
	w.CallTool(2, "execute", A{"action": "wait", "timeout_ms": 60000})
	w.CallTool(3, "session", A{})
	w.Answer(3)
	w.CloseInput()
	if m := w.Next(); m != nil {
		t.Errorf("a client that is gone was sent %s", m.Raw)
	}
	exitsWithin(t, w.Server, 15*time.Second)
}

// SIGTERM answers what waits.
func TestSIGTERMAnswersWhatWaits(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "echo")
	w := testkit.StartWire(t, testkit.Options{Dir: p.Dir})
	w.Initialize("2025-11-25")
	w.CallTool(1, "session_start", A{"target": ".", "stdin_open": true, "timeout_ms": 4000})
	w.Reply(1)
	w.CallTool(2, "execute", A{"action": "wait", "timeout_ms": 60000})
	w.CallTool(3, "session", A{})
	w.Answer(3)
	w.Signal(syscall.SIGTERM)
	w.Answer(2)
	exitsWithin(t, w.Server, 15*time.Second)
}

func TestToolDefinitions(t *testing.T) {
	t.Parallel()
	w := testkit.StartWire(t, testkit.Options{})
	w.Initialize("2025-11-25")
	w.Request(1, "tools/list", A{})
	m := w.Answer(1)
	if len(m.Raw) > 18_500 {
		t.Errorf("tools/list takes %d bytes, want 18,500 at most", len(m.Raw))
	}
	for _, bad := range []string{`["null"`, `"null"]`} {
		if strings.Contains(m.Raw, bad) {
			t.Errorf("a nullable type in the schemas: %s", bad)
		}
	}
	var list struct {
		Tools []struct {
			Name, Title, Description string
			InputSchema, Annotations map[string]any
		}
	}
	if err := json.Unmarshal(m.Result, &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: no title or description", tool.Name)
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint]; !ok {
				t.Errorf("%s: no %s", tool.Name, hint)
			}
		}
		if tool.InputSchema["type"] != "object" || tool.InputSchema["additionalProperties"] != nil {
			t.Errorf("%s: the schema is not a plain object", tool.Name)
		}
		for _, word := range []string{"anyOf", "oneOf", "allOf"} {
			if _, ok := tool.InputSchema[word]; ok {
				t.Errorf("%s: %s at the top of the schema", tool.Name, word)
			}
		}
	}
}

// Started on a terminal it prints how to register it instead of waiting in silence.
func TestOnATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := openTerminal(t)
	cmd := exec.Command(testkit.Binary(t), "serve")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = terminal.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	shown := make(chan string, 1)
	go func() {
		out, _ := io.ReadAll(master) // ends with an error when the other side has gone
		shown <- string(out)
	}()
	select {
	case out := <-shown:
		for _, want := range []string{"mcp add", "serve"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in %q", want, out)
			}
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits in silence")
	}
}

// openTerminal opens a new pseudo terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

package test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// shop is a server that runs under the debugger, and the address at which it answers.
func shop(t *testing.T, breakpoints ...A) (s *testkit.Server, p *testkit.Program, url string) {
	t.Helper()
	p = testkit.NewProgram(t, "shop")
	s = testkit.Start(t, testkit.Options{Dir: p.Dir})
	if breakpoints == nil {
		breakpoints = []A{}
	}
	r := s.OK("session_start", A{"target": ".", "breakpoints": breakpoints, "env": A{"SHOP_NAME": "corner"}, "timeout_ms": 120_000}).Want("running", "data", "execution_state", "status")
	return s, p, "http://" + r.At("data", "listening", "0")
}

func get(url string) A { return A{"http": A{"url": url}} }

// A request goes to the server, waits at the breakpoint, and has its answer when the program goes on.
func TestTriggerStops(t *testing.T) {
	t.Parallel()
	s, p, url := shop(t)
	s.OK("breakpoint", A{"action": "set", "location": p.At("main.go", "price")})
	at := p.At("main.go", "price")
	s.OK("execute", A{"action": "wait", "trigger": A{"http": A{"url": url + "/order?n=7&token=hush-hush", "headers": A{"Authorization": "Basic c2VjcmV0c2VjcmV0"}}}}).
		Stopped("stopped_at_breakpoint", at).Want("22", "data", "locals", "total", "v").Want("true", "data", "trigger", "pending").
		Contains([]string{"data", "trigger", "sent"}, "GET", "/order?n=7", "masked").Lacks("hush-hush")
	s.OK("step", A{"action": "out"}).Want("", "data", "trigger")
	s.OK("execute", A{"timeout_ms": 1000}).Want("200", "data", "trigger", "status").
		Contains([]string{"data", "trigger", "first_bytes"}, "total 22, served 1, Basic")
	s.OK("execute", A{"action": "wait", "timeout_ms": 0}).Want("", "data", "trigger") // it is told once

	// Through a place that nothing else stops at, in a program that runs.
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("run_until", A{"location": at, "trigger": get(url + "/order?n=2")}).Stopped("stopped_at_breakpoint", at).Want("7", "data", "locals", "total", "v")
	// Of a stopped one, the program goes on first. The earlier request has its answer then.
	s.OK("execute", A{"trigger": A{"http": A{"url": url + "/plain", "body": A{"a": 1}, "method": "put"}}}).
		Want("running", "data", "execution_state", "status").Want(`{"a":1}`, "data", "trigger", "first_bytes").Has("of an earlier trigger", "status 200", "has its answer")
	s.OK("execute", A{"until": at, "trigger": get(url + "/later")}).Stopped("stopped_at_breakpoint", at).
		Want("16", "data", "locals", "total", "v").Want("accepted\n", "data", "trigger", "first_bytes")
}

// What fails ends the wait at once, and says why.
func TestTriggerFails(t *testing.T) {
	t.Parallel()
	s, p, url := shop(t)
	closed := testkit.Address(testkit.Port(t))
	s.OK("execute", A{"action": "wait", "timeout_ms": 300_000, "trigger": get("http://" + closed)}).
		Contains([]string{"data", "trigger", "error"}, "refused").Has("the trigger failed")
	s.OK("execute", A{"action": "wait", "timeout_ms": 300_000, "trigger": A{"command": []string{"no-such-program"}}}).
		Contains([]string{"data", "trigger", "error"}, "not found")
	s.OK("execute", A{"action": "wait", "timeout_ms": 300_000, "trigger": A{"command": []string{"sh", "-c", "pwd; echo $SHOP_NAME; echo bad >&2; exit 3"}}}).
		Want("3", "data", "trigger", "exit_code").Want(p.Dir+"\ncorner\n", "data", "trigger", "first_bytes").Want("bad", "data", "trigger", "stderr")
	s.OK("execute", A{"action": "wait", "timeout_ms": 300_000, "trigger": get(url + "/away")}).
		Want("302", "data", "trigger", "status").Want("http://192.0.2.1/", "data", "trigger", "redirect")

	for _, bad := range []struct {
		code, field string
		args        A
	}{
		{"VALIDATION_INVALID_PARAM", "trigger", A{"trigger": A{}}},
		{"VALIDATION_INVALID_PARAM", "trigger", A{"trigger": A{"stdin": "a", "command": []string{"id"}}}},
		{"VALIDATION_INVALID_PARAM", "trigger.command", A{"trigger": A{"command": "curl http://x"}}},
		{"VALIDATION_UNKNOWN_PARAM", "trigger.url", A{"trigger": A{"url": url}}},
		{"VALIDATION_MISSING_PARAM", "trigger.http.url", A{"trigger": A{"http": A{"method": "GET"}}}},
		{"VALIDATION_INVALID_PARAM", "trigger.http", A{"trigger": get("ftp://127.0.0.1/")}},
		{"VALIDATION_INVALID_PARAM", "trigger", A{"action": "pause", "trigger": get(url)}},
		{"POLICY_DENIED", "trigger.http.url", A{"trigger": get("http://192.0.2.1/")}},
		{"POLICY_DENIED", "trigger.http.url", A{"trigger": get("http://169.254.169.254/latest/meta-data")}},
	} {
		if bad.args["action"] == nil {
			bad.args["action"] = "wait"
		}
		s.Fail(bad.code, "execute", bad.args).Want(bad.field, "error", "field")
	}
	s.Fail("VALIDATION_INVALID_PARAM", "execute", A{"action": "wait", "trigger": A{"stdin": "x"}}).Has("stdin_open")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"what": "calls", "functions": []string{"price"}, "trigger": get(url)}).Want("trigger", "error", "field")

	s.OK("execute", A{"action": "wait", "trigger": get(url + "/exit")}).Want("terminated", "data", "execution_state", "status").
		Want("4", "data", "execution_state", "exit_code").Contains([]string{"data", "trigger", "error"}, "without an answer")
	s.Fail("SESSION_TERMINATED", "execute", A{"action": "wait", "trigger": get(url)})
}

// A server with --allow-root runs no command that leads outside.
func TestTriggerStaysInside(t *testing.T) {
	t.Parallel()
	p, other := testkit.NewProgram(t, "shop"), t.TempDir()
	tool := filepath.Join(other, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--allow-root", p.Dir}})
	s.OK("session_start", A{"target": ".", "timeout_ms": 120_000})
	denied(s, []denial{
		{"execute", A{"action": "wait", "trigger": A{"command": []string{tool}}}, "trigger.command", ""},
		{"execute", A{"action": "wait", "trigger": A{"command": []string{"cat", "../../etc/passwd"}}}, "trigger.command", ""},
		{"execute", A{"action": "wait", "trigger": get("http://192.0.2.1/")}, "trigger.http.url", "192.0.2.1"},
	})
	s.OK("execute", A{"action": "wait", "trigger": A{"command": []string{"cat", "go.mod"}}}).Contains([]string{"data", "trigger", "first_bytes"}, "module")
}

// A command that runs on ends with its session, and with a server that is killed.
func TestTriggerEnds(t *testing.T) {
	t.Parallel()
	s, p, _ := shop(t)
	pid := func() int {
		s.OK("execute", A{"action": "wait", "timeout_ms": 0, "trigger": A{"command": []string{"sh", "-c", "echo $$ > now; mv now pid; exec sleep 1000"}}}).
			Want("true", "data", "trigger", "pending")
		n, name := 0, filepath.Join(p.Dir, "pid")
		testkit.Eventually(t, 30*time.Second, "the command runs", func() bool {
			text, _ := os.ReadFile(name)
			n, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			return n != 0
		})
		_ = os.Remove(name)
		return n
	}
	first := pid()
	s.OK("session", A{"action": "stop"})
	if !process.Gone(first) {
		t.Errorf("the command %d has outlived its session", first)
	}
	s.OK("session", A{"action": "restart"})
	second := pid()
	s.Kill()
	s.NothingLeft(20 * time.Second)
	if !process.Gone(second) {
		t.Errorf("the command %d has outlived its server", second)
	}
}

// A text for the standard input, which the program has read at the stop.
func TestTriggerInput(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "echo")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "stdin_open": true, "stop_on_entry": true, "timeout_ms": 120_000})
	s.OK("execute", A{"timeout_ms": 2000, "trigger": A{"stdin": "hello\n"}}).Contains([]string{"data", "trigger", "sent"}, "6 bytes").Has("hello")
}

//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// deaf does nothing for longer than any test lasts. It waits for a clock: Go's runtime
// ends a program whose goroutines wait for nothing at all.
func deaf(*adapter, *request) { time.Sleep(24 * time.Hour) }

// graves are the misdeeds that need real bytes, processes and memory.
var graves = []misdeed{
	{name: "a flood of output", at: "continue", act: flood(testkit.Rounds(30, 100)<<20, "output", func(int) any {
		return O{"category": "stdout", "output": strings.Repeat("0123456789abcde\n", 4096)}
	})},
	{name: "a flood on one line", at: "continue", act: flood(testkit.Rounds(30, 100)<<20, "output", func(int) any {
		return O{"category": "stderr", "output": strings.Repeat("x", 1<<16)}
	})},
	{name: "a flood of warnings", at: "continue", act: flood(testkit.Rounds(6, 20)<<20, "output", func(i int) any {
		return O{"category": "important", "output": fmt.Sprint(i, strings.Repeat("w", 1<<10))}
	})},
	{name: "a flood of stops", at: "continue", act: flood(testkit.Rounds(6, 20)<<20, "stopped", func(i int) any {
		return O{"reason": "pause", "threadId": i, "text": strings.Repeat("t", 1<<10)}
	})},
	{name: "a flood of breakpoints", at: "continue", act: flood(testkit.Rounds(6, 20)<<20, "breakpoint", func(i int) any {
		return O{"reason": "new", "breakpoint": O{"id": i, "verified": true, "message": strings.Repeat("m", 1<<10)}}
	})},
	{name: "a million frames", at: "stackTrace", act: func(a *adapter, r *request) {
		frames := make(L, 200_000)
		for i := range frames {
			frames[i] = O{"id": i + 1, "name": "f", "line": 2, "source": O{"path": a.source}}
		}
		a.reply(r, O{"totalFrames": 1_000_000, "stackFrames": frames})
	}},
	{name: "a body of 60 MB", at: "variables", act: func(a *adapter, r *request) {
		a.reply(r, O{"variables": L{O{"name": "x", "value": strings.Repeat("v", 60<<20)}}})
	}},
	{name: "a gigabyte", at: "variables", act: func(a *adapter, _ *request) {
		a.write([]byte("Content-Length: 1073741824\r\n\r\n"))
		block := bytes.Repeat([]byte("z"), 1<<20)
		for range 1024 {
			a.write(block)
		}
	}},
	{name: "a thousand children", at: "configurationDone", act: func(a *adapter, r *request) {
		for range 1000 {
			a.send(asks("startDebugging", O{"request": "launch", "configuration": O{}}))
		}
		a.honest(r)
	}},
	{name: "a thousand terminals", at: "configurationDone", act: func(a *adapter, r *request) {
		for range 1000 {
			a.send(asks("runInTerminal", O{"args": L{"sleep", "1000"}}))
		}
		a.send(asks("runInTerminal", O{"args": L{"/nowhere/toy", "a\x00b"}, "cwd": "/nowhere"}))
		a.honest(r)
	}},
	{name: "deaf", at: "stackTrace", act: deaf},
	{name: "deaf from the start", at: "initialize", act: deaf},
	{name: "deaf at the end", at: "disconnect", act: deaf},
	{name: "dead with last words", at: "evaluate", act: func(*adapter, *request) {
		fmt.Fprintln(os.Stderr, escapes+strings.Repeat("last words ", 100_000))
		os.Exit(3)
	}},
	{name: "good", at: "nothing"},
}

// truths are what some answer must say of a misdeed.
var truths = map[string][]string{
	"a flood of output":    {"hello", "0123456789abcde"},
	"a million frames":     {"stopped_at_breakpoint"},
	"a gigabyte":           {"AIDB_ADAPTER_CRASHED", "1073741824 bytes are announced"},
	"a thousand children":  {"stopped_at_breakpoint"},
	"a thousand terminals": {"stopped_at_breakpoint"},
	"deaf":                 {"AIDB_ADAPTER_TIMEOUT", `did not answer \"stackTrace\" within 4s`},
	"deaf from the start":  {"AIDB_ADAPTER_TIMEOUT", `did not finish \"initialize\" within 15s`},
	"dead with last words": {"AIDB_ADAPTER_CRASHED", "last words last words", "AIDB_SESSION_TERMINATED", "ended unexpectedly"},
	"good":                 {"stopped_at_breakpoint", "x = 42", `"tree"`, "still running", "terminated"},
}

// flood sends an event until so many bytes have gone, and then stops as it should.
func flood(size int, event string, body func(i int) any) func(*adapter, *request) {
	return func(a *adapter, r *request) {
		a.reply(r, r.body)
		for i := 0; a.sent < size; i++ {
			a.event(event, body(i))
		}
		a.send(stopped("breakpoint", nil))
	}
}

// grave is the misdeed that a program is about.
func grave(file string) misdeed {
	text, _ := os.ReadFile(file)
	for _, m := range graves {
		if strings.Contains(string(text), "# "+m.name+"\n") {
			return m
		}
	}
	return misdeed{}
}

// mostMemory is what the server may take while all sessions misbehave, in MB:
// a message of 60 MB is read whole.
const mostMemory = 900

// One server, with a session for each misdeed at once: every call ends in time,
// memory is bounded, another session works, and nothing stays behind.
func TestTheServerOutlivesItsAdapters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, m := range graves {
		text := fmt.Sprintf("def add\n  x = 1\nadd\n# %s\n", m.name)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.toy", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := testkit.Start(t, testkit.Options{
		Dir: dir, Env: []string{settings(t)},
		Args: []string{"--adapter-start-timeout", "15s", "--request-timeout", "4s"},
	})
	said := make([][]answered, len(graves))
	var all sync.WaitGroup
	for i := range graves {
		all.Go(func() { said[i] = misbehave(s, fmt.Sprintf("p%d.toy", i), fmt.Sprintf("s%d", i)) })
	}
	all.Wait()
	for i, m := range graves {
		t.Run(m.name, func(t *testing.T) {
			for _, a := range said[i] {
				check(t, a.call, a.answer, 40*time.Second)
			}
			for _, words := range truths[m.name] {
				if !slices.ContainsFunc(said[i], func(a answered) bool { return strings.Contains(a.text, words) }) {
					t.Errorf("no answer says %q: %v", words, said[i])
				}
			}
		})
	}
	good := fmt.Sprintf("p%d.toy", len(graves)-1)
	s.OK("session_start", testkit.A{"target": good, "breakpoints": L{O{"file": good, "line": 2}}}).Has("stopped_at_breakpoint")
	s.OK("session", testkit.A{"action": "stop"})
	peak := peakMemory(t, s.PID())
	t.Logf("the server has taken %d MB", peak)
	most := mostMemory
	if testkit.Raced() { // what looks for races keeps a record of each word of memory
		most *= 2
	}
	if peak > most {
		t.Error("that is too much")
	}
	s.NothingLeft(10 * time.Second)
}

// answered is a call with its answer.
type answered struct {
	call
	answer
}

// misbehave makes a short tour with one adapter.
func misbehave(s *testkit.Server, target, id string) (said []answered) {
	for _, c := range []call{
		{tool: "session_start", args: O{"target": target, "timeout_ms": 20_000, "breakpoints": L{O{"file": target, "line": 2}}}},
		{tool: "inspect", args: O{"depth": 3}},
		{tool: "inspect", args: O{"expression": "x"}},
		{tool: "execute", args: O{"action": "continue", "timeout_ms": 5000}},
		{tool: "inspect", args: O{"target": "stack"}},
		{tool: "session", args: O{"action": "output"}},
		{tool: "session", args: O{"action": "stop"}},
	} {
		c.args["session_id"] = id
		begun := time.Now()
		r := s.Call(c.tool, c.args)
		said = append(said, answered{c, answer{r.JSON, r.Text, r.IsError, time.Since(begun)}})
		if r.IsError && c.tool == "session_start" {
			break
		}
	}
	return said
}

// settings is a settings file with the hostile adapter.
func settings(t *testing.T) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Tables(t, O{"toy": O{
		"command": L{self, "${program}"}, "env": O{asAdapter: "1"}, "extensions": L{".toy"}, "launch": O{"program": "${program}"},
	}})
}

// peakMemory is the most that a process has taken so far, in MB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}

//go:build linux

package languages

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// process is the tour running by itself; its lines come as it prints them.
type process struct {
	outside
	lines chan string
}

// outside starts a part of the tour that no debugger has started.
func (s *subject) outside(part string) *process {
	s.t.Helper()
	p := &process{outside: s.Outside(s.t, s.Program, part), lines: make(chan string, 10_000)}
	out, err := p.Command.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.Command.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.lines <- lines.Text()
		}
		_ = p.Command.Wait()
	}()
	s.t.Cleanup(func() {
		_ = p.Command.Process.Kill()
		select {
		case <-done:
		case <-time.After(5 * time.Second): // a failed test may leave it to a debugger, that ends later
		}
	})
	if p.Port != "" {
		testkit.Eventually(s.t, testkit.CallLimit, "a debugger at port "+p.Port, func() bool { return isListenedAt(p.Port) })
	}
	return p
}

// isListenedAt says that somebody listens at a port of this machine's. It is not tried: a
// debugger would take that for its client.
func isListenedAt(port string) bool {
	number, err := strconv.Atoi(port)
	table, _ := os.ReadFile("/proc/net/tcp")
	return err == nil && strings.Contains(string(table), fmt.Sprintf(":%04X 00000000:0000 0A ", number))
}

// attach are the arguments of session_start for the process.
func (p *process) attach(more A) A {
	all := A{"timeout_ms": startLimit}
	maps.Copy(all, more)
	maps.Copy(all, p.Attach(p.Command.Process.Pid))
	return all
}

// next waits for the next line.
func (p *process) next(s *subject) {
	s.t.Helper()
	select {
	case <-p.lines:
	case <-time.After(testkit.CallLimit):
		s.t.Fatal("the program that runs by itself prints nothing")
	}
}

// drain forgets the lines that have come.
func (p *process) drain() {
	for {
		select {
		case <-p.lines:
		default:
			return
		}
	}
}

// run runs a command that must succeed.
func run(t testing.TB, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

//go:build unix

package weave

import (
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

const killedProgram = `package main

import (
	"os"
	"syscall"
)

func add(n int) int   { return n + 1 }
func left(n int) int  { return add(n) }
func right(n int) int { return add(n) }

func main() {
	n := 0
	for i := 0; i < 150_000; i++ {
		if i%2 == 0 {
			n = left(n)
		} else {
			n = right(n)
		}
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
`

// Of a run that notes more than its files hold, the last events are there, however it ended, each with
// who has called, and how many there were in all is known.
func TestLastEventsOfAKilledRun(t *testing.T) {
	log, _ := run(t, "main.go", killedProgram, recording.Spec{Text: 100, Calls: &recording.Calls{Names: []string{"*"}}})
	const all = 1 + 4*150_000 // main begins
	if log.Total != all || log.Dropped == 0 || log.Dropped != all-int64(len(log.Events)) {
		t.Fatalf("%d events, %d dropped, of %d", len(log.Events), log.Dropped, log.Total)
	}
	for i, e := range log.Events[len(log.Events)-60_000:] {
		if want := all - 60_000 + 1 + int64(i); e.Seq != want {
			t.Fatalf("event %d stands where %d was to be", e.Seq, want)
		}
		if e.Kind != recording.Enter || e.Function != "main.add" {
			continue
		}
		n, _ := strconv.Atoi(e.Values[0].Text)
		if by := []string{"main.left ", "main.right "}[n%2]; len(e.Stack) == 0 || !strings.HasPrefix(e.Stack[0], by) {
			t.Fatalf("add(%d) was called by %q, not by %s", n, e.Stack, by)
		}
	}
}

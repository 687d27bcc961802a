//go:build linux && amd64

package observing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Who writes a variable of a program that runs on is told, also by a server that is killed
// then: the program lives, and its processor's places are free again.
func TestWrites(t *testing.T) {
	for p, c := range map[*program]struct{ written, line, function string }{
		&programs[0]: {"served", "orders.c:34", "serve"},
		&programs[1]: {"Served", "orders.go:45", "main.(*order).serve"},
	} {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			dir, process := p.start(t, 1000)
			for range 3 {
				s := testkit.Start(t, testkit.Options{Dir: dir})
				observe(t, s, process)
				if !mayObserve(t, s, *p) {
					return
				}
				var id string
				for range 4 {
					armed := s.OK("trace", A{"action": "arm", "what": "writes", "expression": c.written})
					armed.Contains([]string{"data", "how"}, "the processor watches the 8 bytes", "a write costs the program")
					id = armed.At("data", "id")
				}
				s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "writes", "expression": c.written}).Has("four words of a thread at once", "disarm")
				rows, last := await(t, s, id, 20)
				last.Contains([]string{"summary"}, "writes to "+c.written)
				for i, row := range rows {
					if row[0] != c.line || row[3] != c.function {
						t.Fatalf("a row is %q", row)
					}
					if _, err := strconv.Atoi(row[4]); err != nil || i > 0 && row[4] != rows[i-1][5] {
						t.Fatalf("%q comes after %q", row, rows[max(i-1, 0)])
					}
				}
				s.Kill()
				goesOn(t, process)
			}
			s := testkit.Start(t, testkit.Options{Dir: dir})
			observe(t, s, process)
			id := s.OK("trace", A{"action": "arm", "what": "writes", "expression": c.written}).At("data", "id")
			await(t, s, id, 5)
			s.OK("trace", A{"action": "disarm", "id": id}).Contains([]string{"summary"}, "disarmed "+id, "writes to "+c.written)
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			goesOn(t, process)
			isWhole(t, process)
		})
	}
}

const ticking = `package main

import "time"

var Ticks int

func main() {
	for {
		Ticks++
		time.Sleep(time.Millisecond)
	}
}
`

// An instruction on which a probe lies is run elsewhere by the kernel: that is said of its write in place
// of the name of that elsewhere. And who waits is not told in such a session, which names what is.
func TestWritesUnderAProbe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ticking.go"), []byte(ticking), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", "ticking", "ticking.go")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
	cmd := exec.Command(filepath.Join(dir, "ticking"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := testkit.Start(t, testkit.Options{Dir: dir})
	observe(t, s, cmd.Process)
	s.Fail("CAPABILITY_NOT_SUPPORTED", "inspect", A{"target": "waits"}).Has("only observes", "says where they stand").Lacks("execute(action: pause)")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "inspect", A{"target": "threads"}).Has("only observes")
	if r := s.Call("trace", A{"action": "arm", "what": "values", "location": "ticking.go:9", "expressions": []string{"Ticks"}}); r.At("success") != "true" {
		r.Want("AIDB_CAPABILITY_NOT_SUPPORTED", "error", "code")
		return
	}
	id := s.OK("trace", A{"action": "arm", "what": "writes", "expression": "main.Ticks"}).At("data", "id")
	rows, last := await(t, s, id, 3)
	last.Has("a probe of a trace lies").Lacks("[uprobes]")
	for i, row := range rows[1:] {
		if before, _ := strconv.Atoi(rows[i][5]); row[5] != strconv.Itoa(before+1) {
			t.Fatalf("%q comes after %q", row, rows[i])
		}
	}
	s.OK("trace", A{"action": "disarm", "id": "trace-1"})
	testkit.Eventually(t, patience, "the place to be told again", func() bool {
		_, last := await(t, s, id, 1)
		return strings.Contains(last.Text, "ticking.go:9")
	})
}

package debugpy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/testkit"
)

// forking calls what is recorded, and forks a process that ends as programs do.
const forking = `
import os, sys
def hit(n):
    return n
eval(sys.stdin.readline())
sys.stdin.readline()
for n in range(200):
    hit(n)
child = os.fork()
if child == 0:
    hit(-1)
    sys.exit(0)
os.waitpid(child, 0)
hit(1000)
`

// What a process that was forked does and tells at its end is none of the program's.
func TestRecorderInAForkedProcess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "forking.py")
	if err := os.WriteFile(file, []byte(forking), 0o600); err != nil {
		t.Fatal(err)
	}
	program := exec.Command("python3", file)
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := inside.Arm(t.Context(), t.TempDir(), live.Spec{Functions: []string{"hit"}}, func(_ context.Context, o inside.Order) error {
		text, err := entering(o)
		if err == nil {
			err = program.Start()
		}
		if err == nil {
			_, err = in.Write([]byte(text + "\n"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close()
	if _, err := in.Write([]byte("go on\n")); err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Fatal(err)
	}
	link.Close()
	rows, _ := link.Read(1000)
	seen, last := map[int64]bool{}, ""
	for _, r := range rows {
		if seen[r.N] {
			t.Errorf("row %d was told twice", r.N)
		}
		seen[r.N] = true
		for _, v := range r.Values {
			last = v.Text
		}
	}
	if len(seen) != 402 || last != "1000" {
		t.Errorf("%d rows of 402, the last of %s", len(seen), last)
	}
}

// finding finds what serves its traces, of which the last one then ends, and has another begin
// and serve before it has it serve one.
const finding = `
import json, sys, threading, time
def hit(n):
    return n
eval(sys.stdin.readline())
sys.stdin.readline()
name = next(n for n in vars(sys) if n.startswith("_aidb_live"))
hub = vars(sys)[name]
print("found", flush=True)
while hasattr(sys, name):
    time.sleep(0.001)
print("gone", flush=True)
eval(sys.stdin.readline())
threading.Thread(target=hub.serve, args=(json.loads(sys.stdin.readline()),)).start()
sys.stdin.readline()
for n in range(5):
    hit(n)
sys.stdin.readline()
while hasattr(sys, name):
    time.sleep(0.001)
print("whole", hit.__code__.co_consts, flush=True)
`

// Who finds what serves traces at the moment at which that goes with the last of them is served
// by what has come after it: two of them would undo what the other does.
func TestRecorderFoundAsItGoes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "finding.py")
	if err := os.WriteFile(file, []byte(finding), 0o600); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), "python3", file)
	program.Stderr = os.Stderr
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	arm := func(text func(inside.Order) (string, error)) *inside.Link {
		link, _, err := inside.Arm(t.Context(), t.TempDir(), live.Spec{Functions: []string{"hit"}}, func(_ context.Context, o inside.Order) error {
			line, err := text(o)
			if err == nil {
				_, err = fmt.Fprintln(in, line)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return link
	}
	goOn := func(until string) {
		if _, err := fmt.Fprintln(in); err != nil {
			t.Fatal(err)
		}
		if until != "" && (!said.Scan() || said.Text() != until) {
			t.Fatalf("it says %q, want %q", said.Text(), until)
		}
	}
	first := arm(entering)
	goOn("found")
	first.Close()
	if !said.Scan() || said.Text() != "gone" {
		t.Fatalf("it says %q", said.Text())
	}
	links := []*inside.Link{arm(entering), arm(func(o inside.Order) (string, error) {
		whole, err := enteredAs(o)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(whole)
		return string(text), err
	})}
	goOn("")
	for i, link := range links {
		var rows []live.Row
		testkit.Eventually(t, time.Minute, "the rows", func() bool {
			more, _ := link.Read(100)
			rows = append(rows, more...)
			return len(rows) >= 10
		})
		if len(rows) != 10 {
			t.Errorf("trace %d has %d rows, want those of 5 calls", i, len(rows))
		}
		link.Close()
	}
	goOn("whole (None,)")
	if err := program.Wait(); err != nil {
		t.Error(err)
	}
}

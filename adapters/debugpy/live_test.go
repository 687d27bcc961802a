package debugpy

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/recording/live"
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

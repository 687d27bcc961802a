//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"testing"
)

const failingOnce = `
import os
import signal
import sys


def price(n):
    return 2 * n


def settle(n):
    if os.path.exists("ran"):
        return n
    open("ran", "w").close()
    whole = price(n)
    if sys.argv[1:]:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole // (n - n)


price(3)
settle(7)
`

// A failure that comes once has its own calls, for it is the failing run that notes them;
// and so has a program that is killed.
func TestPythonRunIsItsOwnWitness(t *testing.T) {
	t.Parallel()
	eachPython(t, func(t *testing.T, s *shop) {
		s.Write("once.py", failingOnce)
		ask := A{"target": "once.py", "timeout_ms": startLimit}
		if s.python != "" {
			ask["start"] = A{"runtime_path": s.python}
		}
		r := s.OK("diagnose", ask).Want("exception", "data", "verdict").Contains([]string{"data", "calls"}, "price(n=3)", "price(n=7)", `"14"`)
		if warned := r.At("data", "warnings"); warned != "" {
			t.Errorf("warned of %s", warned)
		}
		if err := os.Remove(filepath.Join(s.Program.Dir, "ran")); err != nil {
			t.Fatal(err)
		}
		ask["args"] = []string{"killed"}
		s.OK("diagnose", ask).Want("signal", "data", "verdict").Contains([]string{"data", "calls"}, "settle(n=7)", "(not returned)", "price(n=7)")
	})
}

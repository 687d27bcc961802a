//go:build linux

package attached

import (
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A limit of the system that keeps a debugger from a program is told, with what to do,
// in every language whose debugger traces: here root has lost the right to trace
// others, as in a container. Nothing happens to the program.
func TestALimitOfTheSystemIsTold(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if os.Geteuid() != 0 || err != nil {
		t.Skip("needs root and setpriv")
	}
	testkit.Adapters(t)
	s := testkit.Start(t, testkit.Options{Env: environment(), Through: []string{setpriv, "--bounding-set", "-sys_ptrace", "--inh-caps", "-sys_ptrace"}})
	for _, l := range []*language{golang, c, cppGDB, python} {
		t.Run(l.name, func(t *testing.T) {
			l.program(t)
			p := begin(t, l)
			args := A{"mode": "attach", "pid": p.pid()}
			maps.Copy(args, l.attach)
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", args).Want("pid", "error", "field").
				Has("cannot be attached to: it has rights that we lack (capabilities)", "--cap-add=SYS_PTRACE")
			if death := p.death(); death != "" || strings.Contains(held(p.pid()), "stands") {
				t.Errorf("%s, %s", death, held(p.pid()))
			}
		})
	}
}

//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// outsiders is a java that lets another user's program connect to the debugger
// before ours: $1 is the option with the debugger's port.
const outsiders = `#!/bin/sh
case "$1" in
-agentlib:jdwp*)
	cd /
	setpriv --reuid=65534 --regid=65534 --clear-groups '%JAVA%' "$1" Outsider >/dev/null 2>&1 &
	sleep 3
	cd "$OLDPWD"
	;;
esac
exec '%JAVA%' "$@"
`

// While a program starts, the debugger listens for it. Another user who connects
// first is not taken for it.
func TestJavaOutsiderAtTheStart(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	if os.Getuid() != 0 {
		t.Fatal("only root can be another user: run the tests as root, as CI does")
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatal(err)
	}
	s, p := pointsServer(t)
	fake := filepath.Join(t.TempDir(), "java")
	write(t, fake, strings.ReplaceAll(outsiders, "%JAVA%", java), 0o755)
	s.OK("session_start", A{"target": "Points.java", "runtime_path": fake, "timeout_ms": startLimit, "breakpoints": []A{
		{"file": "Points.java", "line": p.Line("twice")},
	}}).Stopped("stopped_at_breakpoint", p.At("Points.java", "twice"))
	s.OK("execute", nil)
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code").Has("sum 10")
}

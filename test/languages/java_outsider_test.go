//go:build linux

package languages

import (
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

// passers is a java that lets another user connect to the debugger and go before
// ours: one who says nothing, and one who says that he is a program.
const passers = `#!/bin/bash
case "$1" in
-agentlib:jdwp*)
	port=${1##*:}
	cd /
	for words in "" "JDWP-Handshake"; do
		setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "printf '$words' >/dev/tcp/127.0.0.1/$port" || exit 9
	done
	cd "$OLDPWD"
	;;
esac
exec '%JAVA%' "$@"
`

// silent is a java that lets somebody connect to the debugger many times before
// ours, and say nothing, or that he is a program and nothing more; %WHO% starts him
// as the user that he is.
const silent = `#!/bin/bash
case "$1" in
-agentlib:jdwp*)
	export port=${1##*:}
	cd /
	read < <(%WHO% bash -c '
		for n in {1..20}; do
			exec {line}<>/dev/tcp/127.0.0.1/$port || exit 9
			((n % 2)) && printf JDWP-Handshake >&$line
		done
		echo connected
		exec sleep 1000 >/dev/null') || exit 9
	cd "$OLDPWD"
	;;
esac
exec '%JAVA%' "$@"
`

const (
	another = "setpriv --reuid=65534 --regid=65534 --clear-groups"
	ours    = "exec"
)

// While a program starts, the debugger listens for it. Another user who connects
// first is not taken for it, whether he stays or goes, and who says nothing holds
// nobody up, not even when he is our own.
func TestJavaOutsiderAtTheStart(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	needsRoot(t)
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"stays":              outsiders,
		"goes":               passers,
		"is silent":          strings.ReplaceAll(silent, "%WHO%", another),
		"is ours and silent": strings.ReplaceAll(silent, "%WHO%", ours),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p := pointsServer(t)
			fake := filepath.Join(t.TempDir(), "java")
			write(t, fake, strings.ReplaceAll(script, "%JAVA%", java), 0o755)
			s.OK("session_start", A{"target": "Points.java", "runtime_path": fake, "timeout_ms": startLimit, "breakpoints": []A{
				{"file": "Points.java", "line": p.Line("twice")},
			}}).Stopped("stopped_at_breakpoint", p.At("Points.java", "twice"))
			s.OK("execute", nil)
			s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code").Has("sum 10")
		})
	}
}

package native

import (
	"os"
	"strings"
)

const ptraceScope = "/proc/sys/kernel/yama/ptrace_scope"

// tracingRestriction says whether the system restricts attaching to running programs.
// Starting a program under the debugger is always allowed, but for scope 3.
func tracingRestriction() (problem, remedy string) {
	scope, err := os.ReadFile(ptraceScope)
	if err != nil {
		return "", "" // no such restriction
	}
	switch restricts := strings.TrimSpace(string(scope)); {
	case restricts == "3":
		return "ptrace is switched off until the next boot (kernel.yama.ptrace_scope is 3): nothing can be debugged",
			"set kernel.yama.ptrace_scope to 0 in /etc/sysctl.d and reboot"
	case restricts == "0" || os.Geteuid() == 0:
		return "", ""
	}
	return "programs that run already cannot be attached to (kernel.yama.ptrace_scope); starting them works", attachRemedy
}

const attachRemedy = "allow it with `sudo sysctl kernel.yama.ptrace_scope=0`, run as the program's owner, or start the program under the debugger"

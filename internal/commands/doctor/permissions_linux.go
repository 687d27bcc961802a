package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// yama says who may trace whom, where the kernel has that module
// (https://docs.kernel.org/admin-guide/LSM/Yama.html).
const yama = "/proc/sys/kernel/yama/ptrace_scope"

func permissions(context.Context) []Check {
	scope, err := os.ReadFile(yama)
	if errors.Is(err, fs.ErrNotExist) {
		scope, err = []byte("0"), nil
	}
	if err != nil {
		return []Check{{Name: "ptrace", State: Warning, Detail: err.Error(), Remedy: "the trial below tells whether debugging works"}}
	}
	return []Check{ptrace(strings.TrimSpace(string(scope)), os.Geteuid() == 0)}
}

// ptrace judges a value of ptrace_scope.
func ptrace(scope string, root bool) Check {
	c := Check{Name: "ptrace", State: OK, Detail: "programs can be started and attached to"}
	switch {
	case scope == "0" || scope == "1" && root || scope == "2" && root:
	case scope == "1":
		c.State = Warning
		c.Detail = "programs can be started, but not attached to by pid (ptrace_scope is 1)"
		c.Remedy = "to attach: sudo sysctl kernel.yama.ptrace_scope=0"
	case scope == "2":
		c.State = Problem
		c.Detail = "only root may debug (ptrace_scope is 2)"
		c.Remedy = "sudo sysctl kernel.yama.ptrace_scope=1"
	default:
		c.State = Problem
		c.Detail = "nobody may debug (ptrace_scope is " + scope + ")"
		c.Remedy = "set kernel.yama.ptrace_scope=1 in /etc/sysctl.d and restart the machine"
	}
	return c
}

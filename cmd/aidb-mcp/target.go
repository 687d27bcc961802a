package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/system/process"
)

func (a *app) bindTarget(f *pflag.FlagSet) {
	f.Var(number{&a.target, 1, 1 << 30}, "target-pid", "the process for which this server is there, such as 1 in a container beside it: clients are told to attach to it, and without --workspace work in its directory")
}

// targetWorkspace is the directory in which the target works, as it is seen from here: in
// another container below the target's root.
func (a *app) targetWorkspace() (machine.Workspace, error) {
	if a.target == os.Getpid() {
		return machine.Workspace{}, fmt.Errorf("--target-pid %d is this server itself: the container does not share the processes of its target", a.target)
	}
	dir, args := process.WorkOf(a.target)
	if dir == "" {
		return machine.Workspace{}, fmt.Errorf("--target-pid %d: there is no such process, or it may not be looked at; a container beside it needs its processes (kubectl debug --target, pid: in compose) and its user, or CAP_SYS_PTRACE", a.target)
	}
	name := plainName(filepath.Base(process.ProgramOf(a.target)))
	for _, arg := range args { // of an interpreter, what it runs
		if !strings.HasPrefix(arg, "-") {
			name = plainName(strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg)))
			break
		}
	}
	if span.CheckName(name) != nil {
		name = "target"
	}
	seen := filepath.Join(process.OtherRoot(a.target), dir)
	if info, err := os.Stat(seen); err != nil || !info.IsDir() {
		return machine.Workspace{}, fmt.Errorf("--target-pid %d: its directory %s cannot be seen at %s: give --workspace NAME=DIR", a.target, dir, seen)
	}
	return machine.Workspace{Name: name, Dir: seen}, nil
}

// targetNotice tells clients what the server is there for.
func (a *app) targetNotice() (string, error) {
	if a.target == 0 {
		return "", nil
	}
	if a.policy.NoAttach {
		return "", errors.New("--target-pid and --no-attach do not go together")
	}
	_, args := process.WorkOf(a.target)
	command := strings.Join(append([]string{filepath.Base(process.ProgramOf(a.target))}, args...), " ")
	const longest = 200
	if command = a.mask.Command(command); len(command) > longest {
		command = strings.ToValidUTF8(command[:longest], "") + "…"
	}
	return fmt.Sprintf("This server is there for process %d (%s): attach to it with session_start {\"pid\": %d}.", a.target, command, a.target), nil
}

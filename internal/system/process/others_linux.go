package process

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keptCommand bounds what is kept of a command line, in bytes.
const keptCommand = 1000

// orphanGrace is for processes that end by themselves when their parent has.
const orphanGrace = 50 * time.Millisecond

// Children are the processes that one has started and that run.
func Children(pid int) []Other { return Running(ChildrenOf(pid)) }

// Running are those of some processes that have not ended, with their commands.
func Running(pids []int) (list []Other) {
	for _, child := range pids {
		if command := commandOf(child); command != "" {
			list = append(list, Other{child, command})
		}
	}
	return list
}

// settledChildren are the children of a supervisor beside its own, once those are gone
// that end with their parent.
func settledChildren(supervisor, own int) []Other {
	orphans := func() []Other {
		children, _ := supervisedBy(supervisor)
		return Running(slices.DeleteFunc(children, func(pid int) bool { return pid == own }))
	}
	if len(orphans()) == 0 {
		return nil
	}
	<-time.After(orphanGrace)
	return orphans()
}

// commandOf is a process's command line, empty for one that has ended. While it is
// just being executed it has none: then its name stands for it.
func commandOf(pid int) string {
	dir := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(dir + "/cmdline")
	if err != nil {
		return ""
	}
	if len(text) == 0 && !Gone(pid) {
		text, _ = os.ReadFile(dir + "/comm")
	}
	command := strings.TrimSpace(string(bytes.ReplaceAll(text, []byte{0}, []byte(" "))))
	return command[:min(len(command), keptCommand)]
}

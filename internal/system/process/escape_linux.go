package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"aidb-mcp/internal/system/mend"
)

// markName is the variable by which everything below a supervisor is known, for
// as long as nobody takes it away, should the supervisor be killed.
const markName = "AIDB_SUPERVISOR"

// markOf names a process for all time: the space of process ids, the id, and
// the moment of its start in ticks. Empty when it has ended, reaped or not.
func markOf(pid int) string {
	fields := statFields(pid)
	if len(fields) <= startTime || bytes.ContainsAny(fields[0], "ZX") {
		return ""
	}
	return fmt.Sprintf("%s.%d.%s", pidSpace(), pid, fields[startTime])
}

// pidSpace tells the containers of a machine apart: an id means something else
// in each.
func pidSpace() string {
	name, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "?"
	}
	return strings.Trim(strings.TrimPrefix(name, "pid:"), "[]")
}

// withMark is the environment of a supervisor's child.
func withMark(env []string) []string {
	return append(withoutVariables(env, markName), markName+"="+markOf(os.Getpid()))
}

// withoutMark is the environment of a supervisor or a keeper, which outlives us and
// ends by itself: nobody may take it for what has escaped, or for what another holds.
func withoutMark(env []string) []string {
	return withoutVariables(env, markName, releaseName, tracesName)
}

func withoutVariables(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(names, name)
	})
}

// MarkOwn has everything that this process starts from now on bear its mark, where
// it does not bear that of a supervisor: some debuggers give a program an
// environment that they do not take from their own.
func MarkOwn() { _ = os.Setenv(markName, markOf(os.Getpid())) } // cannot fail

// slayEscaped kills the processes of this user that bear the mark of a
// supervisor that is gone. It ends when a look finds none, after a hundred looks
// at the latest: what forks faster than that nobody catches.
func slayEscaped() {
	for range 100 {
		pids := listEscaped()
		if len(pids) == 0 {
			return
		}
		duties := dutiesOf(pids)
		slay(pids)
		for _, pid := range pids {
			_, _ = syscall.Wait4(pid, nil, 0, nil) // those that have become ours
		}
		for _, d := range duties {
			d.mend(mend.Sight{}, false)
		}
	}
}

// listEscaped lists the processes that bear such a mark. The environment of another user's process
// cannot be read, so that none of them is among these.
func listEscaped() []int {
	var escaped []int
	here := pidSpace()
	for _, pid := range All() {
		mark := readMark(pid)
		space, rest, _ := strings.Cut(mark, ".")
		id, _, _ := strings.Cut(rest, ".")
		supervisor, err := strconv.Atoi(id)
		if err == nil && space == here && markOf(supervisor) != mark && !Gone(pid) {
			escaped = append(escaped, pid)
		}
	}
	return escaped
}

// readMark is a process's mark, empty if it has none that we may read.
func readMark(pid int) string { return Variable(pid, markName) }

// buryAdopted ends what has come to us because its supervisor was killed: on
// Linux we are the next parent of orphans below us. They are known by being our
// children in a session that is not ours, and no supervisors or keepers: those are
// waited for elsewhere, and must not be taken from there when they have ended.
func buryAdopted() {
	for range 100 {
		pids := listAdopted()
		if len(pids) == 0 {
			return
		}
		slay(pids)
		for _, pid := range pids {
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}
	}
}

func listAdopted() []int {
	table := processes()
	self := process{pid: os.Getpid()}
	for _, p := range table {
		if p.pid == self.pid {
			self = p
		}
	}
	var pids []int
	for _, p := range table {
		if p.parent == self.pid && p.session != self.session && !begun.has(p.pid) {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// isKeeper says that a process is this same binary as a keeper.
func isKeeper(pid int) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || !bytes.HasSuffix(command, []byte("\x00"+keepCommand+"\x00")) || bytes.Count(command, []byte{0}) != 2 {
		return false
	}
	theirs, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return false
	}
	ours, err := os.Stat("/proc/self/exe")
	return err == nil && os.SameFile(ours, theirs)
}

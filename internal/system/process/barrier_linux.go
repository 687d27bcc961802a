package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Barrier is a limit of the system that keeps a debugger from attaching to a process.
type Barrier struct {
	Why    string // a clause that follows "process N cannot be attached to: "
	Remedy string
}

// BarrierTo is what keeps us, and the debuggers that we start, from tracing a process;
// nil where nothing does. The system is asked without touching the process: who may open
// its memory may trace it, but for a filter on the system call itself.
func BarrierTo(pid int) *Barrier {
	if isTraceFiltered() {
		return &Barrier{"this process may not call ptrace (seccomp), as in a container with strict rules",
			"start the container with --cap-add=SYS_PTRACE or --security-opt seccomp=unconfined, or run aidb-mcp outside of it"}
	}
	memory, err := os.Open(memoryOf(pid))
	if err == nil {
		_ = memory.Close()
		return nil
	}
	if !errors.Is(err, os.ErrPermission) {
		return nil // it has gone, or this is no limit that we know
	}
	return barrier(lookAt(pid))
}

// SignalBarrier is what keeps us from sending signals to a process that we may trace, such as
// root without CAP_KILL; nil where nothing does. A debugger stops threads by signals: one that
// cannot leaves traps behind that kill the process.
func SignalBarrier(pid int) *Barrier {
	if !errors.Is(syscall.Kill(pid, 0), syscall.EPERM) {
		return nil
	}
	return &Barrier{fmt.Sprintf("it is user %d's, and we may not send it the signals by which a debugger stops its threads (CAP_KILL): what that left behind would kill it", firstNumber(statusOf(pid)["Uid"])),
		"run aidb-mcp as the program's own user, or give it the right: in a container --cap-add=KILL"}
}

// InjectionBarrier is what keeps us from having a debugger put code into a process that we may
// trace: it sends signals to it, and writes its memory. One that can do only half of that would
// leave the process half changed.
func InjectionBarrier(pid int) *Barrier {
	if b := SignalBarrier(pid); b != nil {
		return b
	}
	memory, err := os.OpenFile(memoryOf(pid), os.O_WRONLY, 0)
	if err == nil {
		_ = memory.Close()
	}
	if !errors.Is(err, os.ErrPermission) {
		return nil
	}
	return memoryBarrier(firstNumber(statusOf(pid)["Uid"]), "write")
}

// memoryBarrier is told where the files of other users may not be opened so.
func memoryBarrier(user int, access string) *Barrier {
	return &Barrier{fmt.Sprintf("it is user %d's, and although we may trace it we may not %s its memory (CAP_DAC_OVERRIDE)", user, access),
		"run aidb-mcp as the program's own user, or give it the right: in a container --cap-add=DAC_OVERRIDE"}
}

func memoryOf(pid int) string { return fmt.Sprintf("/proc/%d/mem", pid) }

// isTraceFiltered says that the call itself is refused: else it does not know the process.
func isTraceFiltered() bool {
	_, _, err := syscall.RawSyscall6(syscall.SYS_PTRACE, unix.PTRACE_PEEKDATA, uintptr(os.Getpid()), 0, 0, 0, 0)
	return err == syscall.EPERM || err == syscall.ENOSYS || err == syscall.EACCES
}

// tracingFacts is what the rules of tracing are about.
type tracingFacts struct {
	scope            string // of Yama; empty without it
	canTrace         bool   // we have CAP_SYS_PTRACE
	canOpen          bool   // we may read the files of others
	ours, its        int    // users
	isSameNamespace  bool   // of users
	isSameContainer  bool   // of processes
	isUndumpable     bool
	hasMorePrivilege bool
}

func lookAt(pid int) tracingFacts {
	const capDACOverride, capDACReadSearch, capSysPtrace = 1, 2, 19
	scope, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	own, other := statusOf(os.Getpid()), statusOf(pid)
	ours, its := capabilities(own["CapEff"]), capabilities(other["CapPrm"])
	s := tracingFacts{
		scope: strings.TrimSpace(string(scope)), canTrace: ours>>capSysPtrace&1 == 1, canOpen: ours&(1<<capDACOverride|1<<capDACReadSearch) != 0,
		ours: os.Geteuid(), its: firstNumber(other["Uid"]),
		isSameNamespace: hasSameText(pid, "uid_map"), isSameContainer: len(strings.Fields(own["NSpid"])) == len(strings.Fields(other["NSpid"])),
		hasMorePrivilege: its&^ours != 0,
	}
	// The files of one that may not be looked at are the superuser's.
	var info syscall.Stat_t
	s.isUndumpable = syscall.Stat(memoryOf(pid), &info) == nil && int(info.Uid) != s.its
	return s
}

// barrier judges in the order in which one would have to do something about it.
func barrier(s tracingFacts) *Barrier {
	switch {
	case s.scope == "3":
		return &Barrier{"the system lets nobody trace any process until the next boot (kernel.yama.ptrace_scope is 3)",
			"set kernel.yama.ptrace_scope to 0 in /etc/sysctl.d and reboot, or start the program with mode launch where its language can do without"}
	case !s.canTrace && !s.isSameContainer:
		return &Barrier{"it runs in another container (process namespace), and we have no right to trace there (CAP_SYS_PTRACE)",
			"run aidb-mcp as root of this machine, or inside of that container; or attach by a port at which the program listens for debuggers"}
	case !s.canTrace && !s.isSameNamespace:
		return &Barrier{"it runs in another user namespace, as in a container without root, and we have no right to trace there (CAP_SYS_PTRACE)",
			"run aidb-mcp inside of that container or as root of this machine; or attach by a port at which the program listens for debuggers"}
	case !s.canTrace && s.ours == 0 && s.its != 0:
		return &Barrier{fmt.Sprintf("it is user %d's, and although we are root we lack the right to trace others (CAP_SYS_PTRACE), as in a container by default", s.its),
			"start the container with --cap-add=SYS_PTRACE, or run aidb-mcp as the program's own user"}
	case !s.canTrace && s.ours != s.its:
		return &Barrier{fmt.Sprintf("it is user %d's, and we are user %d", s.its, s.ours),
			"run aidb-mcp as that user or as root; or attach by the port at which the program listens for debuggers, if it does"}
	case !s.canTrace && s.isUndumpable:
		return &Barrier{"it has forbidden to be traced, or was started with rights that its user lacks (it is not dumpable: prctl PR_SET_DUMPABLE, setuid or file capabilities)",
			"run aidb-mcp as root, or start the program without that"}
	case !s.canTrace && s.hasMorePrivilege:
		return &Barrier{"it has rights that we lack (capabilities)",
			"give aidb-mcp the same ones, or CAP_SYS_PTRACE: in a container --cap-add=SYS_PTRACE"}
	case !s.canTrace && s.scope == "1":
		return &Barrier{"only its ancestors may trace it (kernel.yama.ptrace_scope is 1)",
			"allow it with `sudo sysctl kernel.yama.ptrace_scope=0`, have the program call prctl(PR_SET_PTRACER), or start it with mode launch"}
	case !s.canTrace && s.scope == "2":
		return &Barrier{"only root may trace processes (kernel.yama.ptrace_scope is 2)",
			"run aidb-mcp as root, allow it with `sudo sysctl kernel.yama.ptrace_scope=0`, or start the program with mode launch"}
	case s.canTrace && !s.canOpen && s.ours != s.its:
		return memoryBarrier(s.its, "read")
	}
	return &Barrier{"a rule of the system forbids it, such as one of AppArmor or SELinux",
		"look for a refusal of ptrace in the system's log (dmesg, journalctl), and allow it there; or start the program with mode launch"}
}

// statusOf are the lines of /proc/PID/status by their names.
func statusOf(pid int) map[string]string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	fields := map[string]string{}
	for line := range bytes.Lines(text) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		fields[string(name)] = string(bytes.TrimSpace(value))
	}
	return fields
}

func capabilities(text string) uint64 {
	n, _ := strconv.ParseUint(text, 16, 64)
	return n
}

func firstNumber(text string) int {
	word, _, _ := strings.Cut(text, "\t")
	n, err := strconv.Atoi(word)
	if err != nil {
		return -1
	}
	return n
}

// hasSameText says that a file about a process says the same of us.
func hasSameText(pid int, name string) bool {
	its, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	ours, own := os.ReadFile("/proc/self/" + name)
	return err != nil || own != nil || bytes.Equal(its, ours)
}

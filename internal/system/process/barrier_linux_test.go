package process_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["become"] = become
}

const nobody = 65534

// become changes what this process is, as its arguments say, and then either says what
// keeps it from tracing a process, or stands to be traced.
func become(args []string) {
	for _, arg := range args {
		var err error
		switch arg {
		case "nobody":
			if err = syscall.Setresuid(nobody, nobody, nobody); err == nil {
				err = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) // which the change has taken away
			}
		case "undumpable":
			err = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
		case "filtered":
			err = filterPtrace()
		case "stand":
			fmt.Println("stands")
			_, _ = io.Copy(io.Discard, os.Stdin)
		default:
			pid, _ := strconv.Atoi(arg)
			fmt.Printf("%+v %+v\n", process.BarrierTo(pid), process.InjectionBarrier(pid))
		}
		if err != nil {
			fmt.Println(arg, err)
		}
	}
}

// filterPtrace has the system refuse the call, as containers with strict rules do.
func filterPtrace() error {
	const loadNumber, ifEqual, answer = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: loadNumber},
		{Code: ifEqual, K: uint32(syscall.SYS_PTRACE), Jf: 1},
		{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(syscall.EPERM)},
		{Code: answer, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, err := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if err != 0 {
		return err
	}
	return nil
}

// What keeps a debugger from a process is told, each by a real one.
func TestBarriers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to become somebody else")
	}
	for name, c := range map[string]struct {
		tracer, traced []string
		namespaces     uintptr // of what is traced
		want           []string
	}{
		"nothing":              {want: []string{"<nil> <nil>"}},
		"nothing, as nobody":   {tracer: []string{"nobody"}, traced: []string{"nobody"}, want: []string{"<nil> <nil>"}},
		"another user":         {tracer: []string{"nobody"}, want: []string{"it is user 0's, and we are user 65534", "run aidb-mcp as that user"}},
		"not dumpable":         {tracer: []string{"nobody"}, traced: []string{"nobody", "undumpable"}, want: []string{"not dumpable", "run aidb-mcp as root"}},
		"filtered":             {tracer: []string{"filtered"}, want: []string{"may not call ptrace (seccomp)", "--cap-add=SYS_PTRACE"}},
		"another container":    {tracer: []string{"nobody"}, namespaces: syscall.CLONE_NEWPID, want: []string{"another container", "inside of that container"}},
		"another users' space": {tracer: []string{"nobody"}, namespaces: syscall.CLONE_NEWUSER, want: []string{"another user namespace", "inside of that container"}},
	} {
		t.Run(name, func(t *testing.T) {
			traced := exec.Command(os.Args[0], append(append([]string{"helper", "become"}, c.traced...), "stand")...)
			traced.SysProcAttr = &syscall.SysProcAttr{Cloneflags: c.namespaces}
			in, _ := traced.StdinPipe()
			out, err := traced.StdoutPipe()
			if err == nil {
				err = traced.Start()
			}
			if err != nil {
				t.Skipf("this machine does not let it be: %v", err)
			}
			t.Cleanup(func() { _ = in.Close(); _ = traced.Wait() })
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "stands\n" {
				t.Fatalf("%q, %v", line, err)
			}
			said := becomes(t, append(c.tracer, strconv.Itoa(traced.Process.Pid))...)
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in %q", want, said)
				}
			}
		})
	}
}

// Root without the rights that a debugger needs, as in a container, is told so.
func TestARootWithoutRightsIsToldSo(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if os.Geteuid() != 0 || err != nil {
		t.Skip("needs root and setpriv")
	}
	traced := exec.Command(os.Args[0], "helper", "become", "nobody", "stand")
	in, _ := traced.StdinPipe()
	out, err := traced.StdoutPipe()
	if err == nil {
		err = traced.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = traced.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "stands\n" {
		t.Fatalf("%q, %v", line, err)
	}
	for lacked, want := range map[string][]string{
		"-sys_ptrace":                    {"although we are root we lack the right", "--cap-add=SYS_PTRACE"},
		"-kill":                          {"it is user 65534's", "may not send it the signals", "--cap-add=KILL"},
		"-dac_override":                  {"<nil>", "it is user 65534's", "may not write its memory", "--cap-add=DAC_OVERRIDE"},
		"-dac_override,-dac_read_search": {"it is user 65534's", "may not read its memory", "--cap-add=DAC_OVERRIDE"},
	} {
		said, err := exec.Command(setpriv, "--bounding-set", lacked, "--inh-caps", lacked,
			os.Args[0], "helper", "become", strconv.Itoa(traced.Process.Pid)).CombinedOutput()
		if err != nil {
			t.Errorf("without %s: %v, %s", lacked, err, said)
		}
		for _, want := range want {
			if !strings.Contains(string(said), want) {
				t.Errorf("without %s: no %q in %s", lacked, want, said)
			}
		}
	}
}

func becomes(t *testing.T, what ...string) string {
	t.Helper()
	said, err := exec.Command(os.Args[0], append([]string{"helper", "become"}, what...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return string(said)
}

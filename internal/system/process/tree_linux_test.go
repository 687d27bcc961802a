package process_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["tree"] = tree
	parts["nest"] = func([]string) { spawn(nil, "sleep"); sleep(nil) }
	parts["orphan"] = func([]string) { spawn(nil, "sleep") }
	parts["daemon"] = func([]string) { spawn(newSession, "sleep") }
	parts["traced"] = traced
	parts["server"] = server
	parts["filling"] = filling
}

const treeSize = 7 // processes that print their id: the tree, 1, 2, 2, 1

// tree starts a child, a grandchild, one in a session of its own and a daemon;
// each prints its process id, the tree's own comes first.
func tree([]string) {
	fmt.Println(os.Getpid())
	spawn(nil, "sleep")
	spawn(nil, "nest")
	spawn(newSession, "nest")
	spawn(newSession, "daemon").Wait()
	time.Sleep(time.Hour)
}

// server starts a tree as our own process would, passes its output on, and stays.
func server(scratch []string) {
	child, err := process.Start(process.Spec{
		Name: "tree", Path: os.Args[0], Args: []string{"helper", "tree"}, Remove: scratch,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, child.Stdout)
}

// filling is a server that never gets done with writing into its scratch directory.
func filling(scratch []string) {
	_, err := process.Start(process.Spec{
		Name: "cat", Path: "cat", Remove: scratch, Fill: func() error {
			if err := os.WriteFile(filepath.Join(scratch[0], "file"), nil, 0o600); err != nil {
				return err
			}
			fmt.Println("wrote")
			select {}
		},
	})
	fmt.Println(err)
}

func newSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// traced holds a process under ptrace, as a debugger does.
func traced([]string) {
	runtime.LockOSThread()
	cmd := spawn(func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true} }, "sleep")
	fmt.Println(cmd.Process.Pid)
	sleep(nil)
}

func spawn(change func(*exec.Cmd), part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "helper", part)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
	}
	return cmd
}

// pids reads n process ids.
func pids(t *testing.T, r io.Reader, n int) []int {
	t.Helper()
	var ids []int
	for lines := bufio.NewScanner(r); len(ids) < n && lines.Scan(); {
		var id int
		if _, err := fmt.Sscan(strings.TrimSpace(lines.Text()), &id); err != nil {
			t.Fatalf("not a process id: %q", lines.Text())
		}
		ids = append(ids, id)
	}
	if len(ids) < n {
		t.Fatalf("got %d process ids of %d", len(ids), n)
	}
	return ids
}

// alive says whether a process runs; a zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state := stat[bytes.LastIndexByte(stat, ')')+2]
	return state != 'Z' && state != 'X'
}

func mustAllBeGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// supervisorOf finds the process between us and the child.
func supervisorOf(t *testing.T, child *process.Child) int {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	var state string
	var parent int
	fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent)
	return parent
}

func TestScratchGoesWhenTheServerIsKilledFillingIt(t *testing.T) {
	scratch := filepath.Join(t.TempDir(), "scratch")
	cmd := exec.Command(os.Args[0], "helper", "filling", scratch)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "wrote\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	within(t, "the directory to go", func() bool {
		_, err := os.Stat(scratch)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestKillEndsEveryDescendant(t *testing.T) {
	child := start(t, helper(t, "tree"))
	ids := pids(t, child.Stdout, treeSize)
	if ids[0] != child.Pid() {
		t.Errorf("Pid is %d, the child says %d", child.Pid(), ids[0])
	}
	child.Kill()
	mustAllBeGone(t, ids)
	if status := ends(t, child); status != (process.ExitStatus{Code: -1, Signal: "killed", Number: 9}) {
		t.Errorf("ended with %v", status)
	}
	if rest, err := io.ReadAll(child.Stdout); err != nil || len(rest) > 0 {
		t.Errorf("stdout ends with %q, %v", rest, err)
	}
}

func TestDescendantsEndWithTheChild(t *testing.T) {
	for _, part := range []string{"orphan", "daemon"} {
		t.Run(part, func(t *testing.T) {
			child := start(t, helper(t, part))
			if status := ends(t, child); status != (process.ExitStatus{}) {
				t.Errorf("ended with %v", status)
			}
			out, err := io.ReadAll(child.Stdout) // ends, because nobody holds it open
			if err != nil {
				t.Fatal(err)
			}
			if len(out) > 0 { // it got as far as printing its id
				mustAllBeGone(t, pids(t, bytes.NewReader(out), 1))
			}
		})
	}
}

// What outlives a child that lingers goes on, until it ends by itself or is ended.
func TestWhatOutlivesALingeringChildGoesOn(t *testing.T) {
	for how, end := range map[string]func(c *process.Child, supervisor int){
		"by itself":                func(c *process.Child, _ int) { _ = c.Stdin.Close() },
		"killed":                   func(c *process.Child, _ int) { c.Kill() },
		"with a killed supervisor": func(_ *process.Child, supervisor int) { _ = syscall.Kill(supervisor, syscall.SIGKILL) },
		"with an asked supervisor": func(_ *process.Child, supervisor int) { _ = syscall.Kill(supervisor, syscall.SIGTERM) },
	} {
		t.Run(how, func(t *testing.T) {
			script := `exec 3<&0; (read line <&3; echo over) & echo $! $PPID; exit 3`
			child := start(t, process.Spec{Name: "sh", Path: "sh", Args: []string{"-c", script}, Lingers: true})
			out := bufio.NewReader(child.Stdout)
			first, err := out.ReadString('\n')
			var left, supervisor int
			if _, scanErr := fmt.Sscan(first, &left, &supervisor); err != nil || scanErr != nil {
				t.Fatalf("it says %q, %v, %v", first, err, scanErr)
			}
			if status := child.OwnExit(); status != (process.ExitStatus{Code: 3}) {
				t.Errorf("the child itself ended with %v", status)
			}
			select {
			case <-child.Done():
				t.Fatal("who outlives it is gone")
			default:
			}
			if found := child.Orphans(); !alive(left) || len(found) != 1 || found[0].PID != left {
				t.Errorf("%d lives: %v; orphans: %v", left, alive(left), found)
			}
			end(child, supervisor)
			if status := ends(t, child); status != (process.ExitStatus{Code: 3}) {
				t.Errorf("ended with %v", status)
			}
			within(t, "it is gone", func() bool { return !alive(left) })
			if rest, _ := io.ReadAll(out); (string(rest) == "over\n") != (how == "by itself") {
				t.Errorf("it has written %q", rest)
			}
		})
	}
}

func TestATracedProcessEndsToo(t *testing.T) {
	child := start(t, helper(t, "traced"))
	ids := pids(t, child.Stdout, 2)
	child.Kill()
	mustAllBeGone(t, ids)
	ends(t, child)
}

func TestKillOutrunsAForkingProgram(t *testing.T) {
	child := start(t, process.Spec{
		Name: "forker", Path: "sh", Args: []string{"-c", "for i in $(seq 2000); do (sleep 1000 & echo $!); done"},
	})
	pids(t, child.Stdout, 10)
	child.Kill()
	ends(t, child)
	out, err := io.ReadAll(child.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Count(out, []byte("\n"))
	mustAllBeGone(t, pids(t, bytes.NewReader(out), lines))
}

// When the process that started the children is killed, it can do nothing.
func TestNothingOutlivesAKilledServer(t *testing.T) {
	scratch := filepath.Join(t.TempDir(), "scratch")
	if err := os.MkdirAll(filepath.Join(scratch, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	spec := helper(t, "server", scratch)
	server := exec.Command(spec.Path, spec.Args...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ids := pids(t, out, treeSize)
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	server.Wait()
	for _, pid := range ids {
		within(t, fmt.Sprintf("process %d is gone", pid), func() bool { return !alive(pid) })
	}
	within(t, "the scratch directory is gone", func() bool {
		_, err := os.Stat(scratch)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestAKilledSupervisorTakesItsSessionAlong(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGSTOP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			scratch := filepath.Join(t.TempDir(), "scratch")
			if err := os.Mkdir(scratch, 0o755); err != nil {
				t.Fatal(err)
			}
			spec := helper(t, "nest")
			spec.Remove = []string{scratch}
			child := start(t, spec)
			ids := pids(t, child.Stdout, 2)
			if err := syscall.Kill(supervisorOf(t, child), signal); err != nil {
				t.Fatal(err)
			}
			if signal == syscall.SIGSTOP {
				child.Kill()
			}
			if status := ends(t, child); status.Signal != "killed" {
				t.Errorf("ended with %v", status)
			}
			for _, pid := range ids {
				within(t, "all are gone", func() bool { return !alive(pid) })
			}
			if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("scratch is still there: %v", err)
			}
		})
	}
}

func TestTheEndOfTheChildIsReported(t *testing.T) {
	cases := map[string]process.ExitStatus{
		"exit 0":        {Code: 0},
		"exit 137":      {Code: 137},
		"kill -SEGV $$": {Code: -1, Signal: "segmentation fault", Number: 11},
		"kill -TERM 0":  {Code: -1, Signal: "terminated", Number: 15}, // its whole process group, which is its own
	}
	for script, want := range cases {
		child := start(t, process.Spec{Name: "sh", Path: "sh", Args: []string{"-c", script}})
		if status := ends(t, child); status != want {
			t.Errorf("%s: ended with %+v", script, status)
		}
	}
}

func TestExtraDescriptorsPassThrough(t *testing.T) {
	resultR, resultW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	inputR, inputW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	spec := helper(t, "extra")
	spec.Extra = []*os.File{resultW, inputR}
	child := start(t, spec)
	resultW.Close()
	inputR.Close()

	io.WriteString(inputW, "through")
	inputW.Close()
	got, err := io.ReadAll(resultR) // ends while the child lives: the supervisor holds no copy
	if err != nil || string(got) != "through" {
		t.Fatalf("read %q, %v", got, err)
	}
	child.Stdin.Close()
	ends(t, child)
}

func TestTheChildSeesOnlyItsOwnDescriptors(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	child := start(t, process.Spec{
		Name: "ls", Path: "ls", Args: []string{"-1", "/proc/self/fd"}, Extra: []*os.File{null, null},
	})
	out, err := io.ReadAll(child.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	// The last one is the directory that ls reads.
	if got := strings.Fields(string(out)); !slices.Equal(got, []string{"0", "1", "2", "3", "4", "5"}) {
		t.Errorf("descriptors are %v", got)
	}
}

func TestDescriptorsAreNotLeaked(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	run := func() {
		if _, _, err := process.Run(t.Context(), process.Spec{Name: "true", Path: "true"}); err != nil {
			t.Fatal(err)
		}
		child := start(t, process.Spec{Name: "true", Path: "true"})
		ends(t, child)
		child.Stdin.Close()
		child.Stdout.Close()
		if _, err := process.Start(process.Spec{Name: "none", Path: "sh", Dir: "/none"}); err == nil {
			t.Fatal("started in a directory that is not there")
		}
	}
	run()
	before := count()
	for range 10 {
		run()
	}
	within(t, "all descriptors are closed", func() bool { return count() <= before })
}

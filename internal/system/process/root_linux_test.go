package process_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["rooted"] = rooted
	parts["intruder"] = intruder
}

// rooted is a server with a private directory, in which its child's scratch
// lies. It prints the scratch directory and then what the child prints: the ids
// of a tree of processes.
func rooted([]string) {
	process.MarkOwn()
	root := process.NewRoot(slog.Default())
	scratch, err := root.Scratch("x-")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scratch)
	child, err := process.Start(process.Spec{
		Name: "tree", Path: os.Args[0], Args: []string{"helper", "tree"}, Remove: []string{scratch}, Root: root,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, child.Stdout)
}

// intruder says whether it can list or write into the directories.
func intruder(dirs []string) {
	for _, dir := range dirs {
		if _, err := os.ReadDir(dir); !errors.Is(err, os.ErrPermission) {
			fmt.Println("listed", dir, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "planted"), nil, 0o644); !errors.Is(err, os.ErrPermission) {
			fmt.Println("wrote into", dir, err)
		}
	}
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

// startRooted starts a server as above, in a temporary directory of its own.
func startRooted(t *testing.T) (server *exec.Cmd, scratch string, tree []int) {
	t.Helper()
	spec := helper(t, "rooted")
	server = exec.Command(spec.Path, spec.Args...)
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if scratch = strings.TrimSpace(line); err != nil || !filepath.IsAbs(scratch) {
		t.Fatalf("no directory: %q, %v", line, err)
	}
	return server, scratch, pids(t, lines, treeSize)
}

func TestRoot(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	root := process.NewRoot(slog.Default())
	scratch, err := root.Scratch("some-")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(scratch)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the root: %v, %v; want 0700", info.Mode(), err)
	}
	sockets, err := root.Sockets("js-")
	if err != nil || len(sockets) > 40 {
		t.Errorf("the place of sockets is %s, %v; want a short one", sockets, err)
	}
	spec := helper(t, "cat")
	spec.Remove, spec.Root = []string{scratch}, root
	child := start(t, spec)
	if _, err := os.Stat(scratch); err != nil {
		t.Error(err)
	}
	child.Stdin.Close()
	ends(t, child)
	if !gone(scratch) {
		t.Error("the scratch directory stays when its child has ended")
	}
	root.Close()
	for _, dir := range []string{dir, filepath.Dir(sockets)} {
		if !gone(dir) {
			t.Errorf("%s stays when the root is closed", dir)
		}
	}
	if again, err := root.Scratch("more-"); err != nil || gone(filepath.Dir(again)) {
		t.Errorf("a use after Close: %s, %v", again, err)
	}
	root.Close()
}

// Another user of the machine can neither read nor write what lies in it.
func TestRootIsPrivate(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("only root can be another user: run the tests as root, as CI does")
	}
	tmp, err := os.MkdirTemp("/tmp", "")
	if err == nil {
		err = os.Chmod(tmp, 0o777|os.ModeSticky)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(tmp) })
	program := filepath.Join(tmp, "intruder")
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	root := process.NewRoot(slog.Default())
	defer root.Close()
	scratch, err := root.Scratch("some-")
	if err != nil {
		t.Fatal(err)
	}
	spec := helper(t, "cat")
	spec.Remove, spec.Root = []string{scratch}, root
	defer start(t, spec).Kill()

	cmd := exec.Command(program, "helper", "intruder", filepath.Dir(scratch), scratch)
	cmd.Dir = tmp
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("another user: %s%v", out, err)
	}
}

func TestRootGoesWithAKilledServer(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	server, scratch, tree := startRooted(t)
	server.Process.Kill()
	server.Wait()
	for _, pid := range tree {
		within(t, fmt.Sprintf("process %d to end", pid), func() bool { return !alive(pid) })
	}
	within(t, "the root to go", func() bool { return gone(filepath.Dir(scratch)) })
}

// When server, supervisor and keeper are killed in one moment, the next server
// removes what they left: the directory, and the processes that nobody else
// could end. A server that lives keeps what is its own.
func TestNextServerSweeps(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	living := process.NewRoot(slog.Default())
	defer living.Close()
	kept, err := living.Scratch("kept-")
	if err != nil {
		t.Fatal(err)
	}
	server, scratch, tree := startRooted(t)
	killed := childrenOf(server.Process.Pid)
	for _, pid := range killed {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	server.Process.Kill()
	server.Wait()
	for _, pid := range killed { // the sweep leaves what one of them still holds
		within(t, "supervisor and keeper to be gone, with all threads", func() bool { return process.Gone(pid) })
	}
	if gone(filepath.Dir(scratch)) {
		t.Fatal("the root has gone by itself: this test tests nothing")
	}
	process.Sweep() // as at a server's start
	for _, pid := range tree {
		within(t, fmt.Sprintf("process %d to end", pid), func() bool { return !alive(pid) })
	}
	within(t, "the root of the dead to go", func() bool { return gone(filepath.Dir(scratch)) })
	if gone(filepath.Dir(kept)) {
		t.Error("the root of a living server has gone too")
	}
}

// childrenOf lists the processes that one has started: supervisors and keepers.
func childrenOf(pid int) []int {
	var list []int
	for _, other := range process.Children(pid) {
		list = append(list, other.PID)
	}
	return list
}

// Whatever has left the session of its supervisor ends when that is killed.
func TestAKilledSupervisorLeavesNoDaemon(t *testing.T) {
	child := start(t, helper(t, "tree"))
	tree := pids(t, child.Stdout, treeSize)
	if err := syscall.Kill(supervisorOf(t, child), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	ends(t, child)
	mustAllBeGone(t, tree)
	for _, pid := range tree { // not even as entries of the process table
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			t.Errorf("process %d has not been reaped", pid)
		}
	}
}

// What has taken note of the end of an orphan has not taken it from whoever
// waits for a supervisor: its descriptor would stay open.
func TestKilledSupervisorsAreWaitedForWhereTheyWereStarted(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would close them
	before := pidfds(t)
	for range 5 {
		child := start(t, helper(t, "tree"))
		pids(t, child.Stdout, treeSize)
		if err := syscall.Kill(supervisorOf(t, child), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		ends(t, child)
	}
	if after := pidfds(t); after > before {
		t.Errorf("%d descriptors of processes before, %d after", before, after)
	}
}

// pidfds counts the descriptors of processes that this one holds.
func pidfds(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		if what, _ := os.Readlink(name); what == "anon_inode:[pidfd]" {
			n++
		}
	}
	return n
}

// A server that is killed before it has heard of its root leaves none.
func TestRootOfAServerThatDoesNotListen(t *testing.T) {
	tmp := t.TempDir()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "keep")
	cmd.Env, cmd.Stdout = append(os.Environ(), "TMPDIR="+tmp), write
	read.Close()
	if err := cmd.Run(); err != nil { // its standard input is at its end
		t.Errorf("the keeper: %v", err)
	}
	write.Close()
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) > 0 {
		t.Errorf("it has left %q", left)
	}
}

// Some debuggers give the program the server's environment in place of their own:
// what escapes then bears the server's mark.
func TestWhatBearsOnlyTheServersMarkEnds(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	server, _, _ := startRooted(t)
	mark := fmt.Sprintf("AIDB_SUPERVISOR=%s", process.MarkOf(server.Process.Pid))
	orphan := exec.Command(os.Args[0], "helper", "sleep")
	orphan.Env = append(os.Environ(), mark)
	if err := orphan.Start(); err != nil {
		t.Fatal(err)
	}
	go orphan.Wait()
	process.Sweep()
	if !alive(orphan.Process.Pid) {
		t.Fatal("it was ended while its server lives")
	}
	for _, pid := range childrenOf(server.Process.Pid) { // they end by themselves
		if env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); strings.Contains(string(env), mark) {
			t.Errorf("a supervisor or keeper, %d, bears the mark", pid)
		}
	}
	server.Process.Kill()
	server.Wait()
	within(t, "it to end", func() bool { process.Sweep(); return !alive(orphan.Process.Pid) })
}

// A worker of a gateway is a server below a supervisor, which ends its keeper's server
// and not the keeper.
func TestTheDirectoryOfAWorkerThatIsKilledGoes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // where no other server removes what was left
	worker := start(t, helper(t, "rooted"))
	line, err := bufio.NewReader(worker.Stdout).ReadString('\n')
	scratch := strings.TrimSpace(line)
	if err != nil || !filepath.IsAbs(scratch) {
		t.Fatalf("no directory: %q, %v", line, err)
	}
	worker.Kill()
	within(t, "its directory to be removed", func() bool { return gone(filepath.Dir(scratch)) })
}

package process_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["holder"] = hold
	parts["holds"] = holds
	parts["above"] = func(args []string) { superviseHelper(args, nil) }
}

// hold plays a debugger that has attached to a program: it lets go when it is asked, or,
// told "input", at the end of its input, and says so in a file. It takes its time for it.
func hold(args []string) {
	file, by := args[0], args[1]
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	if by == "input" {
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); asked <- syscall.SIGTERM }()
	}
	fmt.Println(os.Getpid())
	if by == "never" || by == "traces" {
		signal.Ignore(syscall.SIGTERM)
		select {}
	}
	<-asked
	time.Sleep(50 * time.Millisecond)
	_ = os.WriteFile(file, nil, 0o600)
}

// holds plays a server whose child holds a program.
func holds(args []string) {
	held, _ := strconv.Atoi(args[2])
	superviseHelper(append([]string{"holder"}, args[:3]...), release(held, args[1]), args[3:]...)
}

// superviseHelper plays a server with one child, and its scratch directories.
func superviseHelper(part []string, r *process.Release, scratch ...string) {
	child, err := process.Start(process.Spec{Name: part[0], Path: os.Args[0], Args: append([]string{"helper"}, part...), Release: r, Remove: scratch})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(os.Stdout, child.Stdout)
	select {}
}

func release(pid int, by string) *process.Release {
	r := &process.Release{PID: pid, Signal: syscall.SIGTERM, Limit: 20 * time.Second}
	switch by {
	case "input":
		r.Signal = 0
	case "never":
		r.Limit = 50 * time.Millisecond
	case "traces":
		r.Limit, r.Traces = 20*time.Second, true
	}
	return r
}

// holder is a child with a duty, and what it holds.
type holder struct {
	file string
	held int
	args []string
}

func newHolder(t *testing.T, by string) holder {
	t.Helper()
	held := exec.Command("sleep", "1000")
	if err := held.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Process.Kill(); _ = held.Wait() })
	file := filepath.Join(t.TempDir(), "let go")
	return holder{file: file, held: held.Process.Pid, args: []string{file, by, strconv.Itoa(held.Process.Pid)}}
}

// start starts the child, with its duty.
func (h holder) start(t *testing.T, by string) *process.Child {
	t.Helper()
	spec := helper(t, append([]string{"holder"}, h.args...)...)
	spec.Release = release(h.held, by)
	return start(t, spec)
}

// letGo says that the child was asked and had its time, and that the program lives.
func (h holder) letGo(t *testing.T) {
	t.Helper()
	within(t, "the child lets go", func() bool {
		_, err := os.Stat(h.file)
		return err == nil
	})
	if !alive(h.held) {
		t.Error("the program that was held has ended")
	}
}

func TestAChildLetsGoBeforeItIsEnded(t *testing.T) {
	for _, by := range []string{"signal", "input"} {
		t.Run(by, func(t *testing.T) {
			h := newHolder(t, by)
			child := h.start(t, by)
			ids := pids(t, child.Stdout, 1)
			child.Kill()
			h.letGo(t)
			mustAllBeGone(t, ids)
		})
	}
}

func TestAChildThatDoesNotLetGoIsEndedInTime(t *testing.T) {
	h := newHolder(t, "never")
	child := h.start(t, "never")
	ids := pids(t, child.Stdout, 1)
	child.Kill()
	mustAllBeGone(t, ids)
}

// A debugger that is ended before it has attached is not to attach any more.
func TestAChildThatHoldsNothingYetIsEndedAtOnce(t *testing.T) {
	h := newHolder(t, "traces")
	child := h.start(t, "traces")
	ids := pids(t, child.Stdout, 1)
	child.Kill()
	mustAllBeGone(t, ids)
	if _, err := os.Stat(h.file); err == nil {
		t.Error("it was given time")
	}
}

// Whoever ends a supervisor with its child leaves it to take out what that has left.
func TestASupervisorIsEndedAfterItsChild(t *testing.T) {
	h := newHolder(t, "never")
	scratch := filepath.Join(t.TempDir(), "scratch")
	child := start(t, helper(t, append([]string{"holds"}, append(h.args, scratch)...)...))
	id := pids(t, child.Stdout, 1)[0]
	supervisor := process.ParentOf(id)
	process.Slay([]int{child.Pid(), supervisor, id}) // the server too, which would do the rest
	mustAllBeGone(t, []int{id, supervisor})
	if _, err := os.Stat(scratch); err == nil {
		t.Error("the supervisor was killed before it had done its work")
	}
}

func TestAChildLetsGoWhenItsSupervisorIsKilled(t *testing.T) {
	for _, by := range []string{"signal", "input"} {
		t.Run(by, func(t *testing.T) {
			h := newHolder(t, by)
			child := h.start(t, by)
			pids(t, child.Stdout, 1)
			if err := syscall.Kill(supervisorOf(t, child), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			h.letGo(t)
			ends(t, child)
		})
	}
}

func TestAChildLetsGoWhenItsServerIsKilled(t *testing.T) {
	for _, by := range []string{"signal", "input"} {
		t.Run(by, func(t *testing.T) {
			h := newHolder(t, by)
			server := exec.Command(os.Args[0], append([]string{"helper", "holds"}, h.args...)...)
			out, err := server.StdoutPipe()
			if err == nil {
				err = server.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			ids := pids(t, out, 1)
			if err := server.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = server.Wait()
			h.letGo(t)
			within(t, "the child is gone", func() bool { return !alive(ids[0]) })
		})
	}
}

// A worker with a debugger is ended from above: by its gateway, by the gateway's death,
// and by its own.
func TestAChildLetsGoWhateverEndsWhoIsAboveIt(t *testing.T) {
	ends := map[string]func(t *testing.T, gateway *exec.Cmd, worker int){
		"worker":  func(_ *testing.T, _ *exec.Cmd, worker int) { _ = syscall.Kill(worker, syscall.SIGKILL) },
		"gateway": func(_ *testing.T, gateway *exec.Cmd, _ int) { _ = gateway.Process.Kill() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			h := newHolder(t, "signal")
			gateway := exec.Command(os.Args[0], append([]string{"helper", "above", "holds"}, h.args...)...)
			out, err := gateway.StdoutPipe()
			if err == nil {
				err = gateway.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			line, err := lines.ReadString('\n')
			id, _ := strconv.Atoi(strings.TrimSpace(line))
			if err != nil || id == 0 {
				t.Fatalf("no process id: %q, %v", line, err)
			}
			worker := process.ParentOf(process.ParentOf(id))
			end(t, gateway, worker)
			h.letGo(t)
			within(t, "the child is gone", func() bool { return !alive(id) })
			_ = gateway.Process.Kill()
			_ = gateway.Wait()
			within(t, "the worker is gone", func() bool { return !alive(worker) })
		})
	}
	t.Run("order", func(t *testing.T) {
		h := newHolder(t, "signal")
		child := start(t, helper(t, append([]string{"holds"}, h.args...)...))
		ids := pids(t, child.Stdout, 1)
		child.Kill()
		h.letGo(t)
		mustAllBeGone(t, ids)
	})
}

//go:build amd64 || arm64

package mend

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes the program of these tests of this binary: it executes a function for
// each line that it reads, and says how often it did.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "count" {
		lines := bufio.NewScanner(os.Stdin)
		for n := 0; lines.Scan(); {
			n = count(n)
			fmt.Fprintln(os.Stdout, n)
		}
		return
	}
	os.Exit(m.Run())
}

//go:noinline
func count(n int) int { return n + 1 }

// counter is a program that runs, and what it says.
type counter struct {
	t       *testing.T
	process *os.Process
	stdin   io.Writer
	lines   *bufio.Reader
	n       int
}

func startCounter(t *testing.T) *counter {
	t.Helper()
	cmd := exec.Command(os.Args[0], "count")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	c := &counter{t: t, process: cmd.Process, stdin: stdin, lines: bufio.NewReader(stdout)}
	c.counts()
	return c
}

// counts has the function executed once.
func (c *counter) counts() {
	c.t.Helper()
	fmt.Fprintln(c.stdin)
	c.hears()
}

func (c *counter) hears() {
	c.t.Helper()
	c.n++
	line, err := c.lines.ReadString('\n')
	if want := fmt.Sprintln(c.n); err != nil || line != want {
		c.t.Fatalf("the program said %q, %v; want %q", line, err, want)
	}
}

// entry is where the function begins, in the program as here: one executable, not relocated.
func entry() uint64 { return uint64(reflect.ValueOf(count).Pointer()) }

// writeTrap does what a debugger does, and is not there any more afterwards.
func (c *counter) writeTrap(address uint64) {
	c.t.Helper()
	memory, err := os.OpenFile(processFile(c.process.Pid, "mem"), os.O_RDWR, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	defer memory.Close()
	if _, err := memory.WriteAt(breakpoint, int64(address)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *counter) looks() Sight {
	c.t.Helper()
	sight, err := Look(c.process.Pid)
	if err != nil {
		c.t.Fatal(err)
	}
	return sight
}

// stands waits until the program is stopped by a signal.
func (c *counter) stands() {
	c.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !c.looks().IsStopped {
		select {
		case <-tick.C:
		case <-late:
			c.t.Fatal("a program that was stopped before its debugger came runs")
		}
	}
}

func addresses(traps []Trap) []uint64 {
	var list []uint64
	for _, t := range traps {
		list = append(list, t.Address)
	}
	return list
}

func TestWhatADebuggerLeftIsTakenOut(t *testing.T) {
	c := startCounter(t)
	if sight := c.looks(); !sight.IsFree() {
		t.Fatalf("a program that nobody has debugged is %+v", sight)
	}
	c.writeTrap(entry())
	if sight := c.looks(); !slices.Equal(addresses(sight.Traps), []uint64{entry()}) || sight.IsFree() {
		t.Fatalf("with a breakpoint at %#x it is %+v", entry(), sight)
	}
	mended, err := Program(c.process.Pid, Sight{})
	if err != nil || !slices.Equal(addresses(mended), []uint64{entry()}) {
		t.Fatalf("mended: %+v, %v", mended, err)
	}
	if sight := c.looks(); !sight.IsFree() {
		t.Errorf("afterwards it is %+v", sight)
	}
	c.counts()
}

func TestWhatWasThereBeforeStays(t *testing.T) {
	c := startCounter(t)
	c.writeTrap(entry())
	before := c.looks()
	mended, err := Program(c.process.Pid, before)
	if err != nil || len(mended) != 0 {
		t.Errorf("mended: %+v, %v", mended, err)
	}
	if after := c.looks(); !slices.Equal(addresses(after.Traps), []uint64{entry()}) {
		t.Errorf("afterwards it is %+v", after)
	}
}

func TestAStopThatNobodyEnds(t *testing.T) {
	c := startCounter(t)
	if err := c.process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(c.process.Pid, &status, unix.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("%v, %v", status, err)
	}
	stopped := c.looks()
	if !stopped.IsStopped || stopped.IsFree() {
		t.Fatalf("a stopped program is %+v", stopped)
	}
	if _, err := Program(c.process.Pid, stopped); err != nil {
		t.Fatal(err)
	}
	c.stands() // the threads go back to their stop one after the other
	if _, err := Program(c.process.Pid, Sight{}); err != nil {
		t.Fatal(err)
	}
	c.counts()
}

// The debugger dies when a thread has executed its breakpoint, and before the thread has
// been delivered the trap.
func TestAThreadGoesBackToTheInstructionThatItMissed(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := startCounter(t)
	all, err := stopAll(c.process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	c.writeTrap(entry())
	all.resumeAll()
	for _, th := range all.list {
		if err := unix.PtraceSeize(th.id); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(c.stdin)
	hit := &thread{pid: c.process.Pid}
	for hit.signal != unix.SIGTRAP {
		var status unix.WaitStatus
		id, err := unix.Wait4(-1, &status, unix.WALL, nil)
		if err != nil || !status.Stopped() {
			t.Fatalf("waiting for the breakpoint: %v, %v", status, err)
		}
		hit.id, hit.signal = id, status.StopSignal()
		if hit.signal != unix.SIGTRAP {
			_ = unix.PtraceCont(id, int(hit.signal))
		}
	}
	original, err := findTraps(c.process.Pid)
	if err != nil || len(original) != 1 {
		t.Fatalf("%+v, %v", original, err)
	}
	if _, err := unix.PtracePokeText(hit.id, uintptr(entry()), original[0].original); err != nil {
		t.Fatal(err)
	}
	hit.mend(text{pid: c.process.Pid})
	if hit.signal != 0 {
		t.Errorf("the trap is still to be delivered")
	}
	(&threads{list: []*thread{hit}}).resumeAll()
	c.hears()
	for _, th := range all.list { // the others run while they are traced
		if th.id != hit.id && unix.PtraceInterrupt(th.id) == nil && th.wait() {
			(&threads{list: []*thread{th}}).resumeAll()
		}
	}
	c.counts()
}

package process

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

// Of the user's processes those are not listed that belong to this one: what it
// has started, and what it was started by.
func TestMine(t *testing.T) {
	child := exec.Command("sleep", "100")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()

	list := Mine()
	at := func(pid int) int { return slices.IndexFunc(list, func(o Other) bool { return o.PID == pid }) }
	for _, pid := range []int{child.Process.Pid, os.Getpid(), os.Getppid()} {
		if at(pid) >= 0 {
			t.Errorf("process %d is ours, and in the list", pid)
		}
	}
	for _, other := range list {
		if other.Command == "" {
			t.Errorf("what is process %d?", other.PID)
		}
	}
}

// The newest is first where the kernel's numbers have begun anew, too.
func TestTheNewestIsFirst(t *testing.T) {
	list := []Other{{PID: 304}, {PID: 31_000}, {PID: 32_454}, {PID: 305}}
	began := map[int]int64{31_000: 10, 32_454: 20, 304: 30, 305: 30}
	newestFirst(list, func(pid int) int64 { return began[pid] })
	if want := []Other{{PID: 305}, {PID: 304}, {PID: 32_454}, {PID: 31_000}}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}

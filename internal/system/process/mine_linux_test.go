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
	if !slices.IsSortedFunc(list, func(a, b Other) int { return b.PID - a.PID }) {
		t.Error("the newest is not the first")
	}
}

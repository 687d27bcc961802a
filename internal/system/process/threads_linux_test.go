package process

import (
	"os"
	"os/exec"
	"testing"
)

func TestOnlyThread(t *testing.T) {
	t.Parallel()
	single := exec.Command("sleep", "60")
	if err := single.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = single.Process.Kill(); _ = single.Wait() })
	if !OnlyThread(single.Process.Pid) {
		t.Error("sleep has one thread")
	}
	for _, thread := range []int{os.Getpid(), 0, -1} { // that of a Go program, and nobody's
		if OnlyThread(thread) {
			t.Errorf("%d is called the only thread", thread)
		}
	}
}

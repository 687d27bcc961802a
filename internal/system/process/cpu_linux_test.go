package process

import (
	"os/exec"
	"testing"
	"time"
)

// One that computes is told from one that waits.
func TestRunnable(t *testing.T) {
	for _, c := range []struct {
		program string
		runs    bool
	}{{"while :; do :; done", true}, {"read line", false}} {
		cmd := exec.Command("sh", "-c", c.program)
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		runs, known := false, false
		for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(time.Millisecond) {
			if runs, known = Runnable(cmd.Process.Pid); known && runs == c.runs {
				break
			}
		}
		if !known || runs != c.runs {
			t.Errorf("%q computes: %v, known: %v", c.program, runs, known)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if _, known := Runnable(1 << 30); known {
		t.Error("a process that is none is known")
	}
}

// A child that is left out does not count.
func TestRunnableBesideAChild(t *testing.T) {
	cmd := exec.Command("sh", "-c", "(while :; do :; done) & read line; kill -9 $!")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(time.Millisecond) {
		children := Children(cmd.Process.Pid)
		if runs, _ := Runnable(cmd.Process.Pid); !runs || len(children) != 1 {
			continue
		}
		if runs, _ := Runnable(cmd.Process.Pid, children[0].PID); !runs {
			return
		}
	}
	t.Error("a child that is left out counts")
}

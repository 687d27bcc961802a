package process

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is just being executed has no command line yet, and is there all
// the same.
func TestAProcessThatIsBeingExecutedIsThere(t *testing.T) {
	for range 300 {
		cmd := exec.Command("sleep", "300")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		command := commandOf(cmd.Process.Pid)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if command == "" {
			t.Fatal("it was taken for one that has ended")
		}
	}
}

func TestAProcessThatHasEndedHasNoCommand(t *testing.T) {
	cmd := exec.Command("sleep", "300")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if command := commandOf(cmd.Process.Pid); command != "" {
		t.Errorf("it is %q", command)
	}
	_ = cmd.Wait()
	if command := commandOf(cmd.Process.Pid); command != "" {
		t.Errorf("when it was waited for it is %q", command)
	}
}

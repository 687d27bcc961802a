package process

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Of a process is told when it began, whose it is, who started it, and whether it
// is no more than an entry in the table.
func TestStanding(t *testing.T) {
	child := exec.Command("sleep", "100")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()

	if age := time.Since(Began(pid)); age < -time.Second || age > time.Minute {
		t.Errorf("it began %s ago", age)
	}
	if got := OwnerOf(pid); got != os.Geteuid() {
		t.Errorf("it belongs to %d", got)
	}
	if got := ParentOf(pid); got != os.Getpid() {
		t.Errorf("process %d has started it", got)
	}
	if got := Lineage(pid); len(got) < 2 || got[0] != pid || got[1] != os.Getpid() {
		t.Errorf("its lineage is %v", got)
	}
	if Zombie(pid) || Programless(pid) || TracerOf(pid) != 0 {
		t.Error("it is a zombie, a thread of the kernel, or traced")
	}
	if Programless(2) != (CommandOf(2) == "kthreadd") {
		t.Error("is process 2 a thread of the kernel?")
	}
	_ = child.Process.Kill()
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if !Zombie(pid) {
		t.Error("it has been killed, nobody has waited for it, and it is no zombie")
	}
	_ = child.Wait()
	if Zombie(pid) || !Began(pid).IsZero() || OwnerOf(pid) != -1 {
		t.Error("it is gone, and still there")
	}
}

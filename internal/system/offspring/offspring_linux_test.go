package offspring

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"aidb-mcp/internal/testkit"
)

// What a process and those below it have started is told with how it has ended, and nothing that
// others have started.
func TestBelow(t *testing.T) {
	w := watch(t, mostAtOnce)
	other := exec.Command("sh", "-c", "sh -c 'exit 9'; true")
	if err := other.Run(); err != nil {
		t.Fatal(err)
	}
	program := exec.Command("sh", "-c", "sh -c 'exit 3'; sh -c 'kill -SEGV $$'; sh -c '(exit 5); exit 0'; true")
	if err := program.Run(); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []string{"while it watches", "afterwards"} {
		d, isKnown := w.Below(program.Process.Pid)
		var codes []int
		killed := 0
		for _, e := range d.Ends {
			t.Log(e)
			if e.Name != "sh" || e.PID == 0 {
				t.Errorf("told is %+v", e)
			}
			if e.Signal == unix.SIGSEGV {
				killed++
			} else {
				codes = append(codes, e.Code)
			}
		}
		if slices.Sort(codes); !isKnown || killed != 1 || !slices.Equal(codes, []int{0, 3, 5}) || d.Children != 3 || d.Grandchildren != 1 {
			t.Errorf("%s: %+v, known %v", asked, d, isKnown)
		}
		w.Close()
	}
	if d, isKnown := w.Below(1); !isKnown || d.Children > 0 || len(d.Ends) > 0 {
		t.Errorf("of others it tells %v", d)
	}
}

// Who still lives is counted, and not told as ended.
func TestBelowCountsTheLiving(t *testing.T) {
	w := watch(t, mostAtOnce)
	program := exec.Command("sh", "-c", "sh -c '(exit 5); exit 7'; exec 3<&0; sh -c 'read line' <&3 & echo ready; wait")
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if d, isKnown := w.Below(program.Process.Pid); !isKnown || len(d.Ends) != 2 || d.Children != 2 || d.Grandchildren != 1 {
		t.Errorf("while one lives: %+v, known %v", d, isKnown)
	}
	in.Close()
	_ = program.Wait()
	if d, isKnown := w.Below(program.Process.Pid); !isKnown || len(d.Ends) != 3 || d.Children != 2 || d.Grandchildren != 1 {
		t.Errorf("afterwards: %+v, known %v", d, isKnown)
	}
}

// Who has ended makes room for others, and where there is too little room, that is said.
func TestRoom(t *testing.T) {
	const most = 3
	w := watch(t, most)
	program := exec.Command("sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sh -c 'exit 4; true'; done")
	if err := program.Run(); err == nil {
		t.Fatal("its last command did not fail")
	}
	if d, isKnown := w.Below(program.Process.Pid); !isKnown || len(d.Ends) != 8 || d.Children != 8 {
		t.Errorf("one after another: %+v, known %v", d, isKnown)
	}
	program = exec.Command("sh", "-c", "for i in 1 2 3 4; do sh -c 'read line' <&3 & done; wait")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	program.ExtraFiles = []*os.File{read}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 10*time.Second, "the lack of room is known", func() bool { _, isKnown := w.Below(program.Process.Pid); return !isKnown })
	write.Close()
	_ = program.Wait()
}

// watch begins one, where the machine lets us.
func watch(t *testing.T, atOnce uint32) *Watch {
	t.Helper()
	var kernel Kernel
	w, err := kernel.watch(atOnce)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, ebpf.ErrNotSupported) || os.Getuid() != 0 && err != nil {
		t.Skipf("this machine does not let it: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

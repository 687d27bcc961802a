package offspring

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// What a process and those below it have started is told with how it has ended, and nothing that
// others have started.
func TestBelow(t *testing.T) {
	var kernel Kernel
	w, err := kernel.Watch()
	if errors.Is(err, os.ErrPermission) || errors.Is(err, ebpf.ErrNotSupported) || os.Getuid() != 0 && err != nil {
		t.Skipf("this machine does not let it: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	other := exec.Command("sh", "-c", "sh -c 'exit 9'; true")
	if err := other.Run(); err != nil {
		t.Fatal(err)
	}
	program := exec.Command("sh", "-c", "sh -c 'exit 3'; sh -c 'kill -SEGV $$'; sh -c '(exit 5); exit 0'; true")
	if err := program.Run(); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []string{"while it watches", "afterwards"} {
		list, isKnown := w.Below(program.Process.Pid)
		var codes []int
		killed := 0
		for _, e := range list {
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
		if slices.Sort(codes); !isKnown || killed != 1 || !slices.Equal(codes, []int{0, 3, 5}) {
			t.Errorf("%s: %v, known %v", asked, list, isKnown)
		}
		w.Close()
	}
	if list, isKnown := w.Below(1); !isKnown || len(list) > 0 {
		t.Errorf("of others it tells %v", list)
	}
}

package session

import (
	"os"
	"os/exec"
	"testing"

	godap "github.com/google/go-dap"
)

// A process that was never here, in a container or on another machine, has not
// been killed because it is not here.
func TestAProcessOfElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		pid  int
		want int
	}{
		"elsewhere": {1 << 30, 0}, "nowhere": {-1, 0}, "here": {os.Getpid(), os.Getpid()},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, &fakeAdapter{}, StartRequest{}).running()
				defer g.close()
				g.a.Event("process", godap.ProcessEventBody{SystemProcessId: c.pid})
				g.stopped("pause")
				if g.s.NoticeEnd(t.Context()) {
					t.Errorf("it is taken for killed: %+v", g.s.State())
				}
				if pid := g.s.PID(); pid != c.want {
					t.Errorf("the process is %d, want %d", pid, c.want)
				}
			})
		})
	}
}

// One that was here and is gone ends the session at the next look.
func TestAProcessThatIsGone(t *testing.T) {
	child := exec.Command("sleep", "100")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	in(t, func(t *testing.T) {
		g := newRig(t, &fakeAdapter{}, StartRequest{}).running()
		defer g.close()
		g.a.Event("process", godap.ProcessEventBody{SystemProcessId: pid})
		g.stopped("pause")
		if g.s.NoticeEnd(t.Context()) {
			t.Error("it lives, and is taken for killed")
		}
		_ = child.Process.Kill()
		_ = child.Wait() // it was killed
		if !g.s.NoticeEnd(t.Context()) || g.s.State().Status != Terminated || g.s.State().Note != killedOutside {
			t.Errorf("the state is %+v", g.s.State())
		}
	})
}

//go:build amd64 || arm64

package delve

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/system/mend"
	"aidb-mcp/internal/testkit"
)

// attended is a program that answers requests while it is debugged, and its client.
type attended struct {
	*exec.Cmd
	t        testing.TB
	conn     net.Conn
	answers  *bufio.Reader
	asked    int
	counting chan struct{} // closed to end the requests
	lost     chan error    // what came of them
	once     sync.Once
	called   chan struct{} // closed when linger has been called
}

// attend starts a binary of testdata/go/attended.
func attend(t testing.TB, bin string, args ...string) *attended {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	a := &attended{Cmd: exec.Command(bin, append([]string{socket}, args...)...), t: t, counting: make(chan struct{}), lost: make(chan error, 1), called: make(chan struct{})}
	out, err := a.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Process.Kill(); a.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if a.conn, err = net.Dial("unix", socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.conn.Close() })
	a.answers = bufio.NewReader(a.conn)
	return a
}

// ask makes one request and returns how much the program had counted.
func (a *attended) ask() (counted int, err error) {
	a.asked++
	if _, err := fmt.Fprintln(a.conn, a.asked); err != nil {
		return 0, err
	}
	line, err := a.answers.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("request %d was lost: %w", a.asked, err)
	}
	var number, calls int
	if _, err := fmt.Sscan(line, &number, &counted, &calls); err != nil || number != a.asked {
		return 0, fmt.Errorf("request %d was answered with %q", a.asked, line)
	}
	if calls > 0 {
		a.once.Do(func() { close(a.called) })
	}
	return counted, nil
}

// keepAsking asks until [attended.livesOn].
func (a *attended) keepAsking() {
	go func() {
		for {
			select {
			case <-a.counting:
				a.lost <- nil
				return
			default:
			}
			if _, err := a.ask(); err != nil {
				a.lost <- err
				return
			}
		}
	}()
}

// livesOn fails the test unless the program is as if nobody had ever debugged it.
func (a *attended) livesOn() {
	a.t.Helper()
	if sight, err := mend.Look(a.Process.Pid); err != nil || !sight.IsFree() {
		a.t.Errorf("the program was left as %+v (%v)", sight, err)
	}
	close(a.counting)
	if err := <-a.lost; err != nil {
		a.t.Fatal(err)
	}
	first, err := a.ask()
	for now := first; err == nil && now < first+50; { // past the line of the breakpoint again and again
		now, err = a.ask()
	}
	if err != nil {
		a.t.Fatalf("it does not work any more: %v", err)
	}
}

// attachTo joins the program up to configurationDone.
func attachTo(t testing.TB, a *attended, dir string) *debuggee {
	t.Helper()
	return launch(t, plan(t, adapters.Request{PID: a.Process.Pid, Workspace: dir}))
}

// occupied are what a debugger may be at when it is ended.
var occupied = map[string]func(d *debuggee, p *testkit.Program, a *attended){
	"running": func(d *debuggee, _ *testkit.Program, _ *attended) { d.run() },
	"stopped": func(d *debuggee, p *testkit.Program, _ *attended) {
		d.breakOn(p, godap.SourceBreakpoint{})
		d.run()
		d.stop()
	},
	"log point": func(d *debuggee, p *testkit.Program, _ *attended) {
		d.breakOn(p, godap.SourceBreakpoint{LogMessage: "by {by}"})
		d.run()
		d.await("output", nil)
	},
	"condition": func(d *debuggee, p *testkit.Program, _ *attended) {
		d.breakOn(p, godap.SourceBreakpoint{Condition: "by == 77"})
		d.run()
	},
	"stepping": func(d *debuggee, p *testkit.Program, _ *attended) {
		d.breakOn(p, godap.SourceBreakpoint{Condition: "by == 2"})
		d.run()
		d.Send("next", godap.NextArguments{ThreadId: d.stop().ThreadID})
	},
	"watchpoint": func(d *debuggee, p *testkit.Program, _ *attended) {
		d.breakOn(p, godap.SourceBreakpoint{})
		d.run()
		stop := d.stop()
		var info godap.DataBreakpointInfoResponseBody
		d.call("dataBreakpointInfo", godap.DataBreakpointInfoArguments{Name: "main.seen", FrameId: d.userFrame(stop.ThreadID).Id}, &info)
		id, _ := info.DataId.(string)
		d.call("setDataBreakpoints", godap.SetDataBreakpointsArguments{Breakpoints: []godap.DataBreakpoint{{DataId: id, AccessType: "write"}}}, nil)
		d.Send("continue", godap.ContinueArguments{ThreadId: stop.ThreadID})
	},
	"call that does not return": func(d *debuggee, p *testkit.Program, a *attended) {
		d.breakOn(p, godap.SourceBreakpoint{Condition: "by == 2"})
		d.run()
		frame := d.userFrame(d.stop().ThreadID)
		d.breakOn(p)
		rewritten, kind := (&dialect{}).Expression("main.linger(1500)")
		d.Send("evaluate", godap.EvaluateArguments{Expression: rewritten, FrameId: frame.Id, Context: kind})
		<-a.called
	},
}

func (d *debuggee) breakOn(p *testkit.Program, points ...godap.SourceBreakpoint) {
	d.t.Helper()
	for i := range points {
		points[i].Line = p.Line("hot")
	}
	d.call("setBreakpoints", godap.SetBreakpointsArguments{Source: godap.Source{Path: p.Dir + "/main.go"}, Breakpoints: points}, nil)
}

// endings are who may end a debugger, and how.
var endings = map[string]func(d *debuggee){
	"disconnect":    func(d *debuggee) { d.call("disconnect", godap.DisconnectArguments{}, nil) },
	"end of stream": func(d *debuggee) { d.Close() },
	"SIGTERM": func(d *debuggee) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.plan.Arguments.(wire.Start).PID))
		if err != nil {
			d.t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(status), "TracerPid:\t")
		tracer, _, _ := strings.Cut(rest, "\n")
		pid, err := strconv.Atoi(tracer)
		if err != nil || pid == 0 {
			d.t.Fatalf("nobody traces the program: %v", err)
		}
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			d.t.Fatal(err)
		}
	},
}

func TestWhatIsAttachedToLivesOn(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "attended")
	bin := p.Build(".")
	always := []string{"log point"}
	if testkit.IsLong() {
		always = append(always, "running", "call that does not return")
	}
	for work, begin := range occupied {
		for how, end := range endings {
			if how != "disconnect" && !slices.Contains(always, work) {
				continue // they end in the same procedure
			}
			t.Run(work+", "+how, func(t *testing.T) {
				a := attend(t, bin)
				a.keepAsking()
				d := attachTo(t, a, p.Dir)
				begin(d, p.For(t), a)
				end(d)
				<-d.peer.Done
				a.livesOn()
			})
		}
	}
}

// Delve overlooks a pause before the first stop of a program with shared libraries.
func TestPauseBeforeTheFirstStop(t *testing.T) {
	p := testkit.NewProgram(t, "attended")
	t.Setenv("CGO_ENABLED", "1")
	a := attend(t, p.Build(".", "-tags=netcgo"), "idle")
	if out, err := exec.Command("ldd", a.Path).CombinedOutput(); err != nil {
		t.Fatalf("the program has no shared libraries: %s", out)
	}
	d := attachTo(t, a, p.Dir)
	d.run()
	d.call("pause", godap.PauseArguments{}, nil)
	if stop := d.stop(); stop.Reason != "pause" {
		t.Errorf("stopped for %+v", stop)
	}
	d.call("disconnect", godap.DisconnectArguments{}, nil)
	<-d.peer.Done
	if _, err := a.ask(); err != nil {
		t.Error(err)
	}
}

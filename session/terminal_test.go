//go:build unix

package session

import (
	"context"
	"encoding/json"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

// inTerminal opens a session whose adapter has us start the program.
func inTerminal(t *testing.T, stdin *string, env map[string]any, args ...string) *rig {
	t.Helper()
	g := newRig(t, nil, StartRequest{Program: adapters.Request{Stdin: stdin}})
	t.Cleanup(g.close)
	if st, err := g.s.Wait(t.Context(), 100*time.Millisecond); err != nil || st.Status == Terminated {
		t.Fatalf("state %+v, %v", st, err)
	}
	g.a = g.adapter.last()
	if _, err := g.a.Ask("runInTerminal", map[string]any{"args": args, "cwd": g.dir, "env": env}); err != nil {
		t.Fatal(err)
	}
	return g
}

// ends waits for the end that the adapter announces.
func (g *rig) ends() State {
	g.t.Helper()
	g.a.Event("terminated", nil)
	st, err := g.s.Wait(g.t.Context(), 10*time.Second)
	if err != nil || st.Status != Terminated {
		g.t.Fatalf("state %+v, %v: wanted the end", st, err)
	}
	return st
}

func TestProgramInTerminalHasOurStreamsAndExitCode(t *testing.T) {
	text := "hello\n"
	g := inTerminal(t, &text, map[string]any{"AIDB_SET": "yes", "HOME": nil},
		"sh", "-c", `read line; echo "$line $AIDB_SET ${HOME-unset}"; echo oops >&2; exit 3`)
	st := g.ends()
	if st.ExitCode == nil || *st.ExitCode != 3 {
		t.Errorf("state %+v, wanted exit code 3", st)
	}
	out := g.s.TakeOutput(1000)
	if out.Stdout.Text != "hello yes unset\n" || out.Stderr.Text != "oops\n" {
		t.Errorf("stdout %q, stderr %q", out.Stdout.Text, out.Stderr.Text)
	}
}

func TestSignalOfAProgramInTerminal(t *testing.T) {
	g := inTerminal(t, nil, nil, "sh", "-c", "kill -SEGV $$")
	if st := g.ends(); st.Signal != "SIGSEGV (segmentation fault)" || st.ExitCode != nil {
		t.Errorf("state %+v, wanted SIGSEGV", st)
	}
}

func TestOutputEventsOfAProgramInTerminalAreEchoes(t *testing.T) {
	g := inTerminal(t, nil, nil, "sh", "-c", "echo once")
	g.a.Event("output", map[string]any{"category": "stdout", "output": "once\n"})
	g.ends()
	if out := g.s.TakeOutput(1000); out.Stdout.Text != "once\n" {
		t.Errorf("stdout %q, wanted it once", out.Stdout.Text)
	}
}

func TestTerminalThatCannotStartIsRefused(t *testing.T) {
	g := newRig(t, nil, StartRequest{})
	t.Cleanup(g.close)
	if _, err := g.s.Wait(t.Context(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	_, err := g.adapter.last().Ask("runInTerminal", map[string]any{"args": []string{"/no/such/program"}})
	if err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestStoppedSessionEndsItsTerminal(t *testing.T) {
	g := inTerminal(t, nil, nil, "sleep", "1000")
	if _, err := g.s.Stop(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	select {
	case <-g.s.currentRun().programs.first().Done():
	default:
		t.Error("the program outlived its session")
	}
	if err := g.s.Continue(t.Context(), 0); err == nil {
		t.Error("continued an ended session")
	} else {
		wantCode(t, err, fault.SessionTerminated)
	}
}

// By which signal we end a program ourselves is no news; by which somebody else
// does, is.
func TestOurOwnSignalIsNotTold(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(g *rig) State
		want string
	}{
		"ours": {func(g *rig) State {
			st, err := g.s.Stop(g.t.Context(), true)
			if err != nil {
				g.t.Fatal(err)
			}
			return st
		}, ""},
		"another's": {func(g *rig) State {
			if err := syscall.Kill(g.s.currentRun().programs.first().Pid(), syscall.SIGKILL); err != nil {
				g.t.Fatal(err)
			}
			return g.ends()
		}, "SIGKILL (killed)"},
	} {
		t.Run(name, func(t *testing.T) {
			g := inTerminal(t, nil, nil, "sleep", "1000")
			g.s.currentRun().plan().Capabilities.End.RunsOnAtDisconnect = true // we end it, not the adapter
			if st := c.end(g); st.Status != Terminated || st.Signal != c.want || st.ExitCode != nil {
				t.Errorf("state %+v, want the signal %q", st, c.want)
			}
		})
	}
}

// A broker that has its program started by us looks for its end only now and
// then; when that has ended and nothing else is debugged, nobody waits for it.
func TestEndOfABrokersProgramIsNotWaitedFor(t *testing.T) {
	var child *daptest.Adapter
	g := newRig(t, &fakeAdapter{plan: func(p *adapters.Plan) {
		p.Broker, p.Capabilities.End.RunsOnAtDisconnect = true, true
		p.Child = func(context.Context, string, json.RawMessage) (*adapters.Child, error) {
			child = daptest.New(t)
			defaults(child)
			peer := &adapters.Peer{Stream: child.Stream(), Kill: child.Close, Stderr: func() string { return "" }}
			return &adapters.Child{Peer: peer, Name: "program", Request: "launch", Arguments: struct{}{}}, nil
		}
	}}, StartRequest{Program: adapters.Request{StdinOpen: true}})
	t.Cleanup(g.close)
	if _, err := g.s.Wait(t.Context(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	g.a = g.adapter.last()
	for _, ask := range []struct {
		what string
		args map[string]any
	}{
		{"runInTerminal", map[string]any{"args": []string{"sh", "-c", "read line; echo $line; exit 4"}, "cwd": g.dir}},
		{"startDebugging", map[string]any{"request": "launch", "configuration": map[string]any{}}},
	} {
		if _, err := g.a.Ask(ask.what, ask.args); err != nil {
			t.Fatal(err)
		}
	}
	for st := (State{}); st.Status != Running; st = g.s.State() {
		if _, err := g.s.Wait(t.Context(), 10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	child.Event("terminated", nil)
	if st, err := g.s.Wait(t.Context(), 100*time.Millisecond); err != nil || st.Status != Running {
		t.Fatalf("state %+v, %v while the program, which somebody else may debug, lives", st, err)
	}
	if _, err := g.s.Input(t.Context(), "ready\n", true); err != nil {
		t.Fatal(err)
	}
	st, err := g.s.Wait(t.Context(), 10*time.Second)
	if err != nil || st.Status != Terminated || st.ExitCode == nil || *st.ExitCode != 4 {
		t.Errorf("state %+v, %v, want the end with exit code 4", st, err)
	}
	if out := g.s.TakeOutput(1000); out.Stdout.Text != "ready\n" {
		t.Errorf("stdout %q", out.Stdout.Text)
	}
}

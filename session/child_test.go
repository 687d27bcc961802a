package session

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
)

// family is an adapter whose program has child sessions.
type family struct {
	*rig
	mu       sync.Mutex
	children []*daptest.Adapter
}

// newFamily opens a session whose root can ask for children; broker says that
// the root has no program of its own.
func newFamily(t *testing.T, broker bool) *family {
	t.Helper()
	f := &family{}
	adapter := &fakeAdapter{plan: func(p *adapters.Plan) {
		p.Broker = broker
		p.Child = func(context.Context, string, json.RawMessage) (*adapters.Child, error) {
			a := daptest.New(t)
			defaults(a)
			f.mu.Lock()
			f.children = append(f.children, a)
			f.mu.Unlock()
			return &adapters.Child{
				Peer: &adapters.Peer{Stream: a.Stream(), Kill: a.Close, Stderr: func() string { return "" }},
				Name: "worker", Request: "launch", Arguments: struct{}{},
			}, nil
		}
	}}
	f.rig = newRig(t, adapter, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 6}}})
	return f
}

// ask makes the adapter want a child session, and waits for its handshake.
func (f *family) ask(from *daptest.Adapter) *daptest.Adapter {
	f.t.Helper()
	if _, err := from.Ask("startDebugging", map[string]any{"request": "launch", "configuration": map[string]any{}}); err != nil {
		f.t.Fatal(err)
	}
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.children[len(f.children)-1]
}

func stoppedEvent(a *daptest.Adapter, reason string, ids ...int) {
	a.Event("stopped", godap.StoppedEventBody{Reason: reason, ThreadId: 1, HitBreakpointIds: ids})
	synctest.Wait()
}

func TestChildGetsBreakpointsAndStopsTheSession(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, false)
		defer f.close()
		f.running()
		child := f.ask(f.a)
		if !slices.Contains(child.Seen(), "setBreakpoints") {
			t.Errorf("the child was sent %v, no breakpoints", child.Seen())
		}
		stoppedEvent(child, "breakpoint", 16)
		st := f.s.State()
		if st.Status != StoppedBreakpoint || st.ThreadID != 1001 || len(st.Hit) != 1 {
			t.Errorf("state %+v, wanted a stop of thread 1001 at breakpoint 1", st)
		}
		if err := f.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(child.Seen(), "continue") || slices.Contains(f.a.Seen(), "continue") {
			t.Error("continue did not go to the connection that stood")
		}
	})
}

func TestStopOfAnotherConnectionIsHeldUntilTheFirstIsLetGo(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, false)
		defer f.close()
		f.running()
		child := f.ask(f.a)
		stoppedEvent(f.a, "breakpoint", 16)
		stoppedEvent(child, "breakpoint", 16)
		if st := f.s.State(); st.ThreadID != 1 {
			t.Fatalf("state %+v, wanted the first stop to stay", st)
		}
		if err := f.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if st := f.s.State(); st.Status != StoppedBreakpoint || st.ThreadID != 1001 {
			t.Errorf("state %+v, wanted the child's stop now", st)
		}
	})
}

func TestStackOfAThreadIsAskedOfItsConnection(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, false)
		defer f.close()
		f.running()
		child := f.ask(f.a)
		stackAt(child, "worker.loop", 5)
		stoppedEvent(f.a, "breakpoint", 16)
		threads, err := f.s.Threads(t.Context(), "", 0)
		if err != nil || threads.Total != 2 {
			t.Fatalf("threads %+v, %v: wanted one of each connection", threads, err)
		}
		frames, _, err := f.program().Stack(t.Context(), 1001, 0, 1)
		if err != nil || len(frames) != 1 || frames[0].Function != "worker.loop" {
			t.Errorf("frames %+v, %v: wanted the child's", frames, err)
		}
	})
}

func TestEndOfAChildLeavesTheProgramRunning(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, false)
		defer f.close()
		f.running()
		child := f.ask(f.a)
		stoppedEvent(child, "breakpoint", 16)
		child.Event("terminated", nil)
		synctest.Wait()
		if st := f.s.State(); st.Status != Running {
			t.Errorf("state %+v, wanted the rest of the program to run", st)
		}
		stoppedEvent(f.a, "breakpoint", 16)
		if st := f.s.State(); st.Status != StoppedBreakpoint {
			t.Errorf("state %+v after the end of the child", st)
		}
	})
}

// What a child that is gone had left to say is heard before the program's end is told.
func TestChildIsHeardBeforeTheEnd(t *testing.T) {
	in(t, func(t *testing.T) {
		const gone = 1 << 30 // no system has so many processes
		f := newFamily(t, false)
		defer f.close()
		f.running()
		child := f.ask(f.a)
		f.s.currentRun().connections.at(1).pid.Store(gone)
		f.a.Event("exited", godap.ExitedEventBody{})
		f.a.Event("terminated", nil)
		synctest.Wait()
		if st := f.s.State(); st.Status == Terminated {
			t.Fatalf("state %+v while the child's adapter has more to tell", st)
		}
		child.Event("output", godap.OutputEventBody{Category: "stdout", Output: "last words\n"})
		child.Event("terminated", nil)
		if st, err := f.s.Wait(t.Context(), long); err != nil || st.Status != Terminated {
			t.Fatalf("state %+v, error %v", st, err)
		}
		if v, err := f.s.View(t.Context()); err != nil || v.Output.Stdout.Text != "last words\n" {
			t.Errorf("view %+v, error %v", v, err)
		}
	})
}

func TestBrokerStartsWithItsFirstChild(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, true)
		defer f.close()
		synctest.Wait()
		if st := f.s.State(); st.Status != Starting {
			t.Fatalf("state %+v before there is a program", st)
		}
		root := f.adapter.last()
		child := f.ask(root)
		if st := f.s.State(); st.Status != Running {
			t.Fatalf("state %+v with a program", st)
		}
		if slices.Contains(root.Seen(), "setBreakpoints") {
			t.Error("the broker was sent breakpoints")
		}
		stoppedEvent(child, "breakpoint", 16)
		if st := f.s.State(); st.Status != StoppedBreakpoint || len(st.Hit) != 1 {
			t.Errorf("state %+v, wanted breakpoint 1", st)
		}
		if err := f.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		root.Event("terminated", nil)
		if st, err := f.s.Wait(t.Context(), long); err != nil || st.Status != Terminated {
			t.Errorf("state %+v, %v after the end", st, err)
		}
	})
}

func TestBrokerWithoutAProgramEnds(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, true)
		defer f.close()
		synctest.Wait()
		f.adapter.last().Event("terminated", nil)
		if st, err := f.s.Wait(t.Context(), long); err != nil || st.Status != Terminated {
			t.Errorf("state %+v, %v", st, err)
		}
	})
}

func TestPauseCalledStepIsAPause(t *testing.T) {
	in(t, func(t *testing.T) {
		f := newFamily(t, false)
		defer f.close()
		f.running()
		stoppedEvent(f.a, "breakpoint", 16)
		if err := f.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if err := f.s.Pause(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		stoppedEvent(f.a, "step")
		if st := f.s.State(); st.Status != Paused {
			t.Errorf("state %+v, wanted a pause", st)
		}
	})
}

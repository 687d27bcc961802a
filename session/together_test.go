package session

import (
	"context"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// gathering is an adapter whose event names one of the threads that have stopped.
type gathering struct{ found adapters.Gathered }

func (d *gathering) Together(context.Context, adapters.Caller, godap.StoppedEventBody) (adapters.Gathered, error) {
	return d.found, nil
}

func atLine6(thread int) godap.StoppedEventBody {
	return godap.StoppedEventBody{Reason: "breakpoint", ThreadId: thread, HitBreakpointIds: []int{16}}
}

func TestThreadsThatStopTogetherAreShownOneByOne(t *testing.T) {
	in(t, func(t *testing.T) {
		d := &gathering{found: adapters.Gathered{Others: []godap.StoppedEventBody{atLine6(2), atLine6(3)}}}
		f := &fakeAdapter{plan: func(p *adapters.Plan) {
			p.Capabilities.Stops = adapters.Stops{Together: d.Together, RepeatsStops: true}
		}}
		g := newRig(t, f, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 6}}})
		defer g.close()
		g.running()
		wantShown(t, g.stopped("breakpoint", 16), 1, "threads 2 and 3 are at breakpoint 1 too (continue shows each)")
		d.found.Known = true
		wantShown(t, g.stopped("breakpoint", 16), 1, "threads 2 and 3 are at breakpoint 1 too (continue shows each)")
		if hits := g.s.Breakpoints()[0].Hits; hits != 3 {
			t.Errorf("%d hits", hits)
		}
		wantShown(t, g.goesOn(), 2, "thread 3 is at breakpoint 1 too (continue shows each)")
		wantShown(t, g.goesOn(), 3, "")
		if n := g.count("continue"); n != 0 {
			t.Errorf("the program was let go %d times while threads were held", n)
		}
		if st := g.goesOn(); st.Status != Running || g.count("continue") != 1 {
			t.Errorf("%+v after the last, %d times let go", st, g.count("continue"))
		}
	})
}

func TestAStepPassesOverTheThreadsThatStoppedTogether(t *testing.T) {
	in(t, func(t *testing.T) {
		d := &gathering{found: adapters.Gathered{Others: []godap.StoppedEventBody{atLine6(2)}}}
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Stops.Together = d.Together }}
		g := newRig(t, f, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 6}}})
		defer g.close()
		g.running()
		g.stopped("breakpoint", 16)
		d.found = adapters.Gathered{}
		if _, err := g.s.Step(t.Context(), StepOptions{}, 0); err != nil {
			t.Fatal(err)
		}
		wantShown(t, g.stopped("step"), 1, "")
		if st := g.goesOn(); st.Status != Running {
			t.Errorf("%+v: a stop that was passed over came back", st)
		}
	})
}

func TestAThreadThatStopsBesideAnUnmetConditionIsShown(t *testing.T) {
	in(t, func(t *testing.T) {
		d := &gathering{found: adapters.Gathered{Others: []godap.StoppedEventBody{atLine6(2)}}}
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Stops.Together = d.Together }}
		g := newRig(t, f, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 6, Condition: "x == 1", HitCondition: "2"}}})
		defer g.close()
		g.running()
		g.a.Answer(godap.EvaluateResponseBody{Result: "true"}, "evaluate")
		wantShown(t, g.stopped("breakpoint", 16), 2, "")
	})
}

func (g *rig) goesOn() State {
	g.t.Helper()
	if err := g.s.Continue(g.t.Context(), 0); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
	return g.s.State()
}

func wantShown(t *testing.T, st State, thread int, note string) {
	t.Helper()
	if !st.Status.Stopped() || st.ThreadID != thread || st.Note != note {
		t.Errorf("%+v, want thread %d, note %q", st, thread, note)
	}
}

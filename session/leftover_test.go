package session

import (
	"strings"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

// oddDialect is that of an adapter that calls steps breakpoints and failed
// evaluations successes, and has no request to set a variable.
type oddDialect struct {
	fakeDialect
	vague bool
}

func (d *oddDialect) Stopped(b godap.StoppedEventBody) adapters.Stop {
	stop := d.fakeDialect.Stopped(b)
	stop.Vague = d.vague && b.Reason == "breakpoint"
	return stop
}
func (d *oddDialect) Judge(r godap.EvaluateResponseBody) (string, bool) {
	why, failed := strings.CutPrefix(r.Result, "error: ")
	return why, failed
}
func (d *oddDialect) Assignment(name, value string) string { return name + " := " + value }

// oddRig is a session on such an adapter, which numbers no breakpoints either.
func oddRig(t *testing.T, vague bool, r StartRequest) *rig {
	t.Helper()
	f := &fakeAdapter{
		plan: func(p *adapters.Plan) {
			d := &oddDialect{vague: vague}
			p.Dialect, p.Capabilities.Values = d, adapters.Values{EvaluationFailed: d.Judge, Assignment: d.Assignment}
		},
		script: func(a *daptest.Adapter) {
			a.Handle("initialize", func(r *daptest.Request) {
				r.Reply(godap.Capabilities{SupportsConfigurationDoneRequest: true})
			})
			a.Handle("setBreakpoints", func(r *daptest.Request) {
				var args godap.SetBreakpointsArguments
				r.Bind(&args)
				body := godap.SetBreakpointsResponseBody{Breakpoints: []godap.Breakpoint{}}
				for range args.Breakpoints {
					body.Breakpoints = append(body.Breakpoints, godap.Breakpoint{Verified: true})
				}
				r.Reply(body)
			})
		},
	}
	return newRig(t, f, r).running()
}

func TestAStopAtARemovedBreakpointIsPassedOver(t *testing.T) {
	in(t, func(t *testing.T) {
		g := oddRig(t, false, StartRequest{Break: []BreakpointSpec{{File: mainFile, Line: 3}, {File: mainFile, Line: 6}}})
		defer g.close()
		stackAt(g.a, "main.main", 3)
		if st := g.stopped("breakpoint"); st.Status != StoppedBreakpoint {
			t.Fatalf("at the breakpoint: %+v", st)
		}
		if err := g.s.RemoveBreakpoints(t.Context(), []int{1}); err != nil {
			t.Fatal(err)
		}
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		before := g.count("continue")
		if st := g.stopped("breakpoint"); st.Status != Running || g.count("continue") != before+1 {
			t.Errorf("where it was removed: %+v, continued %d times", st, g.count("continue")-before)
		}
		stackAt(g.a, "main.main", 6)
		if st := g.stopped("breakpoint"); st.Status != StoppedBreakpoint || len(st.Hit) != 1 || st.Hit[0] != 2 {
			t.Errorf("at the other: %+v", st)
		}
		stackAt(g.a, "main.main", 8) // the program's own word for a stop
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if st := g.stopped("breakpoint"); st.Status != StoppedBreakpoint || len(st.Hit) != 0 {
			t.Errorf("where there was none: %+v", st)
		}
	})
}

func TestAStepThatIsCalledABreakpoint(t *testing.T) {
	in(t, func(t *testing.T) {
		g := oddRig(t, true, StartRequest{Break: []BreakpointSpec{{File: mainFile, Line: 3}, {File: mainFile, Line: 6}}})
		defer g.close()
		g.stopped("breakpoint")
		line := 4
		g.a.Handle("next", func(r *daptest.Request) {
			r.Reply(nil)
			stackAt(g.a, "main.main", line)
			line++
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1})
		})
		st, err := g.s.Step(t.Context(), StepOptions{Action: "over", Count: 2}, long)
		if err != nil || st.Status != StoppedStep || st.Note != "" {
			t.Errorf("two steps: %+v, %v", st, err)
		}
		st, err = g.s.Step(t.Context(), StepOptions{Action: "over"}, long)
		if err != nil || st.Status != StoppedBreakpoint || len(st.Hit) != 1 || st.Hit[0] != 2 {
			t.Errorf("the step onto a breakpoint: %+v, %v", st, err)
		}
	})
}

func TestAFailedEvaluationThatIsCalledASuccess(t *testing.T) {
	in(t, func(t *testing.T) {
		g := oddRig(t, false, StartRequest{Break: []BreakpointSpec{{File: mainFile, Line: 3, Condition: "nope"}}})
		defer g.close()
		g.a.Answer(godap.EvaluateResponseBody{Result: "error: no nope", Type: "Error"}, "evaluate")
		stackAt(g.a, "main.main", 3)
		st := g.stopped("breakpoint")
		if st.Status != StoppedBreakpoint || !strings.Contains(st.Note, "no nope") {
			t.Errorf("a condition: %+v", st)
		}
		_, err := g.program().Evaluate(t.Context(), "nope", 0, 0, Page{})
		if f := wantCode(t, err, fault.Evaluation); !strings.Contains(f.Message, "no nope") {
			t.Errorf("an expression: %v", f)
		}
	})
}

func TestAVariableIsSetByAnExpression(t *testing.T) {
	in(t, func(t *testing.T) {
		g := oddRig(t, false, StartRequest{})
		defer g.close()
		value := "1"
		g.a.Handle("evaluate", func(r *daptest.Request) {
			var args godap.EvaluateArguments
			r.Bind(&args)
			if v, ok := strings.CutPrefix(args.Expression, "x := "); ok {
				value = v
			}
			r.Reply(godap.EvaluateResponseBody{Result: value})
		})
		g.stopped("step")
		old, now, err := g.program().Assign(t.Context(), "x", "7", 0, 0)
		synctest.Wait()
		if err != nil || old.Value != "1" || now.Value != "7" {
			t.Errorf("old %+v, now %+v, %v", old, now, err)
		}
	})
}

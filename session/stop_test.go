package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

func TestAPlainStepViewTakesThreeRequests(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.a.Handle("next", func(r *daptest.Request) {
			g.a.Event("continued", godap.ContinuedEventBody{ThreadId: 1})
			r.Reply(nil)
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "step", ThreadId: 1})
		})
		g.stopped("breakpoint", 14)
		before := len(g.a.Seen())
		st, err := g.s.Step(t.Context(), StepOptions{Action: "over"}, long)
		if err != nil || st.Status != StoppedStep {
			t.Fatalf("%+v, %v", st, err)
		}
		if _, err := g.s.View(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := g.a.Seen()[before:], []string{"next", "stackTrace", "scopes", "variables"}; !slices.Equal(got, want) {
			t.Errorf("sent %v, wanted %v", got, want)
		}
	})
}

// A pause that only says that the adapter has been joined hides no stop; one that
// was asked for, or that comes first, is told.
func TestAPauseWhenJoinedHidesNoStop(t *testing.T) {
	for name, c := range map[string]struct {
		quirk  bool
		events []string
		want   Status
	}{
		"after a breakpoint":          {true, []string{"breakpoint", "pause"}, StoppedBreakpoint},
		"alone":                       {true, []string{"pause"}, Paused},
		"of an adapter that means it": {false, []string{"breakpoint", "pause"}, Paused},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Start.AttachEndsInPause = c.quirk }}
				g := newRig(t, f, StartRequest{}).running()
				defer g.close()
				var st State
				for _, reason := range c.events {
					st = g.stopped(reason)
				}
				if st.Status != c.want {
					t.Errorf("%s, want %s", st.Status, c.want)
				}
				g.goesOn()
				if st = g.stopped("pause"); st.Status != Paused {
					t.Errorf("after it went on: %s", st.Status)
				}
			})
		})
	}
}

func TestChangedVariables(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		show := func(function string, vars ...godap.Variable) *View {
			t.Helper()
			stackAt(g.a, function, 6)
			g.a.Answer(godap.VariablesResponseBody{Variables: vars}, "variables")
			g.stopped("step")
			v, err := g.s.View(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		one := func(v string) godap.Variable { return godap.Variable{Name: "x", Value: v} }
		if v := show("main.f", one("1")); v.SameFrame || len(v.Changed) != 0 {
			t.Errorf("first view: %+v", v.Changed)
		}
		if v := show("main.f", one("2"), godap.Variable{Name: "y", Value: "9"}); !v.SameFrame ||
			!slices.Equal(v.Changed, []Change{{Name: "x", Old: "1", New: "2"}, {Name: "y", Old: "", New: "9"}}) {
			t.Errorf("second view: same %v, %+v", v.SameFrame, v.Changed)
		}
		if v := show("main.g", one("7")); v.SameFrame || len(v.Changed) != 0 {
			t.Errorf("another function: %+v", v.Changed)
		}
		if v := show("main.f", one("3")); v.SameFrame || !slices.Equal(v.Changed, []Change{{Name: "x", Old: "2", New: "3"}}) {
			t.Errorf("back again: same %v, %+v", v.SameFrame, v.Changed)
		}
		if seen := g.s.Seen(); len(seen) < 4 || seen[len(seen)-1].Value != "3" {
			t.Errorf("seen %+v", seen)
		}
	})
}

func TestTheUsersFrameIsShownAtAPanic(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		source := &godap.Source{Path: mainFile}
		frames := []godap.StackFrame{
			{Id: 1, Name: "runtime.gopanic", Line: 700}, {Id: 2, Name: "runtime.goPanicIndex", Line: 100},
			{Id: 3, Name: "main.pick", Line: 6, Source: source}, {Id: 4, Name: "main.main", Line: 10, Source: source},
		}
		g.a.Handle("stackTrace", func(r *daptest.Request) { r.Reply(godap.StackTraceResponseBody{StackFrames: frames, TotalFrames: 4}) })
		var asked int
		g.a.Handle("scopes", func(r *daptest.Request) {
			var args godap.ScopesArguments
			r.Bind(&args)
			asked = args.FrameId
			r.Reply(godap.ScopesResponseBody{Scopes: []godap.Scope{{Name: "Locals", VariablesReference: 100}}})
		})
		g.a.Answer(godap.ExceptionInfoResponseBody{ExceptionId: "panic", Details: &godap.ExceptionDetails{StackTrace: "trace"}}, "exceptionInfo")
		g.a.Event("stopped", godap.StoppedEventBody{Reason: "exception", Description: "panic", Text: "index out of range", ThreadId: 1})
		synctest.Wait()
		v, err := g.s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if v.State.Status != StoppedException || v.Frame.Function != "main.pick" || v.Top.Function != "runtime.gopanic" || asked != 3 {
			t.Errorf("frame %+v, top %+v, scopes of %d", v.Frame, v.Top, asked)
		}
		if e := v.Exception; e.Type != "panic" || e.Message != "index out of range" || e.Stack != "trace" {
			t.Errorf("exception %+v", e)
		}
		stack, total, err := g.program().Stack(t.Context(), 0, 0, 10)
		if err != nil || total != 2 || stack[0].Function != "main.pick" || stack[0].Index != 0 {
			t.Errorf("stack %+v, total %d, %v", stack, total, err)
		}
		above, _, err := g.program().Stack(t.Context(), 0, -2, 2)
		if err != nil || len(above) != 2 || above[0].Index != -2 || above[0].Function != "runtime.gopanic" {
			t.Errorf("above: %+v, %v", above, err)
		}
		_, err = g.program().Evaluate(t.Context(), "x", 0, 7, Page{})
		wantCode(t, err, fault.InvalidFrame)
	})
}

func TestAThreadIsChosenWhenTheStopNamesNone(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.a.Answer(godap.ThreadsResponseBody{Threads: []godap.Thread{{Id: 5}, {Id: 7}}}, "threads")
		g.a.Handle("stackTrace", func(r *daptest.Request) {
			var args godap.StackTraceArguments
			r.Bind(&args)
			name := map[int]string{5: "runtime.park", 7: "main.worker"}[args.ThreadId]
			r.Reply(godap.StackTraceResponseBody{TotalFrames: 1, StackFrames: []godap.StackFrame{{Id: args.ThreadId, Name: name, Line: 1}}})
		})
		g.a.Event("stopped", godap.StoppedEventBody{Reason: "pause"})
		synctest.Wait()
		if st := g.s.State(); st.ThreadID != 5 {
			t.Errorf("state %+v", st)
		}
		v, err := g.s.View(t.Context())
		if err != nil || v.State.ThreadID != 7 || v.Frame.Function != "main.worker" {
			t.Errorf("view %+v, %v", v, err)
		}
	})
}

func TestLateContinuedIsNotBelieved(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.stopped("breakpoint", 14)
		g.a.Handle("continue", func(r *daptest.Request) {
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1})
			g.a.Event("continued", godap.ContinuedEventBody{ThreadId: 1})
			r.Reply(nil)
		})
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if st := g.s.State(); st.Status != StoppedBreakpoint {
			t.Errorf("after the echo: %+v", st)
		}
		g.a.Event("continued", godap.ContinuedEventBody{ThreadId: 1})
		synctest.Wait()
		if st := g.s.State(); st.Status != Running {
			t.Errorf("after a true one: %+v", st)
		}
	})
}

func TestARefusedResumeLeavesTheStop(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.stopped("breakpoint", 14)
		g.a.Answer(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "s", Value: "[]", VariablesReference: 5, EvaluateName: "s"}}}, "variables")
		v, err := g.s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		g.a.Handle("next", func(r *daptest.Request) { r.Fail("cannot step") })
		_, err = g.s.Step(t.Context(), StepOptions{}, long)
		if err == nil || !strings.Contains(err.Error(), "cannot step") {
			t.Errorf("error %v", err)
		}
		if st := g.s.State(); st.Status != StoppedBreakpoint {
			t.Errorf("state %+v", st)
		}
		if _, err := g.program().Expand(t.Context(), v.Locals[0].Ref, Page{}); err != nil {
			t.Errorf("the reference died: %v", err)
		}
	})
}

func TestAStoppedProgramRefusesWhenItsStopIsOver(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.stopped("step")
		p := g.program()
		if _, _, err := p.Stack(t.Context(), 0, 0, 0); err != nil {
			t.Fatal(err)
		}
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		sent := len(g.sent())
		for _, where := range []string{"while it runs", "at another stop"} {
			_, evaluated := p.Evaluate(t.Context(), "x", 0, 0, Page{})
			_, _, listed := p.Variables(t.Context(), Locals, 0, 0, Page{})
			_, _, read := p.Memory(t.Context(), "0x10", 4)
			_, _, assigned := p.Assign(t.Context(), "x", "1", 0, 0)
			_, grouped := p.Threads(t.Context(), "", 0)
			for what, err := range map[string]error{"evaluate": evaluated, "variables": listed, "memory": read, "assign": assigned, "threads": grouped} {
				if f := wantCode(t, err, fault.NotPaused); f.Hint == "" {
					t.Errorf("%s %s: no hint", what, where)
				}
			}
			if len(g.sent()) != sent {
				t.Errorf("%s: something was asked: %v", where, g.sent()[sent:])
			}
			g.stopped("breakpoint", 14)
		}
		if _, err := g.s.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		_, err := p.Evaluate(t.Context(), "x", 0, 0, Page{})
		wantCode(t, err, fault.SessionTerminated)
	})
}

func TestStaleReferences(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.a.Answer(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "s", Value: "[]", VariablesReference: 5, EvaluateName: "app.s"}}}, "variables")
		g.stopped("breakpoint", 14)
		v, err := g.s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ref := v.Locals[0].Ref
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		g.stopped("breakpoint", 14)
		sent := g.count("variables")
		_, err = g.program().Expand(t.Context(), ref, Page{})
		if f := wantCode(t, err, fault.StaleReference); !strings.Contains(f.Hint, "app.s") {
			t.Errorf("hint %q", f.Hint)
		}
		_, err = g.program().Expand(t.Context(), 99, Page{})
		wantCode(t, err, fault.StaleReference)
		if g.count("variables") != sent {
			t.Error("a stale reference was sent")
		}
	})
}

func TestStepsEndEarly(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
		defer g.close()
		g.stopped("pause")
		n := 0
		g.a.Handle("next", func(r *daptest.Request) {
			r.Reply(nil)
			n++
			body := godap.StoppedEventBody{Reason: "step", ThreadId: 1}
			if n == 3 {
				body = godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1, HitBreakpointIds: []int{14}}
			}
			g.a.Event("stopped", body)
		})
		st, err := g.s.Step(t.Context(), StepOptions{Count: 10}, long)
		if err != nil || n != 3 || st.Status != StoppedBreakpoint || !strings.Contains(st.Note, "2 of 10 steps") || !strings.Contains(st.Note, "breakpoint 1") {
			t.Errorf("after %d steps: %+v, %v", n, st, err)
		}
		g.a.Answer(nil, "next")
		st, err = g.s.Step(t.Context(), StepOptions{Count: 2}, 0)
		if err != nil || st.Status != Running {
			t.Errorf("without waiting: %+v, %v", st, err)
		}
		_, err = g.s.Step(t.Context(), StepOptions{}, 0)
		wantCode(t, err, fault.NotPaused)
		g.stopped("step")
		_, err = g.s.Step(t.Context(), StepOptions{Action: "back"}, long)
		wantCode(t, err, fault.NotSupported)
	})
}

func TestStepIntoFunction(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.stopped("pause")
		into := []string{"main.arg", "main.main", "main.wanted"}
		step := func(command string, names ...string) {
			g.a.Handle(command, func(r *daptest.Request) {
				r.Reply(nil)
				stackAt(g.a, names[0], map[bool]int{true: 3, false: 20}[names[0] == "main.main"])
				if len(names) > 1 {
					names = names[1:]
				}
				g.a.Event("stopped", godap.StoppedEventBody{Reason: "step", ThreadId: 1})
			})
		}
		step("stepIn", into...)
		step("stepOut", "main.main")
		st, err := g.s.Step(t.Context(), StepOptions{Into: "wanted"}, long)
		if err != nil || st.Status != StoppedStep || g.count("stepIn") != 3 || g.count("stepOut") != 1 {
			t.Errorf("%+v, %v, %v", st, err, g.a.Seen())
		}
	})
}

func TestContinueFinishesAnInterruptedStepSilently(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.stopped("breakpoint", 14)
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if st := g.stopped("step"); st.Status != Running || g.count("continue") != 2 {
			t.Errorf("%+v after %d continues", st, g.count("continue"))
		}
		g.a.Event("stopped", godap.StoppedEventBody{Reason: "exception", Description: "resume", ThreadId: 1})
		synctest.Wait()
		if st := g.s.State(); st.Status != Running || g.count("continue") != 3 {
			t.Errorf("%+v after %d continues", st, g.count("continue"))
		}
	})
}

func TestPause(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.a.Handle("pause", func(r *daptest.Request) {
			r.Reply(nil)
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "pause", ThreadId: 1})
		})
		unlock, err := g.s.Lock(t.Context()) // as another call that waits does
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		waiting := make(chan State, 1)
		go func() { st, _ := g.s.Wait(t.Context(), long); waiting <- st }()
		if err := g.s.Pause(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if st := <-waiting; st.Status != Paused {
			t.Errorf("%+v", st)
		}
		wantCode(t, g.s.Pause(t.Context(), 0), fault.NotRunning)
	})
}

func TestTheLockWaitsNoLongerThanItsContext(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		unlock, err := g.s.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.s.Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		unlock()
		if _, err := g.s.Lock(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A stop is told with its place and its stack although the adapter does not
// answer for values, and the session works on when it has come back.
func TestSilentValuesDoNotCostTheStop(t *testing.T) {
	for _, silent := range []string{"scopes", "variables"} {
		in(t, func(t *testing.T) {
			g := newRig(t, nil, StartRequest{}).running()
			defer g.close()
			asked := 0
			answer := map[string]any{
				"scopes":    godap.ScopesResponseBody{Scopes: []godap.Scope{{Name: "Locals", VariablesReference: 100}}},
				"variables": godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "x", Value: "1", EvaluateName: "x"}}},
			}[silent]
			g.a.Handle(silent, func(r *daptest.Request) {
				if asked++; asked > 1 {
					r.Reply(answer)
				}
			})
			g.stopped("step")
			v, err := g.s.View(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", silent, err)
			}
			if v.Frame == nil || v.Frame.Line != 3 || len(v.Stack) != 1 || len(v.Locals) != 0 {
				t.Errorf("%s: %+v", silent, v)
			}
			if want := `did not answer "` + silent + `"`; v.Unread.What != "locals" || !strings.Contains(v.Unread.Why, want) {
				t.Errorf("%s: the remark is %q", silent, v.Unread)
			}
			vars, _, err := g.program().Variables(t.Context(), Locals, 0, 0, Page{})
			if err != nil || len(vars) != 1 || vars[0].Value != "1" {
				t.Errorf("%s: asked again: %+v, %v", silent, vars, err)
			}
			if v, err = g.s.View(t.Context()); err != nil || v.Unread.What != "" || len(v.Locals) != 1 {
				t.Errorf("%s: the next view: %+v, %v", silent, v, err)
			}
		})
	}
}

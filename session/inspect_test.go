package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

func TestEvaluationsThatRunTheProgram(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
		defer g.close()
		g.stopped("pause")
		_, err := g.program().Evaluate(t.Context(), "nope", 0, 0, Page{})
		if f := wantCode(t, err, fault.Evaluation); f.Message != "no symbol" {
			t.Errorf("message %q", f.Message)
		}
		g.a.Handle("evaluate", func(r *daptest.Request) {
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1, HitBreakpointIds: []int{14}})
			r.Fail("call stopped")
		})
		_, err = g.program().Evaluate(t.Context(), "f()", 0, 0, Page{})
		if f := wantCode(t, err, fault.Evaluation); !strings.Contains(f.Message, "breakpoint 1") {
			t.Errorf("message %q", f.Message)
		}
		if st := g.s.State(); st.Status != StoppedBreakpoint || !slices.Equal(st.Hit, []int{1}) {
			t.Errorf("state %+v", st)
		}
		g.a.Handle("evaluate", func(*daptest.Request) {}) // never returns
		g.a.Handle("pause", func(r *daptest.Request) {
			r.Reply(nil)
			g.a.Event("stopped", godap.StoppedEventBody{Reason: "pause", ThreadId: 1})
		})
		_, err = g.program().Evaluate(t.Context(), "forever()", 0, 0, Page{})
		if f := wantCode(t, err, fault.Evaluation); !strings.Contains(f.Message, "interrupted") {
			t.Errorf("message %q", f.Message)
		}
		if st := g.s.State(); st.Status != Paused {
			t.Errorf("state %+v", st)
		}
		g.a.Answer(nil, "pause")
		_, err = g.program().Evaluate(t.Context(), "forever()", 0, 0, Page{})
		wantCode(t, err, fault.Evaluation)
	})
}

func TestThreadsAreGrouped(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		var threads []godap.Thread
		for i := 1; i <= 100; i++ {
			threads = append(threads, godap.Thread{Id: i, Name: fmt.Sprintf("worker %d", i)})
		}
		g.a.Answer(godap.ThreadsResponseBody{Threads: threads}, "threads")
		g.a.Handle("stackTrace", func(r *daptest.Request) {
			var args godap.StackTraceArguments
			r.Bind(&args)
			name := "main.worker"
			if args.ThreadId == 1 {
				name = "main.main"
			}
			r.Reply(godap.StackTraceResponseBody{StackFrames: []godap.StackFrame{{Name: "runtime.park"}, {Name: name, Line: 5}}})
		})
		g.stopped("pause")
		got, err := g.s.Threads(t.Context(), "", 2)
		if err != nil || got.Total != 100 || len(got.Groups) != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
		if main := got.Groups[0]; !main.Current || main.Count != 1 || main.Frames[0].Function != "main.main" {
			t.Errorf("first group %+v", main)
		}
		if rest := got.Groups[1]; rest.Count != 99 || len(rest.IDs) != 8 {
			t.Errorf("second group %+v", rest)
		}
	})
}

func TestAssign(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		values := map[string]string{"x": "1", "p.n": "2", "p": "{n: 2}"}
		g.a.Handle("evaluate", func(r *daptest.Request) {
			var args godap.EvaluateArguments
			r.Bind(&args)
			ref := 0
			if args.Expression == "p" {
				ref = 200
			}
			r.Reply(godap.EvaluateResponseBody{Result: values[args.Expression], VariablesReference: ref})
		})
		g.a.Handle("variables", func(r *daptest.Request) {
			var args godap.VariablesArguments
			r.Bind(&args)
			v := godap.Variable{Name: "x", EvaluateName: "x"}
			if args.VariablesReference == 200 {
				v = godap.Variable{Name: "n", EvaluateName: "p.n"}
			}
			r.Reply(godap.VariablesResponseBody{Variables: []godap.Variable{v}})
		})
		g.a.Handle("setVariable", func(r *daptest.Request) {
			var args godap.SetVariableArguments
			r.Bind(&args)
			if args.Value == "oops" {
				r.Fail("not a number")
				return
			}
			values[map[int]string{100: "x", 200: "p.n"}[args.VariablesReference]] = args.Value
			r.Reply(godap.SetVariableResponseBody{Value: args.Value})
		})
		g.stopped("pause")
		for name, was := range map[string]string{"x": "1", "p.n": "2"} {
			old, now, err := g.program().Assign(t.Context(), name, "9", 0, 0)
			if err != nil || old.Value != was || now.Value != "9" {
				t.Errorf("%s: %q then %q, %v", name, old.Value, now.Value, err)
			}
		}
		_, _, err := g.program().Assign(t.Context(), "x", "oops", 0, 0)
		if f := wantCode(t, err, fault.VariableSet); f.Message != "not a number" {
			t.Errorf("message %q", f.Message)
		}
	})
}

// What an adapter does wrong is never called a bug of ours.
func TestMistakesOfTheAdapter(t *testing.T) {
	in(t, func(t *testing.T) {
		caps := fakeCaps
		caps.SupportsReadMemoryRequest = true
		g := newRig(t, &fakeAdapter{script: func(a *daptest.Adapter) { a.Answer(caps, "initialize") }}, StartRequest{}).running()
		defer g.close()
		g.a.Handle("evaluate", func(r *daptest.Request) { r.Fail("\x1b[31mno\x1b[0m symbol\a") })
		g.a.Answer([]string{"frame"}, "stackTrace")
		g.stopped("step")
		v, err := g.s.View(t.Context())
		if err != nil || v.State.Status != StoppedStep || v.Unread.What != "stack" {
			t.Errorf("view %+v, %v", v, err)
		}
		_, _, err = g.program().Stack(t.Context(), 0, 0, 0)
		wantCode(t, err, fault.NotSupported)
		stackAt(g.a, "main.main", 3)
		g.stopped("step")
		_, err = g.program().Evaluate(t.Context(), "x", 0, 0, Page{})
		if f := wantCode(t, err, fault.Evaluation); f.Message != "no symbol" {
			t.Errorf("message %q", f.Message)
		}
		g.a.Answer(map[string]string{"data": "aGVsbG8="}, "readMemory")
		address, data, err := g.program().Memory(t.Context(), "0x10", 5)
		if err != nil || address != "0x10" || string(data) != "hello" {
			t.Errorf("memory %q at %q, %v", data, address, err)
		}
		g.a.Answer(godap.EvaluateResponseBody{Result: "p", MemoryReference: "some place"}, "evaluate")
		_, _, err = g.program().Memory(t.Context(), "p", 5)
		wantCode(t, err, fault.Evaluation)
		g.a.Answer([]string{"data"}, "readMemory")
		_, _, err = g.program().Memory(t.Context(), "0x10", 5)
		wantCode(t, err, fault.NotSupported)
	})
}

package session

import (
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

func TestStopInEveryState(t *testing.T) {
	states := map[string]func(g *rig){
		"running":           func(*rig) {},
		"at a breakpoint":   func(g *rig) { g.stopped("breakpoint", 14) },
		"ended":             func(g *rig) { g.a.Event("terminated", nil); synctest.Wait() },
		"adapter dead":      func(g *rig) { g.a.Close(); synctest.Wait() },
		"disconnect silent": func(g *rig) { g.a.Handle("disconnect", func(*daptest.Request) {}) },
		"while a call waits": func(g *rig) {
			go func() {
				if st, err := g.s.Wait(g.t.Context(), long); err != nil || st.Status != Terminated {
					g.t.Errorf("the waiter saw %+v, %v", st, err)
				}
			}()
		},
	}
	for name, prepare := range states {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, nil, StartRequest{}).running()
				prepare(g)
				begin := time.Now()
				st, err := g.s.Stop(t.Context(), false)
				if err != nil || st.Status != Terminated {
					t.Errorf("%+v, %v", st, err)
				}
				if took := time.Since(begin); took > 3*time.Second {
					t.Errorf("took %s", took)
				}
				if st, err := g.s.Stop(t.Context(), false); err != nil || st.Status != Terminated {
					t.Errorf("again: %+v, %v", st, err)
				}
				if g.adapter.killed.Load() != 1 || g.adapter.closed.Load() != 1 {
					t.Errorf("killed %d times, plan closed %d times", g.adapter.killed.Load(), g.adapter.closed.Load())
				}
				err = g.s.Stopped().Err()
				wantCode(t, err, fault.SessionTerminated)
			})
		})
	}
}

func TestStopLeavesAnAttachedProgramUnlessToldToKill(t *testing.T) {
	for _, kill := range []bool{false, true} {
		in(t, func(t *testing.T) {
			f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Detach, p.Mode = true, adapters.Attach }}
			g := newRig(t, f, StartRequest{}).running()
			var args godap.DisconnectArguments
			g.a.Handle("disconnect", func(r *daptest.Request) { r.Bind(&args); r.Reply(nil) })
			if _, err := g.s.Stop(t.Context(), kill); err != nil {
				t.Fatal(err)
			}
			if args.TerminateDebuggee != kill {
				t.Errorf("kill %v: terminateDebuggee %v", kill, args.TerminateDebuggee)
			}
		})
	}
}

// What a start has attached to before it fails is not ended; what it has
// launched is. A wrong choice of exceptions is seen before it attaches.
func TestAFailedStartLeavesAnAttachedProgram(t *testing.T) {
	for _, attached := range []bool{false, true} {
		in(t, func(t *testing.T) {
			var args godap.DisconnectArguments
			f := &fakeAdapter{
				plan: func(p *adapters.Plan) { p.Detach = attached },
				script: func(a *daptest.Adapter) {
					a.Handle("configurationDone", func(r *daptest.Request) { r.Fail("out of luck") })
					a.Handle("disconnect", func(r *daptest.Request) { r.Bind(&args); r.Reply(nil) })
				},
			}
			g := newRig(t, f, StartRequest{})
			_, err := g.s.WaitFirst(t.Context(), long)
			wantCode(t, err, fault.SessionStart)
			synctest.Wait()
			if args.TerminateDebuggee == attached {
				t.Errorf("attached %v: terminateDebuggee %v", attached, args.TerminateDebuggee)
			}
		})
		in(t, func(t *testing.T) {
			g := newRig(t, &fakeAdapter{plan: func(p *adapters.Plan) { p.Detach = attached }}, StartRequest{Exceptions: []string{"nosuch"}})
			_, err := g.s.WaitFirst(t.Context(), long)
			wantCode(t, err, fault.InvalidParam)
			synctest.Wait()
			g.a = g.adapter.last()
			if sent := g.count("launch"); sent == 1 == attached {
				t.Errorf("attached %v: the program was started or attached to %d times", attached, sent)
			}
		})
	}
}

func TestStopWhileAResumeIsUnanswered(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		g.stopped("breakpoint", 14)
		g.a.Handle("continue", func(*daptest.Request) {})
		result := make(chan error, 1)
		go func() {
			err := g.s.Continue(t.Context(), 0)
			if err == nil {
				_, err = g.s.Wait(t.Context(), long)
			}
			result <- err
		}()
		synctest.Wait()
		if _, err := g.s.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if err := <-result; err != nil {
			t.Errorf("the waiting call got %v", err)
		}
	})
}

func TestExceptionChoice(t *testing.T) {
	in(t, func(t *testing.T) {
		var sent [][]string
		record := func(a *daptest.Adapter) {
			a.Handle("setExceptionBreakpoints", func(r *daptest.Request) {
				var args setFiltersArguments
				r.Bind(&args)
				if args.Filters == nil {
					t.Error("the filters are null")
				}
				sent = append(sent, args.Filters)
				r.Reply(nil)
			})
		}
		g := newRig(t, &fakeAdapter{script: record}, StartRequest{Exceptions: []string{"none"}}).running()
		defer g.close()
		filters, err := g.s.SetExceptions(t.Context(), []string{"all"})
		if err != nil || !slices.Equal(filters, []string{"panic"}) || !slices.Equal(g.s.Exceptions(), []string{"all"}) {
			t.Errorf("%v, %v", filters, err)
		}
		_, err = g.s.SetExceptions(t.Context(), []string{"nonsense"})
		wantCode(t, err, fault.InvalidParam)
		if !slices.Equal(g.s.Exceptions(), []string{"all"}) || len(sent) != 2 || len(sent[0]) != 0 {
			t.Errorf("choice %v, sent %v", g.s.Exceptions(), sent)
		}
	})
}

func TestAnUnknownExceptionFilterFailsTheStart(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Exceptions: []string{"nonsense"}})
		_, err := g.s.Wait(t.Context(), long)
		wantCode(t, err, fault.InvalidParam)
		g.close()
		synctest.Wait()
	})
}

func TestCapabilitiesComeFromTheLiveAdapter(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Answer(godap.Capabilities{SupportsConfigurationDoneRequest: true, SupportsLogPoints: true}, "initialize")
		}}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		g.a.Event("capabilities", map[string]any{"capabilities": map[string]any{"supportsStepBack": true}})
		synctest.Wait()
		got := map[string]Support{}
		for _, c := range g.s.Capabilities() {
			got[c.Name] = c.Support
		}
		for name, want := range map[string]Support{
			"logpoints": Native, "hit_conditions": Supplied, "watchpoints": Impossible, "step_back": Native, "restart": Supplied,
		} {
			if got[name] != want {
				t.Errorf("%s is %q, wanted %q", name, got[name], want)
			}
		}
	})
}

func TestAdaptersWithoutAPowerSayWhatElseWorks(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Answer(godap.Capabilities{SupportsConfigurationDoneRequest: true}, "initialize")
		}}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		g.stopped("pause")
		ctx := t.Context()
		errs := map[string]error{}
		_, errs["watch"] = g.s.Watch(ctx, "x", "", "", "")
		errs["jump"] = g.s.Jump(ctx, "main.go:4", 0)
		_, errs["disassembly"] = g.program().Disassemble(ctx, "", 0, 0, 3)
		_, errs["modules"] = g.program().Modules(ctx, "")
		_, _, errs["memory"] = g.program().Memory(ctx, "0x1000", 8)
		_, _, errs["assign"] = g.program().Assign(ctx, "x", "1", 0, 0)
		_, errs["instruction step"] = g.s.Step(ctx, StepOptions{Granularity: "instruction"}, 0)
		for what, err := range errs {
			if f := wantCode(t, err, fault.NotSupported); f.Hint == "" || !strings.Contains(f.Message, "Fake") {
				t.Errorf("%s: %q, hint %q", what, f.Message, f.Hint)
			}
		}
	})
}

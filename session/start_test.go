package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

func TestHandshakeOrders(t *testing.T) {
	orders := map[string]func(*daptest.Adapter){
		"initialized, then the launch reply": nil,
		"launch reply, then initialized": func(a *daptest.Adapter) {
			a.Handle("launch", func(r *daptest.Request) { r.Reply(nil); a.Event("initialized", nil) })
		},
		"launch reply only after configurationDone": func(a *daptest.Adapter) {
			var launch *daptest.Request
			a.Handle("launch", func(r *daptest.Request) { launch = r; a.Event("initialized", nil) })
			a.Handle("configurationDone", func(r *daptest.Request) { r.Reply(nil); launch.Reply(nil) })
		},
		"initialized with the initialize reply, before launch": func(a *daptest.Adapter) {
			a.Handle("initialize", func(r *daptest.Request) { a.Event("initialized", nil); r.Reply(fakeCaps) })
			a.Answer(nil, "launch")
		},
		"initialized twice": func(a *daptest.Adapter) {
			a.Handle("launch", func(r *daptest.Request) {
				a.Event("initialized", nil)
				a.Event("initialized", nil)
				r.Reply(nil)
			})
		},
	}
	for name, script := range orders {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, &fakeAdapter{script: script}, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
				defer g.close()
				want := []string{"setBreakpoints", "setExceptionBreakpoints", "configurationDone"}
				if got := g.sent(); !slices.Equal(got, want) {
					t.Errorf("sent %v, wanted %v", got, want)
				}
				if st := g.s.State(); !st.BreakpointsActive {
					t.Errorf("no active breakpoint: %+v", st)
				}
			})
		})
	}
}

func TestStartFailures(t *testing.T) {
	cases := map[string]struct {
		f    *fakeAdapter
		code fault.Code
		says string
	}{
		"the build fails": {
			&fakeAdapter{planErr: func(context.Context) error { return fault.New(fault.BuildFailed, "main.go:3: undefined: x") }},
			fault.BuildFailed, "undefined: x",
		},
		"the launch is refused": {
			&fakeAdapter{script: func(a *daptest.Adapter) {
				a.Handle("launch", func(r *daptest.Request) { r.Fail("no such program") })
			}},
			fault.SessionStart, "no such program",
		},
		"the launch is refused after the adapter has announced the end": {
			&fakeAdapter{script: func(a *daptest.Adapter) {
				a.Handle("launch", func(r *daptest.Request) { a.Event("terminated", nil); r.Fail("no such program") })
			}},
			fault.SessionStart, "no such program",
		},
		"the launch is refused after configurationDone": {
			&fakeAdapter{script: func(a *daptest.Adapter) {
				var launch *daptest.Request
				a.Handle("launch", func(r *daptest.Request) { launch = r; a.Event("initialized", nil) })
				a.Handle("configurationDone", func(r *daptest.Request) { r.Reply(nil); launch.Fail("too late") })
			}},
			fault.SessionStart, "too late",
		},
		"the adapter dies": {
			&fakeAdapter{stderr: "panic: out of luck", script: func(a *daptest.Adapter) {
				a.Handle("launch", func(*daptest.Request) { a.Close() })
			}},
			fault.AdapterCrashed, "out of luck",
		},
		"the adapter is silent": {
			&fakeAdapter{script: func(a *daptest.Adapter) { a.Handle("launch", func(*daptest.Request) {}) }},
			fault.AdapterTimeout, "launch",
		},
		"the adapter does not even initialize": {
			&fakeAdapter{script: func(a *daptest.Adapter) { a.Handle("initialize", func(*daptest.Request) {}) }},
			fault.AdapterTimeout, "initialize",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, c.f, StartRequest{})
				_, err := g.s.WaitFirst(t.Context(), long)
				if f := wantCode(t, err, c.code); !strings.Contains(f.Message, c.says) {
					t.Errorf("message %q does not say %q", f.Message, c.says)
				}
				if list := g.m.List(); len(list) != 0 {
					t.Errorf("a session that never ran is still listed")
				}
				synctest.Wait()
				if c.f.planErr == nil && c.f.closed.Load() != 1 {
					t.Errorf("plan closed %d times", c.f.closed.Load())
				}
			})
		})
	}
}

// mute is an adapter that claims nothing.
type mute struct{ *fakeAdapter }

func (mute) Claims(adapters.Request) int { return 0 }

// A target that is not there is told with what is called like it.
func TestATargetThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := NewManager(Options{Registry: adapters.NewRegistry(mute{}, mute{})})
	for target, says := range map[string]string{"./sevrer": "did you mean ./server?", "nowhere": "give language"} {
		_, err := m.Open(StartRequest{Program: adapters.Request{Workspace: dir, Target: target}})
		if f := wantCode(t, err, fault.InvalidTarget); !strings.Contains(f.Message, "there is no "+target) || !strings.Contains(f.Hint, says) {
			t.Errorf("%s: %s; %s", target, f.Message, f.Hint)
		}
	}
}

// A start that fails when nobody waits for it any more is told to whoever asks.
func TestALateFailureIsKept(t *testing.T) {
	in(t, func(t *testing.T) {
		fails := make(chan struct{})
		g := newRig(t, &fakeAdapter{planErr: func(context.Context) error {
			<-fails
			return fault.New(fault.BuildFailed, "no such thing")
		}}, StartRequest{})
		if st, err := g.s.WaitFirst(t.Context(), 0); err != nil || st.Status != Starting {
			t.Fatalf("state %+v, error %v", st, err)
		}
		close(fails)
		time.Sleep(time.Hour)
		_, err := g.m.Get("")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err = g.s.Wait(t.Context(), long)
			wantCode(t, err, fault.BuildFailed)
		}
		if st := g.s.State(); !st.Failed || !strings.Contains(st.Note, "no such thing") {
			t.Errorf("state %+v", st)
		}
	})
}

func TestStopWhileBuilding(t *testing.T) {
	in(t, func(t *testing.T) {
		ended := false
		g := newRig(t, &fakeAdapter{planErr: func(ctx context.Context) error {
			<-ctx.Done()
			ended = true
			return context.Cause(ctx)
		}}, StartRequest{})
		synctest.Wait()
		if st := g.s.State(); st.Status != Starting || st.Doing != "building" {
			t.Fatalf("state %+v", st)
		}
		st, err := g.s.Stop(t.Context(), true)
		if err != nil || st.Status != Terminated || !ended {
			t.Errorf("state %+v, error %v, build ended %v", st, err, ended)
		}
		if v, err := g.s.View(t.Context()); err != nil || v.State.Status != Terminated {
			t.Errorf("view %+v, %v", v, err)
		}
	})
}

// What prepares a program may wait for the system, which does not hear that it is
// to stop: the session ends nevertheless, and what comes of it late is released.
func TestStopWhilePreparingHangs(t *testing.T) {
	in(t, func(t *testing.T) {
		answers := make(chan struct{})
		f := &fakeAdapter{planErr: func(context.Context) error { <-answers; return nil }}
		g := newRig(t, f, StartRequest{})
		synctest.Wait()
		begin := time.Now()
		st, err := g.s.Stop(t.Context(), true)
		if took := time.Since(begin); err != nil || st.Status != Terminated || took > 4*time.Second {
			t.Errorf("state %+v, error %v, after %s", st, err, took)
		}
		close(answers)
		synctest.Wait()
		if f.closed.Load() != 1 {
			t.Errorf("the late plan was closed %d times", f.closed.Load())
		}
	})
}

func TestStopWhileTheAdapterHangs(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Handle("launch", func(*daptest.Request) {})
			a.Handle("disconnect", func(*daptest.Request) {})
		}}
		g := newRig(t, f, StartRequest{})
		synctest.Wait()
		begin := time.Now()
		st, err := g.s.Stop(t.Context(), true)
		if err != nil || st.Status != Terminated {
			t.Errorf("state %+v, error %v", st, err)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("took %s", took)
		}
		if f.killed.Load() != 1 || f.closed.Load() != 1 {
			t.Errorf("killed %d, closed %d", f.killed.Load(), f.closed.Load())
		}
	})
}

func TestStopOnEntry(t *testing.T) {
	in(t, func(t *testing.T) {
		r := StartRequest{Program: adapters.Request{StopOnEntry: true}}
		g := newRig(t, &fakeAdapter{entry: "main.main"}, r).running()
		defer g.close()
		st := g.stopped("function breakpoint", 1000)
		if st.Status != StoppedEntry || st.Reason != "entry" || len(st.Hit) != 0 {
			t.Errorf("state %+v", st)
		}
		if n := g.count("setFunctionBreakpoints"); n != 2 {
			t.Errorf("the entry breakpoint was sent %d times, wanted to be set and removed", n)
		}
		if len(g.s.Breakpoints()) != 0 {
			t.Errorf("breakpoints %+v", g.s.Breakpoints())
		}
	})
}

func TestStdinIsClosedAtOnceByDefault(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, &fakeAdapter{}, StartRequest{}).running()
		defer g.close()
		_, err := g.s.Input(t.Context(), "x", false)
		wantCode(t, err, fault.NotSupported) // no streams of ours here
	})
}

func TestSessionErrors(t *testing.T) {
	m := NewManager(Options{Registry: adapters.NewRegistry(&fakeAdapter{t: t})})
	_, err := m.Get("")
	wantCode(t, err, fault.SessionNotStarted)
	_, err = m.Get("go-9")
	wantCode(t, err, fault.SessionNotFound)
	_, err = m.Open(StartRequest{Program: adapters.Request{Language: "fakee"}})
	if f := wantCode(t, err, fault.AdapterNotFound); !strings.Contains(f.Hint, `did you mean "fake"`) {
		t.Errorf("hint %q", f.Hint)
	}
	_, err = m.Open(StartRequest{ID: "no spaces"})
	wantCode(t, err, fault.InvalidParam)
	_, err = m.Open(StartRequest{Break: []BreakpointSpec{{File: "absent.go", Line: 1}}})
	wantCode(t, err, fault.InvalidLocation)
	_, err = m.Open(StartRequest{Break: []BreakpointSpec{{File: mainFile, Line: 1, HitCondition: "soon"}}})
	wantCode(t, err, fault.InvalidParam)
	if len(m.List()) != 0 {
		t.Error("a refused request left a session")
	}
}

func TestSessionLimitAndIDs(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{t: t}
		m := NewManager(Options{Registry: adapters.NewRegistry(f), Limits: Limits{Sessions: 2}})
		defer m.Close(context.Background())
		a, err := m.Open(StartRequest{})
		if err != nil || a.ID() != "fake-1" {
			t.Fatalf("id %v, error %v", a, err)
		}
		b, err := m.Open(StartRequest{ID: "mine"})
		if err != nil || b.ID() != "mine" || m.Current() != b {
			t.Fatalf("error %v", err)
		}
		_, err = m.Open(StartRequest{})
		wantCode(t, err, fault.SessionLimit)
		synctest.Wait()
		if err := m.Remove(t.Context(), "mine"); err != nil {
			t.Fatal(err)
		}
		if m.Current() != a {
			t.Error("the session that is left is not the current one")
		}
		_, err = m.Get("fake-2")
		if f := wantCode(t, err, fault.SessionNotFound); !strings.Contains(f.Hint, "fake-1") {
			t.Errorf("hint %q", f.Hint)
		}
	})
}

func TestAdapterDeathUnderWay(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, &fakeAdapter{stderr: "SIGKILL, alas"}, StartRequest{}).running()
		waited := make(chan error, 1)
		go func() { _, err := g.s.Wait(t.Context(), long); waited <- err }()
		synctest.Wait()
		g.a.Close()
		if f := wantCode(t, <-waited, fault.AdapterCrashed); !strings.Contains(f.Message, "alas") {
			t.Errorf("message %q", f.Message)
		}
		st, err := g.s.Wait(t.Context(), long)
		if err != nil || st.Status != Terminated || !strings.Contains(st.Note, "alas") {
			t.Errorf("afterwards: %+v, %v", st, err)
		}
		wantCode(t, g.s.Continue(t.Context(), 0), fault.SessionTerminated)
		synctest.Wait()
		if g.adapter.closed.Load() != 1 {
			t.Error("plan not closed")
		}
	})
}

func TestAProgramKilledBehindTheAdaptersBack(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		g.a.Event("stopped", godap.StoppedEventBody{Reason: "exception", Text: "gone"})
		st, err := g.s.Wait(t.Context(), long)
		if err != nil || st.Status != Terminated || st.Signal != "SIGKILL" {
			t.Errorf("state %+v, error %v", st, err)
		}
		g.close()
	})
}

func TestWaitIsCancelledAlone(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("the caller went away")
		done := make(chan error, 1)
		go func() { _, err := g.s.Wait(ctx, long); done <- err }()
		synctest.Wait()
		cancel(cause)
		if err := <-done; !errors.Is(err, cause) {
			t.Errorf("error %v", err)
		}
		if g.s.State().Status != Running {
			t.Error("cancelling a wait changed the state")
		}
		if st := g.stopped("pause"); st.Status != Paused {
			t.Errorf("the next stop: %+v", st)
		}
	})
}

func TestTwentyWaitersAreAllWoken(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		results := make(chan State, 20)
		for range cap(results) {
			go func() { st, _ := g.s.Wait(t.Context(), long); results <- st }()
		}
		synctest.Wait()
		g.stopped("breakpoint")
		for range cap(results) {
			if st := <-results; st.Status != StoppedBreakpoint {
				t.Errorf("a waiter saw %+v", st)
			}
		}
	})
}

func TestWaitEndsWithItsTime(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		st, err := g.s.Wait(t.Context(), 5*time.Second)
		if err != nil || st.Status != Running || st.Running != 5*time.Second {
			t.Errorf("state %+v, error %v", st, err)
		}
	})
}

// A start that fails at the moment at which the wait for it ends is no program that has ended well.
func TestAStartThatFailsAsTheWaitEnds(t *testing.T) {
	for range 50 { // which of two that are ready is taken is chance
		in(t, func(t *testing.T) {
			g := newRig(t, nil, StartRequest{}).running()
			defer g.close()
			time.AfterFunc(5*time.Second, func() { g.s.currentRun().publishFailure(fault.New(fault.BuildFailed, "it does not compile")) })
			if st, err := g.s.Wait(t.Context(), 5*time.Second); st.Status == Terminated && err == nil {
				t.Fatalf("state %+v without an error", st)
			}
		})
	}
}

func TestEndOfTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		code   int
		exit   *int
		signal string
	}{
		"exit code": {3, new(int), ""},
		"signal":    {-9, nil, "SIGKILL"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
				g.a.Event("output", godap.OutputEventBody{Category: "stdout", Output: "last words\n"})
				g.a.Event("exited", godap.ExitedEventBody{ExitCode: c.code})
				g.a.Event("terminated", nil)
				st, err := g.s.Wait(t.Context(), long)
				if err != nil || st.Status != Terminated || st.Signal != c.signal || (st.ExitCode != nil) != (c.exit != nil) {
					t.Fatalf("state %+v, error %v", st, err)
				}
				v, err := g.s.View(t.Context())
				if err != nil || v.Output.Stdout.Text != "last words\n" || len(v.NeverHit) != 1 {
					t.Errorf("view %+v, error %v", v, err)
				}
				err = g.s.Stopped().Err()
				wantCode(t, err, fault.SessionTerminated)
				if len(g.s.Breakpoints()) != 1 {
					t.Error("breakpoints are gone")
				}
				synctest.Wait()
				if g.adapter.closed.Load() != 1 {
					t.Errorf("plan closed %d times", g.adapter.closed.Load())
				}
			})
		})
	}
}

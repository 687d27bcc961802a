package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

// sets records what setBreakpoints was sent, as "line condition hit log" words.
type sets struct {
	mu   sync.Mutex
	sent [][]string
}

func (x *sets) handle(a *daptest.Adapter) {
	a.Handle("setBreakpoints", func(r *daptest.Request) {
		var args godap.SetBreakpointsArguments
		r.Bind(&args)
		var set []string
		for _, b := range args.Breakpoints {
			text := strings.Join([]string{itoa(b.Line), b.Condition, b.HitCondition, b.LogMessage}, " ")
			set = append(set, strings.TrimSpace(text))
		}
		x.mu.Lock()
		x.sent = append(x.sent, set)
		x.mu.Unlock()
		r.Reply(bindAll(r))
	})
}

func (x *sets) last() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.sent[len(x.sent)-1]
}

func itoa(n int) string { return string(rune('0' + n%10)) }

func TestEveryChangeSendsTheWholeFile(t *testing.T) {
	in(t, func(t *testing.T) {
		var x sets
		g := newRig(t, &fakeAdapter{script: x.handle}, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
		defer g.close()
		b, err := g.s.SetBreakpoint(t.Context(), BreakpointSpec{File: "main.go", Line: 6, Condition: "i > 2", LogMessage: "now"})
		if err != nil || !b.Verified || b.Text != "total += i" {
			t.Fatalf("%+v, %v", b, err)
		}
		if got, want := x.last(), []string{"4", "6 i > 2  now"}; !slices.Equal(got, want) {
			t.Errorf("sent %q, wanted %q", got, want)
		}
		if _, err := g.s.EnableBreakpoints(t.Context(), []int{1}, false); err != nil {
			t.Fatal(err)
		}
		if got, want := x.last(), []string{"6 i > 2  now"}; !slices.Equal(got, want) {
			t.Errorf("sent %q, wanted %q", got, want)
		}
		if err := g.s.RemoveBreakpoints(t.Context(), []int{1, 2}); err != nil {
			t.Fatal(err)
		}
		if got := x.last(); len(got) != 0 {
			t.Errorf("sent %q, wanted an empty set", got)
		}
		wantCode(t, g.s.RemoveBreakpoints(t.Context(), []int{2}), fault.Breakpoint)
	})
}

func TestOneFileManySpellings(t *testing.T) {
	in(t, func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "alias.go")
		if err := os.Symlink(mainFile, link); err != nil {
			t.Fatal(err)
		}
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		for i, name := range []string{"main.go", "./x/../main.go", mainFile, link} {
			if name == "./x/../main.go" {
				name = "./main.go"
			}
			b, err := g.s.SetBreakpoint(t.Context(), BreakpointSpec{File: name, Line: 4, Condition: "total > 3"})
			if err != nil || b.ID != 1 {
				t.Fatalf("%s: %+v, %v", name, b, err)
			}
			if i > 0 && !strings.Contains(b.Message, "was there already") {
				t.Errorf("%s: message %q", name, b.Message)
			}
		}
		if list := g.s.Breakpoints(); len(list) != 1 || list[0].Condition.Text != "total > 3" {
			t.Errorf("store %+v", list)
		}
	})
}

func TestStatementsAndPlacesWithoutCode(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Handle("setBreakpoints", func(r *daptest.Request) {
				var args godap.SetBreakpointsArguments
				r.Bind(&args)
				body := godap.SetBreakpointsResponseBody{}
				for _, b := range args.Breakpoints {
					ok := b.Line == 6 && b.Condition != "i >"
					body.Breakpoints = append(body.Breakpoints, godap.Breakpoint{Id: b.Line, Verified: ok, Line: b.Line, Message: "no code there"})
				}
				r.Reply(body)
			})
		}}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		b, err := g.s.SetBreakpoint(t.Context(), BreakpointSpec{File: "main.go", Statement: "total  +=i"})
		if err != nil || b.Line != 6 || !b.Verified {
			t.Errorf("by statement: %+v, %v", b, err)
		}
		for line, why := range map[int]string{8: "blank", 9: "comment", 99: "only 11 lines"} {
			b, err := g.s.SetBreakpoint(t.Context(), BreakpointSpec{File: "main.go", Line: line})
			if err != nil || b.Verified || !strings.Contains(b.Message, why) || len(b.Nearest) == 0 {
				t.Errorf("line %d: %+v, %v", line, b, err)
			}
		}
		kept := len(g.s.Breakpoints())
		_, err = g.s.SetBreakpoint(t.Context(), BreakpointSpec{File: "main.go", Line: 6, Condition: "i >"})
		if f := wantCode(t, err, fault.Breakpoint); !strings.Contains(f.Message, "no code there") {
			t.Errorf("message %q", f.Message)
		}
		if list := g.s.Breakpoints(); len(list) != kept || list[0].Condition.Text != "" || !list[0].Verified {
			t.Errorf("the refused condition was kept: %+v", list[0])
		}
	})
}

func TestConditionsThatTheAdapterLacksAreSupplied(t *testing.T) {
	in(t, func(t *testing.T) {
		i := 0
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Handle("initialize", func(r *daptest.Request) { r.Reply(godap.Capabilities{SupportsConfigurationDoneRequest: true}) })
			a.Handle("evaluate", func(r *daptest.Request) {
				var args godap.EvaluateArguments
				r.Bind(&args)
				switch args.Expression {
				case "i%2 == 0":
					r.Reply(godap.EvaluateResponseBody{Result: map[bool]string{true: "true", false: "false"}[i%2 == 0]})
				default:
					r.Reply(godap.EvaluateResponseBody{Result: itoa(i)})
				}
			})
			// Like a loop over the line: each continue comes back to it.
			a.Handle("continue", func(r *daptest.Request) {
				r.Reply(nil)
				i++
				a.Event("stopped", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1, HitBreakpointIds: []int{16}})
			})
		}}
		g := newRig(t, f, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 6, Condition: "i%2 == 0", HitCondition: ">=3"}}}).running()
		defer g.close()
		st := g.stopped("breakpoint", 16) // i = 0, 2, 4 are its hits
		if i != 4 || st.Status != StoppedBreakpoint || !slices.Equal(st.Hit, []int{1}) {
			t.Errorf("stopped at i = %d: %+v", i, st)
		}
		if b := g.s.Breakpoints()[0]; b.Hits != 3 {
			t.Errorf("hits %d", b.Hits)
		}
		if _, err := g.s.SetBreakpoint(t.Context(), BreakpointSpec{ID: 1, LogMessage: "i is {i}!"}); err != nil {
			t.Fatal(err)
		}
		g.a.Handle("continue", func(r *daptest.Request) { r.Reply(nil) })
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		i++
		g.stopped("breakpoint", 16)
		i++
		st = g.stopped("breakpoint", 16)
		if out := g.s.TakeOutput(100); st.Status != Running || out.Log.Text != "i is 6!\n" {
			t.Errorf("state %+v, output %+v", st, out)
		}
	})
}

func TestRunUntilLeavesNothingBehind(t *testing.T) {
	in(t, func(t *testing.T) {
		var x sets
		g := newRig(t, &fakeAdapter{script: x.handle}, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
		defer g.close()
		g.stopped("breakpoint", 14)
		st, reached, err := g.s.RunUntil(t.Context(), []string{"main.go:6", "main.go:4"}, "", 0)
		if err != nil || reached != "" || st.Status != Running {
			t.Fatalf("%+v %q %v", st, reached, err)
		}
		if got := x.last(); !slices.Equal(got, []string{"4", "6"}) {
			t.Errorf("sent %q", got)
		}
		st = g.stopped("breakpoint", 16)
		if st.Status != StoppedBreakpoint || len(st.Hit) != 0 {
			t.Errorf("state %+v", st)
		}
		if got := x.last(); !slices.Equal(got, []string{"4"}) {
			t.Errorf("afterwards the set is %q", got)
		}

		done := make(chan string, 1)
		go func() { _, reached, _ := g.s.RunUntil(t.Context(), []string{"main.go:6"}, "", long); done <- reached }()
		synctest.Wait()
		g.stopped("breakpoint", 16)
		if reached := <-done; reached != "main.go:6" {
			t.Errorf("reached %q", reached)
		}
		go func() { _, reached, _ := g.s.RunUntil(t.Context(), []string{"main.go:6"}, "", long); done <- reached }()
		synctest.Wait()
		g.stopped("breakpoint", 14)
		if reached := <-done; reached != "" {
			t.Errorf("reached %q though another breakpoint was hit", reached)
		}
		if n := len(g.s.Breakpoints()); n != 1 {
			t.Errorf("%d breakpoints are left", n)
		}
	})
}

func TestRunUntilNowhere(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Answer(godap.SetBreakpointsResponseBody{Breakpoints: []godap.Breakpoint{{Message: "no code"}}}, "setBreakpoints")
		}}, StartRequest{}).running()
		defer g.close()
		g.stopped("pause")
		_, _, err := g.s.RunUntil(t.Context(), []string{"main.go:8"}, "", long)
		if f := wantCode(t, err, fault.Breakpoint); !strings.Contains(f.Message, "line 8 is blank") {
			t.Errorf("message %q", f.Message)
		}
		if st := g.s.State(); st.Status != Paused {
			t.Errorf("state %+v", st)
		}
	})
}

func TestBreakpointsFollowTheirStatements(t *testing.T) {
	in(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "edited.go")
		write := func(text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("a()\nb()\nend()\nc()\nend()\n")
		g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: file, Line: 2}, {File: file, Line: 5}, {File: file, Line: 1}}}).running()
		defer g.close()
		write("// new\n\nx()\nb()\nend()\nc()\nend()\n")
		if err := g.s.Restart(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		g.running()
		list := g.s.Breakpoints()
		if b := list[0]; b.Line != 4 || b.MovedFrom != 2 || b.MovedWhy != "edited" || !b.Verified {
			t.Errorf("b(): %+v", b)
		}
		if b := list[1]; b.Line != 7 || b.MovedFrom != 5 {
			t.Errorf("the second end(): %+v", b)
		}
		if b := list[2]; b.Verified || !strings.Contains(b.Message, "no longer in the file") {
			t.Errorf("a(): %+v", b)
		}
	})
}

func TestRestart(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}}}).running()
		defer g.close()
		g.stopped("breakpoint", 14)
		g.s.Record(Operation{Tool: "execute"})
		v, err := g.s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		old := g.a
		if err := g.s.Restart(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		g.running()
		if g.a == old || g.s.ID() != "fake-1" || len(g.s.History()) != 1 || g.adapter.closed.Load() != 1 {
			t.Errorf("not a new run in the same session: id %s, plans closed %d", g.s.ID(), g.adapter.closed.Load())
		}
		if b := g.s.Breakpoints()[0]; !b.Verified || b.Hits != 0 {
			t.Errorf("breakpoint %+v", b)
		}
		g.stopped("breakpoint", 14)
		if _, err := g.s.View(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = g.program().Expand(t.Context(), v.Locals[0].Ref+1, Page{})
		wantCode(t, err, fault.StaleReference)
		if err := g.s.Restart(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		g.running()
		if n := len(g.s.Breakpoints()); n != 0 {
			t.Errorf("%d breakpoints were kept", n)
		}
	})
}

func TestARestartThatFailsKeepsTheSession(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		f.plan = nil
		f.script = func(a *daptest.Adapter) { a.Handle("launch", func(r *daptest.Request) { r.Fail("broken") }) }
		if err := g.s.Restart(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		_, err := g.s.Wait(t.Context(), long)
		wantCode(t, err, fault.SessionStart)
		if len(g.m.List()) != 1 {
			t.Fatal("the session was forgotten")
		}
		f.script = nil
		if err := g.s.Restart(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		g.running()
	})
}

func TestWatch(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		_, err := g.s.Watch(t.Context(), "total", "write", "", "")
		wantCode(t, err, fault.NotPaused)
		g.stopped("pause")
		g.a.Answer(map[string]any{"dataId": nil, "description": "not addressable"}, "dataBreakpointInfo")
		_, err = g.s.Watch(t.Context(), "1+1", "write", "", "")
		if f := wantCode(t, err, fault.Breakpoint); !strings.Contains(f.Message, "not addressable") {
			t.Errorf("message %q", f.Message)
		}
		g.a.Answer(map[string]any{"dataId": "0xc000", "description": "total"}, "dataBreakpointInfo")
		b, err := g.s.Watch(t.Context(), "total", "", "", "")
		if err != nil || b.Kind != WatchBreakpoint || b.Access != "write" || !b.Verified {
			t.Fatalf("%+v, %v", b, err)
		}
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if st := g.stopped("data breakpoint"); !slices.Equal(st.Hit, []int{b.ID}) {
			t.Errorf("state %+v", st)
		}
		if found, err := g.s.FindBreakpoints(0, "", "total"); err != nil || len(found) != 1 {
			t.Errorf("%v, %v", found, err)
		}
	})
}

func TestBreakpointEvents(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{script: func(a *daptest.Adapter) {
			a.Answer(godap.SetBreakpointsResponseBody{Breakpoints: []godap.Breakpoint{{Id: 5, Message: "not loaded yet"}}}, "setBreakpoints")
		}}
		g := newRig(t, f, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 5}}}).running()
		defer g.close()
		g.a.Event("breakpoint", godap.BreakpointEventBody{Reason: "changed", Breakpoint: godap.Breakpoint{Id: 5, Verified: true, Line: 6}})
		synctest.Wait()
		b := g.s.Breakpoints()[0]
		if !b.Verified || b.Line != 6 || b.MovedFrom != 5 || b.Message != "" || b.Text != "total += i" {
			t.Errorf("%+v", b)
		}
	})
}

// The end of a run says how often each breakpoint was hit.
func TestHitsAreCountedAtTheEnd(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Break: []BreakpointSpec{{File: "main.go", Line: 4}, {File: "main.go", Line: 6}}}).running()
		for range 3 {
			g.stopped("breakpoint", 16)
		}
		g.a.Event("terminated", nil)
		if err := g.s.waitFor(t.Context(), hasEnded); err != nil {
			t.Fatal(err)
		}
		v, err := g.s.View(t.Context())
		if err != nil || len(v.WereHit) != 1 || v.WereHit[0].ID != 2 || v.WereHit[0].Hits != 3 || len(v.NeverHit) != 1 || v.NeverHit[0].ID != 1 {
			t.Errorf("hit %+v, never hit %+v, %v", v.WereHit, v.NeverHit, err)
		}
	})
}

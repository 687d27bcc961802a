package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/breakpoints"
)

func testHandlers() *Handlers {
	return &Handlers{Deps: Deps{Sessions: session.NewManager(session.Options{}), Settings: &Settings{}, Workspace: "/work"}}
}

func testShow() show { return testHandlers().show(&session.Session{}) }

func TestSummary(t *testing.T) {
	three, frame := 3, &session.Frame{Function: "main.mean", File: "calc.go", Line: 12}
	unbound := session.Breakpoint{ID: 2, Spec: breakpoints.Spec{Kind: session.LineBreakpoint, File: "calc.go"}, Line: 40, Enabled: true}
	for want, c := range map[string]struct {
		view session.View
		how  stopDetail
	}{
		"stopped at breakpoint 1, calc.go:12 in main.mean": {
			view: session.View{State: session.State{Status: session.StoppedBreakpoint, Hit: []int{1}}, StopView: session.StopView{Frame: frame}}},
		"stopped at breakpoints 1, 2 and 5, calc.go:12 in main.mean": {
			view: session.View{State: session.State{Status: session.StoppedBreakpoint, Hit: []int{1, 2, 5}}, StopView: session.StopView{Frame: frame}}},
		"stopped at watchpoint 4, calc.go:12 in main.mean": {
			view: session.View{State: session.State{Status: session.StoppedBreakpoint, Reason: "data breakpoint", Hit: []int{4}}, StopView: session.StopView{Frame: frame}}},
		"panic: runtime error: index out of range [5] with length 3, at calc.go:12 in main.mean": {
			view: session.View{State: session.State{Status: session.StoppedException}, StopView: session.StopView{Frame: frame,
				Exception: &session.Exception{Type: "panic", Message: "runtime error: index out of range [5] with length 3"}}}},
		"stepped to calc.go:12 in main.mean; the step was cut short by breakpoint 3": {
			view: session.View{State: session.State{Status: session.StoppedStep, Note: "the step was cut short by breakpoint 3"}, StopView: session.StopView{Frame: frame}},
			how:  stopDetail{note: "the step was cut short by breakpoint 3"}}, // said once
		"reached calc.go:12 in main.mean": {
			view: session.View{State: session.State{Status: session.StoppedBreakpoint}, StopView: session.StopView{Frame: frame}}, how: stopDetail{reached: true}},
		"exited with code 3; breakpoint 2 (calc.go:40) was never bound": {
			view: session.View{State: session.State{Status: session.Terminated, ExitCode: &three}, NeverHit: []session.Breakpoint{unbound}}},
		"ended by signal SIGKILL": {
			view: session.View{State: session.State{Status: session.Terminated, Signal: "SIGKILL"}}},
		"still running after 20s; breakpoint 2 (calc.go:40) is not bound": {
			view: session.View{State: session.State{Status: session.Running, Running: 20e9}, Breakpoints: []session.Breakpoint{unbound}}},
		"still building ./cmd/app after 1.5s": {
			view: session.View{State: session.State{Status: session.Starting, Doing: "building ./cmd/app", Running: 15e8}}},
	} {
		if got := testShow().summary(&c.view, c.how); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// A step in the same frame shows what changed and what appeared, nothing twice.
func TestStepShowsOnlyWhatIsNew(t *testing.T) {
	v := &session.View{
		State: session.State{Status: session.StoppedStep},
		StopView: session.StopView{
			SameFrame: true,
			Frame:     &session.Frame{Function: "main.add"},
			Locals:    []session.Variable{{Name: "a", Value: "1"}, {Name: "sum", Value: "3"}, {Name: "x", Value: "9"}},
			Changed:   []session.Change{{Name: "sum", Old: "0", New: "3"}, {Name: "x", New: "9"}},
		},
	}
	data := testShow().view(v)
	if len(data.Changed) != 1 || data.Changed[0].Name != "sum" {
		t.Errorf("changed: %v", data.Changed)
	}
	if len(data.Locals.Items) != 1 || data.Locals.Items[0].Name != "x" {
		t.Errorf("locals: %v", data.Locals.Items)
	}
	v.SameFrame = false
	if data = testShow().view(v); len(data.Locals.Items) != 3 || data.Changed != nil {
		t.Errorf("in another frame: %v, %v", data.Locals.Items, data.Changed)
	}
}

// Every call that a reply proposes is one that the tools accept as it stands.
func TestProposedCallsAreValid(t *testing.T) {
	w := testShow()
	unbound := session.Breakpoint{ID: 1, Enabled: true, Spec: breakpoints.Spec{File: "calc.go", Condition: breakpoints.ParseExpression("i > 3")}, Line: 3, Nearest: []int{5, 7}}
	views := []session.View{
		{State: session.State{Status: session.Starting}},
		{State: session.State{Status: session.Running}},
		{State: session.State{Status: session.Paused}},
		{State: session.State{Status: session.StoppedException}, StopView: session.StopView{Exception: &session.Exception{Message: "all goroutines are asleep - deadlock!"}}},
		{State: session.State{Status: session.StoppedBreakpoint}, Breakpoints: []session.Breakpoint{unbound}},
		{State: session.State{Status: session.StoppedBreakpoint}, Breakpoints: []session.Breakpoint{{ID: 1, Enabled: true, Similar: []string{"main.add"}}}},
	}
	for _, v := range views {
		steps := w.nextSteps(&v)
		if len(steps) == 0 {
			t.Errorf("nothing proposed for %+v", v.State)
		}
		for _, step := range steps {
			checkCall(t, step.Call)
		}
	}
}

// checkCall decodes a call as if a client had sent it.
func checkCall(t *testing.T, call responses.Call) {
	t.Helper()
	args, err := json.Marshal(call.Params)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Definitions(0) {
		if d.Name == call.Tool {
			if err := d.Validate(args); err != nil {
				t.Errorf("%s %s: %v", call.Tool, args, err)
			}
			return
		}
	}
	t.Errorf("there is no tool %q", call.Tool)
}

// What was left out is named with its count, where known, and the call for it.
func TestOmissionsNameTheCall(t *testing.T) {
	v := &session.View{
		State: session.State{Status: session.StoppedBreakpoint},
		StopView: session.StopView{
			Frame:  &session.Frame{Function: "main.main"},
			Locals: []session.Variable{{Name: "a", Value: "1"}}, LocalsTotal: 90,
			Stack: []session.Frame{{Function: "main.main"}},
		},
	}
	reply := responses.Fit(&responses.Envelope{Success: true, Data: testShow().view(v)}, 8000, responses.JSON)
	var got struct {
		Omitted []struct {
			What  string
			Total *int
		}
	}
	if err := json.Unmarshal(reply.JSON, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Omitted) != 2 || got.Omitted[0].What != "locals" || *got.Omitted[0].Total != 90 {
		t.Errorf("locals: %s", reply.JSON)
	}
	if stack := got.Omitted[1]; stack.What != "stack frames" || stack.Total != nil {
		t.Errorf("an uncounted stack: %s", reply.JSON)
	}
	if !strings.Contains(string(reply.JSON), `{"tool":"inspect","params":{"target":"locals","start":1}}`) {
		t.Errorf("the call: %s", reply.JSON)
	}
}

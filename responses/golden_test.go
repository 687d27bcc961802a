package responses

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
)

var update = flag.Bool("update", false, "write the golden files")

// The golden files show what an agent reads, and below it the same as JSON, byte
// for byte.
func TestGolden(t *testing.T) {
	for name, env := range examples() {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, name, Fit(env, 8000, Both))
		})
	}
	for name, max := range map[string]int{"stop_2000": 2000, "stop_1200": 1200, "stop_1000": 1000} {
		t.Run(name, func(t *testing.T) {
			reply := Fit(bigStop(), max, Both)
			if len(reply.JSON) > max || len(reply.Text) > max {
				t.Errorf("%d and %d bytes, more than %d", len(reply.JSON), len(reply.Text), max)
			}
			checkGolden(t, name, reply)
		})
	}
}

func checkGolden(t *testing.T, name string, got Reply) {
	t.Helper()
	if !json.Valid(got.JSON) {
		t.Fatalf("not valid JSON:\n%s", got.JSON)
	}
	text := string(got.Text) + "\n\n" + string(got.JSON) + "\n"
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("run go test ./responses -update if this is meant (-want +got):\n%s", diff)
	}
}

func examples() map[string]*Envelope {
	yes := true
	code := 3
	return map[string]*Envelope{
		"breakpoint_stop": smallStop(),
		"plain_step": {
			Success: true, Summary: "stepped to calc.go:8 in main.add", SessionID: "go-1",
			Data: &StopView{
				State:    ExecutionState{Status: "stopped_after_step", StopReason: "step", ThreadID: 1, BreakpointsActive: &yes},
				Location: "calc.go:8", Function: "main.add", Snapshot: snapshotOf(8),
				Changed: Changes{{"sum", "0", "5"}},
				Stack:   &Stack{Frames: []Frame{{"main.add", "calc.go:8", false}, {"main.main", "calc.go:15", false}}},
			},
		},
		"exit": {
			Success: true, Summary: "exited with code 3; breakpoint 2 (calc.go:40) was never hit", SessionID: "go-1",
			Data: &StopView{
				State:    ExecutionState{Status: "terminated", ExitCode: &code},
				Output:   &Output{Stdout: Stream{Text: "last line\n", Cut: 4096}, Stderr: Stream{Text: "boom\n"}},
				NeverHit: NewList([]Breakpoint{{ID: 2, Kind: "line", Location: "calc.go:40", Verified: true}}, Page{}),
			},
		},
		"running": {
			Success: true, Summary: "still running after 20s", SessionID: "go-1",
			Data: &StopView{State: ExecutionState{Status: "running", BreakpointsActive: &yes, RunningMS: 20003}},
			NextSteps: []NextStep{
				NewCall("execute", "action", "wait").Why("wait for the next stop"),
				NewCall("execute", "action", "pause").Why("see where it is now"),
			},
		},
		"build_failed": Failure(fault.New(fault.BuildFailed, "./cmd/app does not compile: 1 error").
			WithHint("mend the source and start again").
			WithDetails([]map[string]any{{"file": "cmd/app/main.go", "line": 7, "text": "undefined: x"}})),
		"threads": {
			Success: true, Summary: "1001 threads in 2 groups of equal stacks", SessionID: "go-1",
			Data: &Inspection{Threads: NewList([]Thread{
				{ID: 1, Current: true, Stack: &Stack{Frames: []Frame{{"main.main", "main.go:9", false}}}},
				{ID: 18, Count: 1000, Others: []ID{19, 20}, Waiting: "chan receive", Waited: "2m5s", Object: "chan 0xc000012345",
					Stack: &Stack{Frames: []Frame{{"runtime.gopark", "", true}, {"runtime.chanrecv", "", true}, {"main.worker", "main.go:22", false}}}},
			}, Page{}), System: 5},
		},
		"expression": {
			Success: true, Summary: "items = []int len: 1000, cap: 1024", SessionID: "go-1",
			Data: &Inspection{Result: &Variable{
				Name: "items", Value: "[]int len: 1000, cap: 1024", Type: "[]int", Ref: 4,
				Children: NewVariables([]Variable{{Name: "[0]", Value: "1", Type: "int"}, {Name: "[1]", Value: "<nil> & \"x\"", Type: "any"}},
					Page{What: "children of items", Total: 1000, More: func(start int) Call {
						return NewCall("inspect", "target", "expression", "expression", "items", "start", start)
					}}),
			}},
		},
	}
}

func snapshotOf(line int) *Snapshot {
	return &Snapshot{First: line - 2, Current: line, Column: 2, Lines: []string{
		"func add(a, b int) int {", "\tsum := 0", "\tsum = a + b", "\treturn sum", "}",
	}}
}

func smallStop() *Envelope {
	yes := true
	return &Envelope{
		Success: true, Summary: "stopped at breakpoint 1, calc.go:7 in main.add", SessionID: "go-1",
		Data: &StopView{
			State:    ExecutionState{Status: "stopped_at_breakpoint", StopReason: "breakpoint", ThreadID: 1 << 60, BreakpointsActive: &yes, HitBreakpoints: []int{1}},
			Location: "calc.go:7", Function: "main.add", Snapshot: snapshotOf(7),
			Locals: NewVariables([]Variable{
				{Name: "b", Value: "3", Type: "int"},
				{Name: "a", Value: "2", Type: "int"},
				{Name: "state", Value: `"<ok> & done"`, Type: "string"},
				{Name: "err", Value: "nil", Type: "error"},
				{Name: "err", Value: "*errors.errorString", Type: "error", Ref: 7, Count: 1},
			}, Page{}),
			Stack: &Stack{Frames: []Frame{
				{"main.add", "calc.go:7", false}, {"sort.insertionSort", "/go/sort.go:12", true}, {"sort.Sort", "/go/sort.go:40", true}, {"main.main", "calc.go:15", false},
			}},
			Output: &Output{Stdout: Stream{Text: "hello\n"}},
		},
	}
}

// bigStop has more of everything than fits.
func bigStop() *Envelope {
	env := smallStop()
	v := env.Data.(*StopView)
	rest := NewCall("inspect", "target", "all")
	v.Rest = &rest
	long := strings.Repeat("é", 400)
	var items []Variable
	for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		items = append(items, Variable{Name: name, Value: long, Type: "string", Rest: func(shown string) (Call, int) {
			return NewCall("inspect", "target", "expression", "expression", name), len(shown)
		}})
	}
	v.Locals = NewVariables(items, Page{What: "locals", Total: 60, More: func(start int) Call {
		return NewCall("inspect", "target", "locals", "start", start)
	}})
	for range 3 {
		v.Stack.Frames = append(v.Stack.Frames, v.Stack.Frames...)
	}
	v.Stack.Page = Page{What: "stack frames", Total: 10000, More: func(start int) Call {
		return NewCall("inspect", "target", "stack", "start", start)
	}}
	v.Output.Stdout = Stream{Text: strings.Repeat("a line of output\n", 120), Cut: 1000, Earlier: func() (Call, bool) {
		return NewCall("inspect", "target", "output", "expression", "stdout"), true
	}}
	return env
}

//go:build linux

package test

import (
	"encoding/json"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Arguments are lenient where the meaning is plain.
func TestLenientArguments(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "calls")
	list, _ := json.Marshal(p.BreakAt("body"))
	s.OK("session_start", A{"target": ".", "timeout_ms": "20000", "args": "one", "stop_on_entry": "false", "breakpoints": string(list)}).
		Stopped("stopped_at_breakpoint", p.At("main.go", "body"))
	s.OK("step", A{"action": "next", "count": "1"})
	s.OK("step", A{"action": "IN"})
	s.OK("inspect", A{"target": "locals", "frame": "1", "depth": nil})
	s.OK("session", A{"action": "kill"})
}

// Anything else fails with the field, what came, what is wanted and an example.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "calls")
	for _, tt := range []struct {
		tool, code string
		args       any
		want       []string
	}{
		{"step", "VALIDATION_INVALID_PARAM", A{"count": "many"}, []string{"count", "many", "1", "100"}},
		{"step", "VALIDATION_INVALID_PARAM", A{"count": 101}, []string{"count", "101", "100"}},
		{"step", "VALIDATION_INVALID_PARAM", A{"count": 1.5}, []string{"count", "1.5"}},
		{"step", "VALIDATION_UNKNOWN_PARAM", A{"cuont": 2}, []string{"cuont", "count"}},
		{"step", "VALIDATION_INVALID_ACTION", A{"action": "sideways"}, []string{"sideways", "over"}},
		{"step", "VALIDATION_INVALID_ACTION", A{"action": "oevr"}, []string{"oevr", `\"over\"`}},
		{"step", "VALIDATION_INVALID_PARAM", A{"granularity": "lien"}, []string{"lien", "line"}},
		{"inspect", "VALIDATION_INVALID_PARAM", A{"target": "localz"}, []string{"localz", "locals"}},
		{"inspect", "VALIDATION_INVALID_PARAM", A{"frame": -1}, []string{"frame", "-1"}},
		{"inspect", "VALIDATION_INVALID_PARAM", A{"frame": A{"a": 1}}, []string{"frame"}},
		{"execute", "VALIDATION_INVALID_PARAM", A{"timeout_ms": 300001}, []string{"timeout_ms", "300000"}},
		{"execute", "VALIDATION_INVALID_PARAM", A{"wait_for_stop": "perhaps"}, []string{"wait_for_stop", "perhaps", "true"}},
		{"run_until", "VALIDATION_MISSING_PARAM", A{}, []string{"location"}},
		{"session_start", "VALIDATION_INVALID_PARAM", A{"target": ".", "mode": "luanch"}, []string{"luanch", "launch"}},
		{"session_start", "VALIDATION_UNKNOWN_PARAM", A{"target": ".", "breakpoint": []A{}}, []string{"breakpoint", "breakpoints"}},
		{"session_start", "VALIDATION_UNKNOWN_PARAM", A{"program": "."}, []string{"program", "target"}},
		{"session_start", "VALIDATION_UNKNOWN_PARAM", A{"target": ".", "breakpoints": []A{{"file": "main.go", "lnie": 3}}}, []string{"lnie", "line"}},
		{"session_start", "VALIDATION_INVALID_PARAM", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": "x"}}}, []string{"line", `\"x\"`}},
		{"session_start", "VALIDATION_INVALID_PARAM", A{"target": A{"a": 1}}, []string{"target", "string"}},
		{"session_start", "ADAPTER_NOT_FOUND", A{"target": ".", "language": "cobol"}, []string{"cobol", "go"}},
		{"inspect", "VALIDATION_INVALID_PARAM", A{"max_bytes": 10}, []string{"max_bytes", "1000"}},
		{"inspect", "VALIDATION_INVALID_PARAM", json.RawMessage(`[1, 2]`), []string{"object"}},
		{"config", "CONFIG_NOT_FOUND", A{"action": "get", "key": "nosuch"}, []string{"nosuch"}},
		{"session", "SESSION_NOT_FOUND", A{"session_id": "go-7", "action": "switch"}, []string{"go-7"}},
	} {
		args, _ := json.Marshal(tt.args)
		t.Run(tt.tool+" "+string(args), func(t *testing.T) {
			r := s.Call(tt.tool, tt.args)
			if r.At("error", "code") != "AIDB_"+tt.code {
				t.Fatalf("want AIDB_%s in\n%s", tt.code, r)
			}
			if r.At("error", "hint") == "" {
				t.Errorf("no hint:\n%s", r)
			}
			r.Has(tt.want...)
		})
	}
}

// next_steps work when they are sent back unchanged.
func TestNextStepsWork(t *testing.T) {
	t.Parallel()
	for program, args := range map[string][]string{"averages": {}, "deadlock": {}, "tour": {"sleep"}} { // which ends, stops and runs on
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s, _ := testkit.Open(t, program)
			follow(t, s, s.OK("init", nil), 1)
			follow(t, s, s.OK("session_start", A{"target": ".", "args": args, "timeout_ms": 4000}), 2)
		})
	}
}

// follow makes the calls that a reply suggests, and those that they suggest.
func follow(t *testing.T, s *testkit.Server, r testkit.Reply, depth int) {
	t.Helper()
	var steps []struct {
		Tool   string
		Params map[string]any
		Why    string
	}
	r.Decode(&steps, "next_steps")
	if len(steps) > 3 {
		t.Errorf("%d next steps:\n%s", len(steps), r)
	}
	for _, step := range steps {
		if step.Params == nil {
			step.Params = map[string]any{}
		}
		if step.Why == "" {
			t.Errorf("a next step without a reason:\n%s", r)
		}
		next := s.Call(step.Tool, step.Params)
		switch code := next.At("error", "code"); code {
		case "", "AIDB_SESSION_TERMINATED", "AIDB_STATE_NOT_PAUSED", "AIDB_STATE_NOT_RUNNING", "AIDB_STALE_REFERENCE": // an earlier one moved the program
		default:
			t.Errorf("a next step of\n%s\nfails:\n%s", r, next)
		}
		if depth > 1 {
			follow(t, s, next, depth-1)
		}
	}
}

package tools

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
)

// definition finds a tool by name.
func definition(t testing.TB, name string) *Definition {
	t.Helper()
	for _, d := range all {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("no tool %q", name)
	return nil
}

func decode[T any, P interface {
	*T
	Params
}](t *testing.T, d Typed[P], args string) T {
	t.Helper()
	params, err := d.Decode(json.RawMessage(args))
	if err != nil {
		t.Fatalf("%s %s: %v", d.Name, args, err)
	}
	return *params
}

func TestDecodeFillsInDefaults(t *testing.T) {
	for _, args := range []string{"", "{}", " null ", `"{}"`} {
		got := decode(t, Execute(), args)
		want := ExecuteParams{Action: "continue", WaitForStop: true, CollectOutput: true, Wait: Wait{20000}, Reply: Reply{MaxBytes: 8000}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("args %q: -want +got:\n%s", args, diff)
		}
	}
}

func TestDecodeKeepsWhatIsSaid(t *testing.T) {
	got := decode(t, Execute(), `{"timeout_ms":0,"wait_for_stop":false,"collect_output":false}`)
	if got.TimeoutMS != 0 || got.WaitForStop || got.CollectOutput {
		t.Errorf("zero values were taken for missing ones: %+v", got)
	}
}

func TestDecodeIsLenient(t *testing.T) {
	step := func(args string) StepParams { return decode(t, Step(), args) }
	start := func(args string) SessionStartParams { return decode(t, SessionStart(), args) }

	for _, args := range []string{`{"count":42}`, `{"count":"42"}`, `{"count":42.0}`, `{"count":"4.2e1"}`, `{"count":" 42 "}`} {
		if n := step(args).Count; n != 42 {
			t.Errorf("%s: count is %d", args, n)
		}
	}
	for _, args := range []string{`{"verbose":true}`, `{"verbose":"true"}`, `{"verbose":"True"}`} {
		if !step(args).Verbose {
			t.Errorf("%s: not verbose", args)
		}
	}
	for _, args := range []string{`{"action":"into"}`, `{"action":"IN"}`, `{"action":"step-in"}`, `{"action":"stepInto"}`} {
		if a := step(args).Action; a != "into" {
			t.Errorf("%s: action is %q", args, a)
		}
	}
	for _, args := range []string{`{"args":["-v"]}`, `{"args":"-v"}`, `{"args":"[\"-v\"]"}`} {
		if diff := cmp.Diff([]string{"-v"}, start(args).Args); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	for _, args := range []string{`{"env":{"N":"1"}}`, `{"env":{"N":1}}`, `{"env":"{\"N\":1}"}`, `{"env":["N=1"]}`, `{"env":"N=1"}`} {
		if diff := cmp.Diff(map[string]string{"N": "1"}, start(args).Env); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	one := []BreakpointParams{{File: "calc.go", Line: 7}}
	for _, args := range []string{
		`{"breakpoints":[{"file":"calc.go","line":7}]}`,
		`{"breakpoints":{"file":"calc.go","line":"7"}}`,
		`{"breakpoints":"[{\"file\":\"calc.go\",\"line\":7}]"}`,
		`{"breakpoints":["{\"file\":\"calc.go\",\"line\":7}"]}`,
		`{"breakpoints":"calc.go:7"}`,
		`{"breakpoints":["calc.go:7"]}`,
	} {
		if diff := cmp.Diff(one, start(args).Breakpoints); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	for _, args := range []string{`{"adapter_options":{"n":18446744073709551615}}`, `{"adapter_options":"{\"n\":18446744073709551615}"}`} {
		if got := string(start(args).AdapterOptions); got != `{"n":18446744073709551615}` {
			t.Errorf("%s: passed on as %s", args, got)
		}
	}
	if got := decode(t, Breakpoint(), `{"location":42,"hit_condition":5,"access_type":"RW"}`); got.Location != "42" || got.HitCondition != "5" || got.AccessType != "readWrite" {
		t.Errorf("bare numbers and words: %+v", got)
	}
}

func TestDecodeTellsNothingFromEmpty(t *testing.T) {
	got := decode(t, SessionStart(), `{"target":null,"stdin":"","mode":"","pid":"","args":"","stop_on_entry":""}`)
	if got.Stdin == nil || *got.Stdin != "" || got.JustMyCode != nil || got.Args != nil {
		t.Errorf("stdin %v, just_my_code %v", got.Stdin, got.JustMyCode)
	}
}

// Gemini CLI tells its model of a parameter of its own, in every tool, and passes it on.
func TestDecodeLeavesOutWhatClientsAdd(t *testing.T) {
	for _, d := range all {
		args := map[string]any{"wait_for_previous": true}
		for _, f := range d.fields {
			if f.required {
				args[f.name] = "main.go:1"
			}
		}
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		var f *fault.Error
		if err := d.Validate(text); errors.As(err, &f) && f.Code == fault.UnknownParam {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
	err := definition(t, "session_start").Validate(json.RawMessage(`{"breakpoints":[{"line":1,"wait_for_previous":true}]}`))
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.UnknownParam {
		t.Errorf("within a parameter it is none of a client's: %v", err)
	}
}

func TestDecodeKeepsAllDigits(t *testing.T) {
	for _, args := range []string{`{"thread_id":9223372036854775807}`, `{"thread_id":"9223372036854775807"}`} {
		if id := decode(t, Step(), args).ThreadID; id != math.MaxInt64 {
			t.Errorf("%s: %d", args, id)
		}
	}
	if got := decode(t, Inspect(), `{"address":18446744073709551615}`); got.Address != "18446744073709551615" {
		t.Errorf("address is %q", got.Address)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		code       fault.Code
		field      string
		says       []string // in message or hint
	}{
		{"step", `{"cuont":2}`, fault.UnknownParam, "cuont", []string{`no parameter "cuont"`, "did you mean count?", "step takes: action, count"}},
		{"step", `{"sessionId":"go-1"}`, fault.UnknownParam, "sessionId", []string{"did you mean session_id?"}},
		{"diagnose", `{"runtime_path":"python3"}`, fault.UnknownParam, "runtime_path", []string{`it goes into start: {"start": {"runtime_path": …}}`}},
		{"session_start", `{"program":"./x"}`, fault.UnknownParam, "program", []string{"did you mean target?"}},
		{"session_start", `{"breakpoints":[{"file":"a.go","lien":3}]}`, fault.UnknownParam, "breakpoints[0].lien", []string{"did you mean line"}},
		{"step", `{"action":"ovr"}`, fault.InvalidAction, "action", []string{`the string "ovr"`, "over, into, out, back", "did you mean over?"}},
		{"step", `{"granularity":"lnie"}`, fault.InvalidParam, "granularity", []string{"did you mean line?"}},
		{"inspect", `{"target":"stak"}`, fault.InvalidParam, "target", []string{"did you mean stack?"}},
		{"step", `{"count":"many"}`, fault.InvalidParam, "count", []string{`count is the string "many"`, "an integer from 1 to 100", `{"count": 1}`}},
		{"step", `{"count":101}`, fault.InvalidParam, "count", []string{"the number 101", "from 1 to 100", `{"count": 100}`}},
		{"step", `{"count":1.5}`, fault.InvalidParam, "count", []string{"the number 1.5"}},
		{"step", `{"count":1e999999999}`, fault.InvalidParam, "count", []string{"integer"}},
		{"step", `{"thread_id":9223372036854775808}`, fault.InvalidParam, "thread_id", []string{"9223372036854775808"}},
		{"step", `{"verbose":"perhaps"}`, fault.InvalidParam, "verbose", []string{"true or false"}},
		{"step", `{"action":["over"]}`, fault.InvalidParam, "action", []string{`the list ["over"]`, "a string"}},
		{"execute", `{"timeout_ms":-1}`, fault.InvalidParam, "timeout_ms", []string{"from 0 to 300000"}},
		{"session_start", `{"args":[["-v"]]}`, fault.InvalidParam, "args[0]", []string{"the list"}},
		{"session_start", `{"args":[null]}`, fault.InvalidParam, "args[0]", []string{"null"}},
		{"attempt", `{"check":{"test":"t"},"candidates":[{"hypothesis":"x","at":[{"location":"a.go:1"},{"location":"a.go:2"}]}]}`, fault.InvalidParam, "candidates[0].at", []string{`want an object`, `{"at": {"location": "…", "set": {"name": "value"}}}`}},
		{"session_start", `{"env":"nothing"}`, fault.InvalidParam, "env", []string{"an object of texts"}},
		{"session_start", `{"breakpoints":[7.5]}`, fault.InvalidParam, "breakpoints[0]", []string{"an object"}},
		{"session_start", `{"breakpoints":["calc.go:0"]}`, fault.InvalidLocation, "breakpoints[0]", []string{"breakpoints[0]:"}},
		{"session_start", `{"path_mappings":[{"local":"/a"}]}`, fault.MissingParam, "path_mappings[0].remote", []string{"remote"}},
		{"session_start", `{"adapter_options":[]}`, fault.InvalidParam, "adapter_options", []string{"an object"}},
		{"session_start", `{"subscribe_events":["outptu"]}`, fault.InvalidParam, "subscribe_events[0]", []string{"output"}},
		{"run_until", `{}`, fault.MissingParam, "location", []string{"run_until needs location", "main.go:42"}},
		{"step", `[1]`, fault.InvalidParam, "", []string{"the list [1]", "want an object"}},
		{"step", `"over"`, fault.InvalidParam, "", []string{"want an object"}},
	} {
		err := definition(t, c.tool).Validate(json.RawMessage(c.args))
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%s %s: error is %v", c.tool, c.args, err)
			continue
		}
		if f.Code != c.code || f.Field != c.field {
			t.Errorf("%s %s: code %s field %q, want %s %q", c.tool, c.args, f.Code, f.Field, c.code, c.field)
		}
		for _, part := range c.says {
			if !strings.Contains(f.Message+"\n"+f.Hint, part) {
				t.Errorf("%s %s: message %q hint %q do not say %q", c.tool, c.args, f.Message, f.Hint, part)
			}
		}
	}
}

// The example in a hint must be one that works.
func TestHintExamplesDecode(t *testing.T) {
	for _, c := range [][2]string{
		{"step", `{"count":"many"}`}, {"step", `{"action":"ovr"}`}, {"step", `{"verbose":7}`}, {"run_until", `{}`},
		{"inspect", `{"length":0}`}, {"inspect", `{"target":"zzz"}`}, {"session_start", `{"args":{}}`}, {"session_start", `{"port":70000}`},
	} {
		err := definition(t, c[0]).Validate(json.RawMessage(c[1]))
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Fatalf("%v: %v", c, err)
		}
		_, example, ok := strings.Cut(f.Hint, "for example ")
		if !ok {
			t.Errorf("%v: no example in %q", c, f.Hint)
		} else if err := definition(t, c[0]).Validate(json.RawMessage(example)); err != nil {
			t.Errorf("%v: the example %s fails: %v", c, example, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `{"count":"42"}`, `{"breakpoints":"a.go:7"}`, `{"breakpoints":[{"line":1e2}]}`, `{"env":["A=1"]}`,
		`{"adapter_options":{"a":[null]}}`, `{"action":{"x":1}}`, `"{\"count\":1}"`, `[]`, `nul`, `{"thread_id":-9223372036854775808}`, `{"args":"[1"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, args string) {
		for _, d := range all {
			err := d.Validate(json.RawMessage(args))
			var fe *fault.Error
			switch {
			case err != nil && !errors.As(err, &fe):
				t.Fatalf("%s: %v is no fault", d.Name, err)
			case err != nil && fe.Message == "":
				t.Fatalf("%s: a fault without a message", d.Name)
			}
		}
	})
}

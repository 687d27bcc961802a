package caller

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

var inspect = Tool{Name: "inspect", Params: []Param{
	{Name: "count", Type: "integer"}, {Name: "expression", Type: "string"}, {Name: "args", Type: "array"}, {Name: "env", Type: "object"},
	{Name: "target", Type: "string", Values: []string{"locals", "stack", "all"}}, {Name: "until", Type: "string", Values: []string{"all"}},
	{Name: "verbose", Type: "boolean", Values: []string{"true", "false"}},
}}

func TestArguments(t *testing.T) {
	for _, tt := range []struct{ typed, want string }{
		{"", `{}`},
		{`{"count": 18446744073709551615}`, `{"count": 18446744073709551615}`},
		{`{"count": 1}  to see one`, `{"count": 1}`},
		{"{\"count\":\n1}", "{\"count\":\n1}"},
		{`target=locals count=3`, `{"target":"locals","count":3}`},
		{`stack count=3`, `{"target":"stack","count":3}`},
		{`expression=42`, `{"expression":"42"}`},
		{`expression="a + b"`, `{"expression":"a + b"}`},
		{`expression='a["k"] \d'`, `{"expression":"a[\"k\"] \\d"}`},
		{`expression="say \"a\" \d \\"`, `{"expression":"say \"a\" \\d \\"}`},
		{`expression=a[0]==b`, `{"expression":"a[0]==b"}`},
		{`expression=`, `{"expression":""}`},
		{`args=["a b", "c"] count=1`, `{"args":["a b", "c"],"count":1}`},
		{`env={"A": {"b": "} \" x"}}`, `{"env":{"A": {"b": "} \" x"}}}`},
		{`args=one`, `{"args":"one"}`},
		{`verbose=true new=1`, `{"verbose":true,"new":1}`},
	} {
		got, err := inspect.Arguments(tt.typed)
		if err != nil || string(got) != tt.want || !json.Valid(got) {
			t.Errorf("%s: %s, %v, want %s", tt.typed, got, err, tt.want)
		}
	}
}

func TestArgumentsThatAreNone(t *testing.T) {
	for _, tt := range []struct{ typed, want string }{
		{`{"count": }`, "character 11"},
		{`{"count": 1} count=2`, `behind the object stands "count=2"`},
		{`locals, stack`, `"locals," is no argument: want name=value`},
		{`all`, "is no argument"}, // of two parameters
		{`true`, "is no argument"},
		{`=1`, "is no argument"},
		{`count=1 count=2`, "count is given twice"},
	} {
		if got, err := inspect.Arguments(tt.typed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %s, %v, want %s", tt.typed, got, err, tt.want)
		}
	}
	for _, typed := range []string{`{`, `{"count": [1,`, `expression="a`, `args=["a",`, `env={`} {
		if got, err := inspect.Arguments(typed); !errors.Is(err, ErrUnfinished) {
			t.Errorf("%s: %s, %v, want more", typed, got, err)
		}
	}
}

// What is typed never makes anything but JSON.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`a=1`, `{"a":1}`, `a="b c" d=[1]`, `a='`, `a=\`, `stack a={"b":"}"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if got, err := inspect.Arguments(typed); err == nil && !json.Valid(got) {
			t.Errorf("%q makes %q", typed, got)
		}
	})
}

func TestSessionOfAReply(t *testing.T) {
	for _, tt := range []struct{ reply, want string }{
		{`{"session_id": "go-1", "data": {"execution_state": {"status": "running"}}}`, "go-1"},
		{`{"session_id": "go-1", "data": {"execution_state": {"status": "terminated"}}}`, ""},
		{`{"data": {}}`, ""},
		{``, ""},
	} {
		if got := (Reply{JSON: json.RawMessage(tt.reply)}).Session(); got != tt.want {
			t.Errorf("%s: %q", tt.reply, got)
		}
	}
}

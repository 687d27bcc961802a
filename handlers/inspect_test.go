package handlers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

func TestConsumed(t *testing.T) {
	for shown, want := range map[string]int{
		`plain`:      5,
		`"abc"`:      3,
		`"abc`:       3, // cut
		`"a\nb`:      3,
		`"ab\`:       2, // cut inside an escape
		`"ab\x0`:     2,
		`"é…`:        2, // shortened for the budget
		`"\u00e9\t"`: 3,
	} {
		if got := textBytes(shown); got != want {
			t.Errorf("consumed(%s) = %d, want %d", shown, got, want)
		}
	}
}

// The call that goes on with a long text starts where the shown piece ends, and
// there is none after the last piece.
func TestLongTextsArePaged(t *testing.T) {
	q := question{InspectParams: &tools.InspectParams{Expression: "s", Start: 100, Count: 10}, show: testShow(), textPage: 2000}
	call, reach := q.restCall(session.Variable{}, `"0123456789"`)(`"0123456789"`)
	if reach != 110 {
		t.Errorf("reach %d", reach)
	}
	checkCall(t, call)
	want := responses.NewCall("inspect", "target", "expression", "expression", "s", "start", 110, "count", 10)
	if diff := cmp.Diff(want, call); diff != "" {
		t.Error(diff)
	}
	if _, reach := q.restCall(session.Variable{}, `"0123"`)(`"0123"`); reach < 1<<40 {
		t.Errorf("a short piece is not taken for the last, reach %d", reach)
	}
}

// Where the engine knows where a text goes on, that counts; a piece that did not
// fit the reply is read again in smaller ones.
func TestLongTextsThatAreNotCountedInBytes(t *testing.T) {
	q := question{InspectParams: &tools.InspectParams{Ref: 4, Start: 100, Count: 10}, show: testShow(), textPage: 2000}
	next := q.restCall(session.Variable{Next: 110}, `'ääääääääää'`)
	call, reach := next(`'ääääääääää'`)
	want := responses.NewCall("inspect", "target", "object", "ref", 4, "start", 110, "count", 10)
	if diff := cmp.Diff(want, call); diff != "" || reach != 110 {
		t.Error(reach, diff)
	}
	checkCall(t, call)
	call, reach = next(`'äää…`)
	want = responses.NewCall("inspect", "target", "object", "ref", 4, "start", 100, "count", 2)
	if diff := cmp.Diff(want, call); diff != "" || reach != 100 {
		t.Error(reach, diff)
	}
	if call, _ := q.restCall(session.Variable{Next: session.Unreachable}, `"0123"`)(`"0123"`); call.Tool != "" {
		t.Errorf("there is no way to the rest, but %v is offered", call)
	}
}

func TestDump(t *testing.T) {
	got := dump(0xc000, []byte("hello, world\x00\xff\n<more>"))
	want := []string{
		"0xc000  68 65 6c 6c 6f 2c 20 77 6f 72 6c 64 00 ff 0a 3c  hello, world...<",
		"0xc010  6d 6f 72 65 3e                                   more>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An expression or a reference given without a target says what is asked.
func TestKindOfQuestion(t *testing.T) {
	for _, c := range []struct {
		params tools.InspectParams
		want   string
	}{
		{tools.InspectParams{Target: "locals"}, "locals"},
		{tools.InspectParams{Target: "locals", Expression: "a+b"}, "expression"},
		{tools.InspectParams{Target: "locals", Ref: 3}, "object"},
		{tools.InspectParams{Target: "memory", Expression: "&x"}, "memory"},
	} {
		q := question{InspectParams: &c.params}
		if got := q.Subject(); got != c.want {
			t.Errorf("%+v is taken for %q, want %q", c.params, got, c.want)
		}
	}
}

func TestSettings(t *testing.T) {
	h := testHandlers()
	for _, k := range keys {
		if got := k.get(h); got < k.min || got > k.max {
			t.Errorf("the default of %s is %d, outside of %d to %d", k.name, got, k.min, k.max)
		}
		k.set(h, k.min)
		if got := k.get(h); got != k.min {
			t.Errorf("%s is %d after it was set to %d", k.name, got, k.min)
		}
		if _, err := k.parse("0"); !fault.Is(err, fault.ConfigInvalid) {
			t.Errorf("%s takes 0: %v", k.name, err)
		}
	}
	if got := h.Settings.budget(8000); got != 1000 {
		t.Errorf("the budget is %d although max_bytes was set to 1000", got)
	}
	if _, err := keyNamed("max_byte"); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("a misspelt key: %v", err)
	}
}

func TestUntyped(t *testing.T) {
	for _, c := range []struct{ value, typ, want string }{
		{"*main.user nil", "*main.user", "nil"},
		{"[]int len: 3, cap: 3, [1,2,3]", "[]int", "len: 3, cap: 3, [1,2,3]"},
		{"main.user", "main.user", "main.user"}, // nothing but the type
		{`"int x"`, "string", `"int x"`},
		{"int x", "", "int x"},
	} {
		if got := (session.Variable{Value: c.value, Type: c.typ}).Untyped(); got != c.want {
			t.Errorf("untyped %q of %q is %q, want %q", c.value, c.typ, got, c.want)
		}
	}
}

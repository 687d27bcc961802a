package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// plain is a dialect in which the frames of the runtime are internal.
type plain struct{ adapters.Base }

func (plain) Internal(f godap.StackFrame) bool { return strings.HasPrefix(f.Name, "runtime.") }

var reader = Reader{Dialect: plain{}, Values: adapters.Values{LongestValue: 5000}}

func TestValue(t *testing.T) {
	v := reader.Value(godap.Variable{
		Name: "x", Type: "T", Value: "{…}", EvaluateName: "a.x", VariablesReference: 3, NamedVariables: 2, MemoryReference: "0x10",
		PresentationHint: &godap.VariablePresentationHint{Kind: "argument"},
	}, 200)
	if v.Name != "x" || v.Path != "a.x" || v.Count != 2 || v.Memory != "0x10" || !v.Argument || v.Text || v.Cut != 0 {
		t.Errorf("%+v", v)
	}
	for value, want := range map[string][2]int{ // how much is known of it, and its length
		`"` + strings.Repeat("x", 100) + `"`:  {0, 0}, // it is all there
		`"` + strings.Repeat("x", 300) + `"`:  {302, 300},
		`"` + strings.Repeat("é", 300) + `"`:  {602, 0},  // bytes, characters or what else its language counts
		`"` + strings.Repeat("x", 5000) + `"`: {5002, 0}, // the adapter may have cut it
	} {
		v := reader.Value(godap.Variable{Value: value}, 200)
		if got := [2]int{v.Cut, v.Length}; got != want {
			t.Errorf("%.20s…: %v, want %v", value, got, want)
		}
	}
}

func TestLengthThatCameWithAText(t *testing.T) {
	r := reader
	r.Values.TextUnits = func(godap.Variable) (n int, known bool) { return 1 << 20, true }
	v := r.Value(godap.Variable{Value: "'" + strings.Repeat("x", 6000) + "..."}, 200)
	if v.Length != 1<<20 || !v.Characters {
		t.Errorf("%+v", v)
	}
}

// The plain fields of an object that does not fit come first.
func TestPreview(t *testing.T) {
	x := godap.Variable{Value: "main.T {items: []int len: 1000, cap: 1024, [" + strings.Repeat("0,", 100), VariablesReference: 3}
	if !Cramped(x, 200) || Cramped(godap.Variable{Value: strings.Repeat("1,", 200), VariablesReference: 3}, 200) || Cramped(x, 400) {
		t.Error("what has to be rewritten is judged wrong")
	}
	if !Cramped(godap.Variable{Value: "{items:size=9 {7, ...}, ...}", VariablesReference: 3}, 200) ||
		Cramped(godap.Variable{Value: "size=9 {{n:1}, {n:2}, ...}", VariablesReference: 3, IndexedVariables: 9}, 200) {
		t.Error("what the adapter has cut is judged wrong")
	}
	fields := []godap.Variable{
		{Name: "items", Value: "[]int len: 1000, cap: 1024, [" + strings.Repeat("0,", 100), VariablesReference: 4},
		{Name: "n", Value: "3"}, {Name: "text", Value: `"` + strings.Repeat("x", 90) + `"`}, {Name: "done", Value: "true"},
	}
	want := `main.T {n: 3, text: "` + strings.Repeat("x", 59) + `…, done: true, items: []int len: 1000, cap: 1024, [0,0,0,0,0,0…}`
	got := Preview(x, fields, 200)
	if got != want || len(got) > 200 {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Preview(x, fields, 40); got != `main.T {n: 3, done: true, …}` {
		t.Errorf("in little room: %s", got)
	}
	if got := Preview(x, fields[1:2], 40); got != `main.T {n: 3}` {
		t.Errorf("whole: %s", got)
	}
}

func TestPage(t *testing.T) {
	list := make([]godap.Variable, 30)
	for i := range list {
		list[i].Name = fmt.Sprintf("[%d]", i)
	}
	names := func(list []godap.Variable) (all []string) {
		for _, x := range list {
			all = append(all, x.Name)
		}
		return all
	}
	for name, c := range map[string]struct {
		page     Page
		elements int
		sent     []godap.Variable
		want     []string
		total    int
	}{
		"as asked":              {Page{Start: 5, Count: 2}, 30, list[5:7], []string{"[5]", "[6]"}, 30},
		"all was sent":          {Page{Start: 5, Count: 2}, 30, list, []string{"[5]", "[6]"}, 30},
		"fields":                {Page{Start: 28}, 0, list, []string{"[28]", "[29]"}, 30},
		"no number is the rule": {Page{}, 0, list, []string{"[0]", "[1]", "[2]"}, 30},
		"past the end":          {Page{Start: 99, Count: 2}, 0, list, nil, 30},
		"filtered":              {Page{Filter: "[2", Count: 2}, 30, list, []string{"[2]", "[20]"}, 11},
	} {
		got, total := c.page.Of(c.sent, c.elements, 3)
		if !slices.Equal(names(got), c.want) || total != c.total {
			t.Errorf("%s: %v of %d", name, names(got), total)
		}
	}
	if a := (Page{Start: 5}).Arguments(7, 6, 25); a.Start != 5 || a.Count != 1 || a.Filter != "indexed" || a.VariablesReference != 7 {
		t.Errorf("asked %+v", a)
	}
	if a := (Page{Start: 5}).Arguments(7, 0, 25); a.Start != 0 || a.Count != 0 || a.Filter != "" {
		t.Errorf("fields are asked for with %+v", a)
	}
	part := slices.Clone(list[:2])
	Renumber(part, 10)
	if got := names(part); !slices.Equal(got, []string{"[10]", "[11]"}) {
		t.Errorf("renumbered %v", got)
	}
}

func TestScopes(t *testing.T) {
	for name, want := range map[string][]Scope{
		"Locals (warning: optimized function)": {Locals}, "Arguments": {Locals, Arguments}, "Block": {Locals},
		"CPU Registers": {Registers}, "Globals": {Globals}, "Static": {Globals},
	} {
		if got := ScopesOf(godap.Scope{Name: name}); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := ScopesOf(godap.Scope{Name: "Everything", Expensive: true}); got != nil {
		t.Errorf("an expensive scope counts as %v", got)
	}
	if got := ScopeWarnings([]godap.Scope{{Name: "Locals (warning: optimized function)"}}); len(got) != 1 || !strings.HasPrefix(got[0], "optimized function: ") {
		t.Errorf("warnings %q", got)
	}
}

func TestThreadsWithOneStackAreOneGroup(t *testing.T) {
	at := func(line int) []godap.StackFrame { return []godap.StackFrame{{Name: "main.work", Line: line}} }
	states := []adapters.ThreadState{
		{ID: 1, Name: "gc", System: true}, {ID: 2, Frames: at(3)}, {ID: 3, Frames: at(9), Waiting: "lock"}, {ID: 4, Frames: at(3)}, {ID: 5, Frames: at(3)},
	}
	got := reader.Group(3, states, "", 2)
	if got.Total != 5 || got.System != 1 || len(got.Groups) != 2 || !got.Groups[0].Current || got.Groups[1].Count != 3 || !slices.Equal(got.Groups[1].IDs, []int{2, 4, 5}) {
		t.Errorf("%+v", got)
	}
	if got := reader.Group(3, states, "LOCK", 2); len(got.Groups) != 1 || got.Groups[0].IDs[0] != 3 {
		t.Errorf("filtered: %+v", got)
	}
}

func TestTracker(t *testing.T) {
	var tr Tracker
	step := func(key string, values map[string]string) ([]Change, bool) { return tr.Compare(key, values) }
	if changed, same := step("f", map[string]string{"i": "1"}); changed != nil || same {
		t.Errorf("the first stop: %v %v", changed, same)
	}
	if changed, same := step("f", map[string]string{"i": "2", "j": "0"}); !same || !slices.Equal(changed, []Change{{"i", "1", "2"}, {"j", "", "0"}}) {
		t.Errorf("a step: %v %v", changed, same)
	}
	if changed, same := step("", map[string]string{"i": "3"}); changed != nil || same {
		t.Errorf("a frame like others: %v %v", changed, same)
	}
	tr.Record(Visit{Where: "a.go:1", Stop: 1, Values: map[string]string{"b": "2", "a": "1"}}, 1, 10)
	tr.Record(Visit{Where: "a.go:2", Stop: 2, Changed: []Change{{"a", "1", "12345678901"}}, Same: true}, 1, 10)
	if got := tr.Seen(); !slices.Equal(got, []Value{{"a", "a.go:1", "1", 1}, {"a", "a.go:2", "1234567890", 2}}) {
		t.Errorf("seen %+v", got)
	}
	for i := range 2 * maxTracked {
		step(fmt.Sprint(i), map[string]string{})
	}
	if len(tr.frames) > maxTracked || len(tr.order) > maxTracked {
		t.Errorf("%d frames are remembered", len(tr.frames))
	}
}

// The callers tell one call from another, as long as enough of them is known.
func TestKey(t *testing.T) {
	frames := []godap.StackFrame{{Name: "f", Line: 1}, {Name: "f", Line: 2}, {Name: "f", Line: 2}}
	if key := (Stack{Frames: frames}).Key(1); key != "" {
		t.Errorf("in a deep recursion the key is %q", key)
	}
	if key := (Stack{Frames: frames, Complete: true}).Key(1); key == "" || key == (Stack{Frames: frames[1:], Complete: true}).Key(1) {
		t.Errorf("the key is %q", key)
	}
}

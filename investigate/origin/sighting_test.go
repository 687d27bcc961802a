package origin

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// row is a hit with the texts of its expressions.
func row(texts ...string) *recording.Event {
	e := &recording.Event{Kind: recording.Hit}
	for _, text := range texts {
		e.Values = append(e.Values, recording.Value{Text: text})
	}
	return e
}

func TestWhichPass(t *testing.T) {
	passes := []*recording.Event{row("1", "0", "a"), row("1", "1", "b"), row("2", "2", "a"), row("1", "3", "b"), row("<A at 0x7f01>", "4", "b")}
	for name, c := range map[string]struct {
		seen          observation
		want          int
		differs, note bool
	}{
		"the value alone":                 {observation{value: "2", whole: true}, 2, false, false},
		"what stands beside it decides":   {observation{value: "1", whole: true, beside: []beside{{"i", "3"}, {"s", "b"}}}, 3, false, false},
		"the value is worth more":         {observation{value: "2", whole: true, beside: []beside{{"i", "3"}, {"s", "b"}}}, 2, false, false},
		"the count where they look alike": {observation{value: "1", whole: true, nth: 2}, 1, false, false},
		"the first, and that is said":     {observation{value: "1", whole: true}, 0, false, true},
		"the last where it failed":        {observation{value: "1", whole: true, last: true}, 3, false, false},
		"addresses differ":                {observation{value: "<A at 0x7f99>", whole: true}, 4, false, false},
		"a constant by its name":          {observation{value: "Closed (2)", whole: true}, 2, false, false},
		"never that value":                {observation{value: "7", whole: true, beside: []beside{{"i", "2"}}}, 2, true, false},
		"no session":                      {observation{last: true}, 4, false, false},
		"not all of it is shown":          {observation{value: "2", beside: []beside{{"i", "2"}}}, 2, false, true},
		"not all, and another run":        {observation{value: "2", beside: []beside{{"i", "9"}, {"s", "a"}}, last: true}, 2, true, false},
		"cut":                             {observation{value: "<A at 0x7f…", whole: true}, 4, false, true},
		"cut, and another":                {observation{value: "<B at 0x7f…", whole: true}, 0, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, ok := c.seen.findPass(passes, 1, true)
			if !ok || p.hit != passes[c.want] || (p.differs != "") != c.differs || (p.note != "") != c.note {
				t.Errorf("it is %v with differs %q, note %q and %v, and not pass %d", p.hit, p.differs, p.note, ok, c.want)
			}
		})
	}
	if _, ok := (&observation{}).findPass(nil, 1, true); ok {
		t.Error("a place that was never reached is found")
	}
}

// comparison is a recorded value beside what a debugger shows of one.
type comparison struct {
	recorded, shown string
	want            recording.Equality
}

func holdsEach(t *testing.T, list []comparison, compare func(recorded, shown string) recording.Equality) {
	t.Helper()
	for _, c := range list {
		if got := compare(c.recorded, c.shown); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.recorded, c.shown, got, c.want)
		}
	}
}

// What tells an object from others in one run alone says nothing of another run.
func TestCompareObjects(t *testing.T) {
	holdsEach(t, []comparison{
		{"Shop@5", "Shop@2089", recording.NotCompared},
		{"Shop@5", "Shop@5", recording.NotCompared},
		{"Shop@5", "Cart@5", recording.Different},
		{`"mail@5"`, `"mail@6"`, recording.Different},
		{"#<Lazy>", "#<Lazy: 1..9>", recording.NotCompared},
		{"#<Lazy>", "#<Lazily: 1..9>", recording.Different},
		{"#<Lazy>", "#<Lazy>", recording.Equal},
	}, func(recorded, shown string) recording.Equality {
		return compareText(recording.Value{Text: recorded}, shown)
	})
}

// What a debugger shows of a value that has parts is compared where it can only be another value.
func TestCompareOutside(t *testing.T) {
	holdsEach(t, []comparison{
		{"size=20 [199, 159, …]", "size=9 [255, 255, …]", recording.Different},
		{"len: 3, cap: 4, [1,2,3]", "len: 2, cap: 4, [1,2]", recording.Different},
		{"len: 1, cap: 4, [1]", "len: 1, cap: 1, [1]", recording.NotCompared},
		{"{5, 0, 3, 'LookupError'}", "{0, 3, 5, 'LookupError'}", recording.NotCompared},
		{"(2) ['a', 'b']", "(2) ['b', 'a']", recording.Different},
		{"(2) ['a', 'b']", "(2) ['a', 'b']", recording.NotCompared},
		{"[5, 0, 1, 'LookupError']", "[0, 3, 5, 'LookupError']", recording.Different},
		{"[1, 2, 3]", "[0, 1, 2, ...]", recording.NotCompared},
		{"[1.5, 2.0]", "[1.5, 2]", recording.NotCompared},
		{"[<A at 0x7f01>, 1]", "[<A at 0x7f02>, 2]", recording.NotCompared},
		{"{name: \"a\", n: 1}", "*main.row {name: \"a\", n: 2}", recording.NotCompared},
		{"{name: \"a\", n: 1}", "{name: \"a\", n: 2}", recording.Different},
		{"Shop@5", "Shop@7", recording.NotCompared},
		{"[]", "[(28/25), (38/25)]", recording.Different},
		{"[<A at 0x7f01>]", "[]", recording.Different},
		{"[]", "{a: 1}", recording.NotCompared},
		{"(0) []", "(3) [0, 2, 4]", recording.Different},
		{"(1, 'a')", "(2, 'a')", recording.Different},
	}, compareOutside)
}

// Which pass it was is counted by the recorder, or by us where none was left out.
func TestCountWhereSomeWereLeftOut(t *testing.T) {
	seen := observation{value: "1", whole: true, nth: 2}
	list := []*recording.Event{row("1"), row("1"), row("1")}
	if p, _ := seen.findPass(list, 1, false); p.hit != list[0] || p.note == "" {
		t.Errorf("the second that was kept is taken for the second: %+v", p)
	}
	list[2].Hit = 2
	if p, _ := seen.findPass(list, 1, false); p.hit != list[2] {
		t.Errorf("the recorder's count is not believed: %+v", p)
	}
}

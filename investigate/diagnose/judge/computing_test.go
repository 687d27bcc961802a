package judge

import "testing"

// Who computes is told by the time that each thread takes, else by who waits for nothing;
// where that may be several nobody is named.
func TestComputing(t *testing.T) {
	main := Thread{Name: "main", IDs: []int{1}, Waiting: "a channel", At: "/w/a.go:28"}
	search := Thread{Name: "search", IDs: []int{2}, At: "/w/a.go:17"}
	other := Thread{Name: "other", IDs: []int{3}, At: "/w/a.go:40"}
	held := Thread{Name: "main", IDs: []int{1}, Waiting: "a lock", At: "/w/a.py:4"}
	for name, c := range map[string]struct {
		samples []Sample
		ticks   map[int]int64
		want    string
	}{
		"the one that waits for nothing":        {[]Sample{{main, search}, {main, search}}, nil, "search"},
		"two of which one is seen more":         {[]Sample{{main, search, other}, {main, search}}, nil, "search"},
		"two alike":                             {[]Sample{{main, search, other}}, nil, ""},
		"two alike, of which one takes time":    {[]Sample{{main, search, other}}, map[int]int64{1: 0, 2: 1, 3: 80}, "other"},
		"numbers that are not the system's":     {[]Sample{{main, search}}, map[int]int64{1: 90, 77: 1}, "search"},
		"the only one, in the debugger's pause": {[]Sample{{held}, {held}}, nil, "main"},
		"all wait":                              {[]Sample{{held, main}}, nil, ""},
		"several like it":                       {[]Sample{{main, {Name: "worker", Count: 4, IDs: []int{5}, At: "/w/a.go:9"}}}, nil, ""},
		"nobody was looked at":                  {nil, nil, ""},
	} {
		got, found := Computing(c.samples, c.ticks)
		if found != (c.want != "") || found && got.Name != c.want {
			t.Errorf("%s: %q, %v", name, got.Name, found)
		}
	}
}

// A thread that is seen in several functions may only be slow.
func TestFunctions(t *testing.T) {
	at := func(in string) Sample {
		return Sample{{Name: "main", IDs: []int{1}, At: "a.py:3", In: in}, {Name: "other", IDs: []int{2}, At: "a.py:9", In: "wait"}}
	}
	main := Thread{Name: "main", IDs: []int{1}}
	if got := Functions([]Sample{at("spin"), at("spin")}, main); len(got) != 1 {
		t.Errorf("of a loop: %v", got)
	}
	if got := Functions([]Sample{at("parse"), at("sum")}, main); len(got) != 2 {
		t.Errorf("of what goes on: %v", got)
	}
}

// That a program waits for what comes from outside is known only where all of its threads
// do.
func TestFromOutside(t *testing.T) {
	socket, lock, unknown := Thread{Waiting: "a connection", At: "a:1"}, Thread{Waiting: "a lock", At: "a:2"}, Thread{At: "a:3"}
	for name, c := range map[string]struct {
		sample Sample
		want   bool
	}{
		"a connection":                   {Sample{socket}, true},
		"a connection and a lock":        {Sample{socket, lock}, false},
		"a connection and who knows":     {Sample{socket, unknown}, false},
		"a lock":                         {Sample{lock}, false},
		"nobody":                         {nil, false},
		"a thread of the runtime waits ": {Sample{{Waiting: "a connection"}}, true},
	} {
		if got := FromOutside(c.sample); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A thread that waits for what it holds itself is a circle of one, and one that waits for
// another of the same name is none that anybody knows.
func TestCircleOfOne(t *testing.T) {
	asker := Thread{Name: "asker", At: "Cache.java:18", Waiting: "a write lock", Object: "rw, held by asker"}
	if got := Circle(Sample{asker}); len(got) != 1 {
		t.Errorf("the circle is %+v", got)
	}
	twin := Thread{Name: "asker", At: "Cache.java:30", Waiting: "a time to pass"}
	if got := Circle(Sample{asker, twin}); got != nil {
		t.Errorf("one of two of the name holds it: %+v", got)
	}
	numbered := Thread{Name: "cache", IDs: []int{17}, At: "cache.c:18", Waiting: "mutex", Object: "m, held by thread 17"}
	joins := Thread{Name: "cache", IDs: []int{7}, At: "cache.c:30", Waiting: "join", Object: "thread 17"}
	if got := Circle(Sample{joins, numbered}); len(got) != 1 || got[0].At != numbered.At {
		t.Errorf("the circle of who holds what it waits for, beside one of the same name, is %+v", got)
	}
	if got := Circle(Sample{joins, {Name: "cache", IDs: []int{17}, Waiting: "a time to pass"}}); got != nil {
		t.Errorf("one that is joined and may go on: %+v", got)
	}
	if asker.Object = "rw"; Circle(Sample{asker}) != nil {
		t.Error("a circle without a holder")
	}
}

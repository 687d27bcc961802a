package table

import (
	"fmt"
	"testing"

	"aidb-mcp/internal/recording"
)

func at(place string) string { return place }

func plain(text string) recording.Value { return recording.Value{Text: text} }

func cut(text, whole string) recording.Value {
	return recording.Value{Text: text, Cut: true, Extent: &recording.Extent{Whole: whole}}
}

func hits(values ...recording.Value) recording.Log {
	var log recording.Log
	for _, v := range values {
		log.Events = append(log.Events, recording.Event{Kind: recording.Hit, At: "a:1", Values: []recording.Value{v}})
	}
	return log
}

// Rows are folded that are the same in full, and those that only look so are counted.
func TestFoldsWhatIsTheSameInFull(t *testing.T) {
	for name, c := range map[string]struct {
		values      []recording.Value
		rows, alike int
	}{
		"the same":                     {[]recording.Value{plain("1"), plain("1"), plain("1")}, 1, 0},
		"others":                       {[]recording.Value{plain("1"), plain("2")}, 2, 0},
		"cut, and the same behind it":  {[]recording.Value{cut("{a: …", "x"), cut("{a: …", "x")}, 1, 0},
		"cut, and others behind it":    {[]recording.Value{cut("{a: …", "x"), cut("{a: …", "y"), cut("{a: …", "y")}, 2, 1},
		"cut, and unknown behind it":   {[]recording.Value{cut("{a: …", ""), cut("{a: …", "")}, 2, 1},
		"cut, and the recorder is old": {[]recording.Value{plain("[1, 2, ...]"), plain("[1, 2, ...]")}, 2, 1},
		"addresses, within one run":    {[]recording.Value{plain("0x10"), plain("0x20")}, 2, 0},
	} {
		table := Values(hits(c.values...), []string{"x"}, at)
		if len(table.Rows) != c.rows || table.Alike != c.alike || table.Hits != int64(len(c.values)) {
			t.Errorf("%s: %d rows, %d alike, %d hits", name, len(table.Rows), table.Alike, table.Hits)
		}
	}
	calls := recording.Log{}
	for i := range 2 {
		calls.Events = append(calls.Events,
			recording.Event{Kind: recording.Enter, Call: int64(i + 1), At: "a:1", Function: "f", Names: []string{"p"}, Values: []recording.Value{cut("{…", fmt.Sprint(i))}},
			recording.Event{Kind: recording.Leave, Call: int64(i + 1), Function: "f", Values: []recording.Value{plain("1")}})
	}
	if table := Calls(calls, at); len(table.Rows) != 2 || table.Alike != 1 {
		t.Errorf("two calls with other arguments are %d rows, %d alike", len(table.Rows), table.Alike)
	}
}

// Two tables are the same only where all of both is known and is the same.
func TestComparesWhole(t *testing.T) {
	one := func(v ...recording.Value) *Table { return Values(hits(v...), []string{"x"}, at) }
	open := func(t *Table) *Table { t.Open = true; return t }
	for name, c := range map[string]struct {
		ours, theirs         *Table
		parts, same, missing bool
		unsure               int
	}{
		"the same":                     {ours: one(plain("1")), theirs: one(plain("1")), same: true},
		"addresses differ from run to": {ours: one(plain("0x1")), theirs: one(plain("0x2")), same: true},
		"others":                       {ours: one(plain("1")), theirs: one(plain("2")), parts: true},
		"cut, and the same behind it":  {ours: one(cut("{…", "x")), theirs: one(cut("{…", "x")), same: true},
		"cut, and others behind it":    {ours: one(cut("{…", "x")), theirs: one(cut("{…", "y")), parts: true},
		"cut, and unknown behind it":   {ours: one(cut("{…", "")), theirs: one(cut("{…", "y")), unsure: 1},
		"one has ended before":         {ours: one(plain("1"), plain("2")), theirs: one(plain("1")), parts: true},
		"one was cut before":           {ours: one(plain("1"), plain("2")), theirs: open(one(plain("1"))), missing: true},
		"one was cut, and differs":     {ours: one(plain("1"), plain("2")), theirs: open(one(plain("3"))), parts: true},
		"the longer one was cut":       {ours: open(one(plain("1"), plain("2"))), theirs: one(plain("1")), parts: true},
		"both were cut before a row":   {ours: open(one()), theirs: open(one()), same: true}, // of rows: that they were cut is told by the runs
	} {
		got := Compare(c.ours, c.theirs, 3)
		if (got.First != nil) != c.parts || got.Same() != c.same || got.Unsure != c.unsure || got.Missing != c.missing {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A call that had not returned when its run was cut may have returned the same.
func TestCallThatHadNotReturned(t *testing.T) {
	enter := recording.Event{Kind: recording.Enter, Call: 1, At: "a:1", Function: "f", Names: []string{"p"}, Values: []recording.Value{plain("1")}}
	leave := recording.Event{Kind: recording.Leave, Call: 1, Function: "f", Values: []recording.Value{plain("2")}}
	ours := Calls(recording.Log{Events: []recording.Event{enter, leave}}, at)
	theirs := Calls(recording.Log{Events: []recording.Event{enter}}, at)
	if got := Compare(ours, theirs, 3); got.First == nil {
		t.Errorf("one has not returned from it, and had all the time: %+v", got)
	}
	theirs.Open = true
	if got := Compare(ours, theirs, 3); got.First != nil || got.Unsure != 1 {
		t.Errorf("the run was cut: %+v", got)
	}
}

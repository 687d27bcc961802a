package flow

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

// What refers to something is told by where that lies, whatever is in it by now.
func TestAPointerIsWhereItLeads(t *testing.T) {
	at := func(text, same string) recording.Value { return recording.Value{Text: text, Same: same} }
	for name, c := range map[string]struct {
		put, seen recording.Value
		stands    bool
	}{
		"its pointee has changed":      {at("{1}", "10"), at("{2}", "10"), true},
		"another that looks like it":   {at("{1}", "10"), at("{1}", "20"), false},
		"no pointers, equal":           {at("1", ""), at("1", ""), true},
		"no pointers, different":       {at("1", ""), at("2", ""), false},
		"nothing, where there was one": {at("nullptr", ""), at("{1}", "10"), false},
	} {
		if got := canStandFor(c.put, c.seen); got != c.stands {
			t.Errorf("%s: %t, want %t", name, got, c.stands)
		}
	}
}

// What append puts behind a slice lies over what another slice of the same memory has
// there; a slice that was only cut longer has written nothing.
func TestWhatAppendPutsBehindIsAWrite(t *testing.T) {
	short := recording.Value{Text: "[1]", Same: "1000", Extent: &recording.Extent{Span: 8}}
	longer := recording.Value{Text: "[1,42]", Same: "1000", Extent: &recording.Extent{Span: 16}}
	whole := recording.Value{Text: "[1,42,3]", Same: "1000", Extent: &recording.Extent{Span: 24}}
	for text, want := range map[string]bool{recording.Longer: true, "": false} {
		log := []recording.Event{
			{Kind: recording.Use, Seq: 1, At: "/a.go:1", Call: 1, Names: []string{"t"}, Values: []recording.Value{short}},
			{Kind: recording.Write, Seq: 2, At: "/a.go:1", Call: 1, Place: "2000", Text: text, Values: []recording.Value{short, longer}},
		}
		got := trail{log: log}
		s := sight{value: whole, before: 2, led: evidence.Observation{What: "whole"}}
		if list := got.findInnerChanges(&s); (len(list) > 0) != want || s.touched != want {
			t.Errorf("with text %q it is %+v", text, list)
		}
	}
}

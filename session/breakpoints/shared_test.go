package breakpoints

import (
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// An id that an adapter gives twice is no one's: stops and events are told apart
// by their place.
func TestSharedIDs(t *testing.T) {
	c := Connection{Main: true, Capabilities: able}
	var s Set
	first, second := s.Add(at(2), file), s.Add(at(5), file)
	reply := func(line int) godap.Breakpoint {
		return godap.Breakpoint{Id: 1, Verified: true, Line: line, Source: &godap.Source{Path: "a.go"}}
	}
	s.Apply(c, s.Plan(c)[0], []godap.Breakpoint{reply(2), reply(5)}, file)
	s.Update(c, godap.BreakpointEventBody{Reason: "changed", Breakpoint: reply(5)}, file)
	for _, b := range s.List() {
		if b.MovedFrom != 0 || b.Line != b.Spec.Line {
			t.Errorf("breakpoint %d has moved to %d", b.ID, b.Line)
		}
	}
	if ids := s.Telling(c.N, []int{1, 7}); !slices.Equal(ids, []int{7}) {
		t.Errorf("the ids %v of a stop are believed", ids)
	}
	stop := Stop{Reason: "breakpoint", File: "a.go", Line: 5}
	if hit := s.Candidates(stop); !slices.Equal(hit, []int{second}) {
		t.Errorf("a stop at line 5 is of %v", hit)
	}
	s.Remove(second)
	s.Apply(c, s.Plan(c)[0], []godap.Breakpoint{reply(2)}, file)
	if hit := s.Candidates(Stop{Reason: "breakpoint", Hit: s.Telling(c.N, []int{1})}); !slices.Equal(hit, []int{first}) {
		t.Errorf("alone the id is of %v", hit)
	}
}

// What has bound elsewhere for a while and comes back has not moved.
func TestMovedBack(t *testing.T) {
	c := Connection{Main: true, Capabilities: able}
	var s Set
	s.Add(at(2), file)
	for _, line := range []int{3, 2} {
		s.Apply(c, s.Plan(c)[0], []godap.Breakpoint{{Id: 1, Verified: true, Line: line}}, file)
	}
	if b := s.List()[0]; b.Line != 2 || b.MovedFrom != 0 || b.Text != "two" {
		t.Errorf("%+v", b)
	}
}

// That there are several functions of a name is still said when the first is bound.
func TestSeveralFunctions(t *testing.T) {
	c := Connection{Main: true, Capabilities: able}
	var s Set
	id := s.Add(Spec{Kind: Function, Function: "f"}, file)
	s.Locate(id, []Definition{{"a.go", 2}, {"a.go", 5}}, nil)
	s.Apply(c, s.Plan(c)[0], []godap.Breakpoint{{Id: 1, Verified: true, Line: 2}}, file)
	if b, _ := s.Get(id); !b.Verified || !strings.Contains(b.Message, "2 functions are called so") {
		t.Errorf("%+v", b)
	}
}

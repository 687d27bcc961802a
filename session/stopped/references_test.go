package stopped

import (
	"errors"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
)

func valueAt(number int, path string) *ref {
	p := &Program{stop: &stop{event: Stop{Number: number}}}
	return &ref{origin: origin{program: p}, Variable: Variable{Path: path}}
}

func TestReferencesEndWithTheirStop(t *testing.T) {
	var r References
	if n := r.add(valueAt(1, "a")); n != 0 {
		t.Errorf("a value of no stop was given the number %d", n)
	}
	r.Begin(1)
	first := r.add(valueAt(1, "a"))
	if v, err := r.find(first); err != nil || v.Path != "a" {
		t.Errorf("%+v, %v", v, err)
	}
	r.Begin(0)
	if _, err := r.find(first); !fault.Is(err, fault.StaleReference) {
		t.Errorf("after the stop: %v", err)
	}
	if n := r.add(valueAt(1, "late")); n != 0 {
		t.Errorf("a value that came late was given the number %d", n)
	}
	r.Begin(1)
	if _, err := r.find(first); err != nil {
		t.Errorf("of a stop that was not left after all: %v", err)
	}
	r.Begin(2)
	second := r.add(valueAt(2, "b"))
	if second <= first {
		t.Errorf("the number %d was used twice", second)
	}
	_, stale := r.find(first)
	_, unknown := r.find(second + 1)
	for err, want := range map[error]string{stale: "died", unknown: "never given out"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, wanted %q", err, want)
		}
	}
}

func TestNoProgramRefuses(t *testing.T) {
	why := fault.New(fault.NotPaused, "it runs")
	p := None(why)
	_, _, listed := p.Stack(t.Context(), 0, 0, 0)
	_, evaluated := p.Evaluate(t.Context(), "x", 0, 0, Page{})
	_, opened := p.Expand(t.Context(), 1, Page{})
	_, viewed := p.View(t.Context())
	_, grouped := p.Threads(t.Context(), "", 0)
	_, described := p.Exception(t.Context())
	_, watched := p.WatchID(t.Context(), "x", "write")
	for _, err := range []error{listed, evaluated, opened, viewed, grouped, described, watched} {
		if !errors.Is(err, why) {
			t.Errorf("error %v", err)
		}
	}
}

package evidence_test

import (
	"slices"
	"testing"

	"aidb-mcp/investigate/evidence"
)

var (
	read  = evidence.Observation{Run: 1, At: "/w/a.go:7", What: "got", Value: "99"}
	event = evidence.Observation{Run: 2, Event: 31, At: "/w/a.go:3", What: "half(6)", Value: "3"}
	mute  = evidence.Observation{Run: 1, At: "/w/a.go:7", Value: "99"}
)

func TestFindingStandsOnObservations(t *testing.T) {
	f := evidence.On("got", read, event)
	if value, found := f.Get(); value != "got" || !found || !f.Is() {
		t.Errorf("got %q, %v", value, found)
	}
	if got := f.Stands(); !slices.Equal(got, []evidence.Observation{read, event}) {
		t.Errorf("it stands on %v", got)
	}
	f.Stands()[0].What = "other"
	if f.Stands()[0] != read {
		t.Error("what a finding stands on can be changed from outside")
	}
}

func TestNoFindingWithoutObservation(t *testing.T) {
	for name, f := range map[string]evidence.Finding[string]{
		"zero":                  {},
		"first says nothing":    evidence.On("got", mute),
		"one more says nothing": evidence.On("got", read, mute),
		"an empty one":          evidence.On("got", evidence.Observation{}),
	} {
		if value, found := f.Get(); found || f.Is() || value != "" || len(f.Stands()) > 0 {
			t.Errorf("%s: found %q, standing on %v", name, value, f.Stands())
		}
	}
}

func TestAnObservationAsText(t *testing.T) {
	for want, o := range map[string]evidence.Observation{
		"run 1, /w/a.go:7: got = 99":              read,
		"run 2, event 31, /w/a.go:3: half(6) = 3": event,
		"run 1: exit code = 0":                    {What: "exit code", Value: "0"},
		"run 3: nothing was dropped":              {Run: 3, What: "nothing was dropped"},
	} {
		if got := o.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

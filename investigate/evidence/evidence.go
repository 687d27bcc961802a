// Package evidence ties each conclusion to what it was concluded from. A finding
// cannot be made without an observation, and keeps those on which it stands.
package evidence

import (
	"fmt"
	"slices"
)

// Observation is something that was read.
type Observation struct {
	Run   int    // in which run of the question, from 1
	Event int64  // of that run's recording; 0: where the program stood
	At    string // absolute file:line; empty where it has no place
	What  string // was read: an expression, "exit code", "processor time of thread 3"
	Value string // what it was; empty where reading it says enough
}

// said says that an observation tells of something.
func (o Observation) said() bool { return o.What != "" }

// String is the observation in one line.
func (o Observation) String() string {
	line := fmt.Sprintf("run %d", max(o.Run, 1))
	if o.Event > 0 {
		line += fmt.Sprintf(", event %d", o.Event)
	}
	if o.At != "" {
		line += ", " + o.At
	}
	line += ": " + o.What
	if o.Value != "" {
		line += " = " + o.Value
	}
	return line
}

// Finding is a conclusion with what it stands on. Its zero value is no finding. Only
// [On] makes one.
type Finding[T any] struct {
	value  T
	stands []Observation
}

// On is a finding that stands on all of these observations. Where one of them says
// nothing there is no finding: a conclusion is as good as the weakest thing under it.
func On[T any](value T, first Observation, more ...Observation) Finding[T] {
	all := append([]Observation{first}, more...)
	if slices.ContainsFunc(all, func(o Observation) bool { return !o.said() }) {
		return Finding[T]{}
	}
	return Finding[T]{value: value, stands: all}
}

// Get is what was found, and whether anything was.
func (f Finding[T]) Get() (T, bool) { return f.value, f.Is() }

// Is says that there is a finding.
func (f Finding[T]) Is() bool { return len(f.stands) > 0 }

// Stands are the observations on which the finding stands.
func (f Finding[T]) Stands() []Observation { return slices.Clone(f.stands) }

package profiling

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// Frame is a place in a stack.
type Frame struct {
	Function string
	File     string
	Line     int
}

// Builder makes a profile from stacks of frames: each function and place is in it once. It is
// not safe for concurrent use.
type Builder struct {
	p         *profile.Profile
	functions map[Frame]*profile.Function // by name and file
	locations map[Frame]*profile.Location
	samples   map[string]*profile.Sample
}

// NewBuilder begins a profile of a kind.
func NewBuilder(w What) *Builder {
	return &Builder{
		p:         &profile.Profile{SampleType: Types(w)},
		functions: map[Frame]*profile.Function{}, locations: map[Frame]*profile.Location{}, samples: map[string]*profile.Sample{},
	}
}

// Add adds values to what was added of the same stack, the innermost frame first, and labels.
func (b *Builder) Add(stack []Frame, labels map[string]string, values ...int64) {
	var key strings.Builder
	s := &profile.Sample{Value: make([]int64, len(b.p.SampleType))}
	for _, f := range stack {
		l := b.location(f)
		s.Location = append(s.Location, l)
		fmt.Fprintf(&key, "%d ", l.ID)
	}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if labels[name] == "" {
			continue
		}
		if s.Label == nil {
			s.Label = map[string][]string{}
		}
		s.Label[name] = []string{labels[name]}
		fmt.Fprintf(&key, "%q=%q ", name, labels[name])
	}
	if known := b.samples[key.String()]; known != nil {
		s = known
	} else {
		b.samples[key.String()] = s
		b.p.Sample = append(b.p.Sample, s)
	}
	for i := range min(len(values), len(s.Value)) {
		s.Value[i] += values[i]
	}
}

// Profile is what was built.
func (b *Builder) Profile() *profile.Profile { return b.p }

func (b *Builder) location(at Frame) *profile.Location {
	if l := b.locations[at]; l != nil {
		return l
	}
	l := &profile.Location{ID: uint64(len(b.p.Location) + 1), Line: []profile.Line{{Function: b.function(at), Line: int64(at.Line)}}}
	b.locations[at] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

func (b *Builder) function(at Frame) *profile.Function {
	at.Line = 0
	if f := b.functions[at]; f != nil {
		return f
	}
	f := &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: at.Function, SystemName: at.Function, Filename: at.File}
	b.functions[at] = f
	b.p.Function = append(b.p.Function, f)
	return f
}

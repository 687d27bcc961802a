// Package profiling is what a profiler is asked and what it has found, in one form for all
// languages: that of pprof, and beside it what that has no place for. It knows no session and
// no language.
//
// A profile's samples have the types that pprof's own tools know:
//
//   - CPU: "samples/count", and "cpu/nanoseconds" where that is known.
//   - Memory: "inuse_objects/count" and "inuse_space/bytes"; of a sample by type the label
//     [TypeLabel] names it. A sample may have a stack (who allocated it), a type, or both.
//     Several counts of the same objects, as by line and by type, are told apart so: samples
//     with the label are the count by type, those without one that by line.
//   - Waits: "samples/count"; the label [WaitsLabel] says what the thread waited for, and
//     [ThreadLabel] which one it was, where that is worth telling.
//
// A location's lines are innermost first, as pprof has them: several where functions were
// inlined. A function's Filename is absolute where it is known, and its Name as the language
// writes it.
package profiling

import (
	"time"

	"github.com/google/pprof/profile"
)

// What is profiled.
type What string

// The kinds of profiles.
const (
	CPU    What = "cpu"    // where processor time goes
	Memory What = "memory" // what is held, and what grows
	Waits  What = "waits"  // where threads stand
)

// Names of sample types and labels.
const (
	Samples = "samples"       // count
	Time    = "cpu"           // nanoseconds
	Objects = "inuse_objects" // count
	Space   = "inuse_space"   // bytes

	TypeLabel   = "type"
	WaitsLabel  = "waits_for"
	ThreadLabel = "thread"
)

// Spec is what a profiler is asked.
type Spec struct {
	What What
	// For is how long. 0: of a run of its own, until that ends; of the memory of a running
	// program, one look at it.
	For time.Duration
	// Save is where the profile is to be kept in the ecosystem's own form: a path without its
	// ending. Empty: nowhere.
	Save string
}

// Profile is what a profiler has found.
type Profile struct {
	// Data is the profile, of memory that at the end; never nil.
	Data *profile.Profile
	// Before is memory at the beginning; nil where all of Data is what grew since the program
	// began, and in other profiles.
	Before *profile.Profile

	How    string        // what has measured: "perf_event_open, 997 samples a second of processor time"
	Cost   string        // what that costs the program, as measured or as it is known to be
	Lasted time.Duration // how long it was looked at
	Ended  bool          // the program ended before the time was over
	File   string        // where it was kept, in the ecosystem's own form; empty: that is pprof's, and who asked keeps it
	Notes  []string      // what is not in it, or not sure

	// Library says that a function is not of the user's code. Nil: one whose file is not in
	// the folders of the program's sources is not.
	Library func(f *profile.Function) bool
	// Holders are the ways from a root to the largest of what is held, the largest first; nil:
	// the runtime does not tell.
	Holders []Holder
}

// Holder is a way from a root to what is held: each step holds the next.
type Holder struct {
	Type string // of what is held
	Way  []string
}

// Types makes the sample types of a profile of a kind.
func Types(w What) []*profile.ValueType {
	switch w {
	case CPU:
		return []*profile.ValueType{{Type: Samples, Unit: "count"}, {Type: Time, Unit: "nanoseconds"}}
	case Memory:
		return []*profile.ValueType{{Type: Objects, Unit: "count"}, {Type: Space, Unit: "bytes"}}
	}
	return []*profile.ValueType{{Type: Samples, Unit: "count"}}
}

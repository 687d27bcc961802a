package observe

import (
	"slices"
	"strings"

	"aidb-mcp/adapters/observe/fetch"
	"aidb-mcp/internal/recording/live"
)

// stacks names the callers of hits. The kernel follows frame pointers; which functions keep one is
// in the descriptions of their frames, and behind one that keeps none nothing is believed.
type stacks struct {
	*subject
	known map[uint64][]live.Frame // by the address within a call, with what was inlined there
}

func newStacks(s *subject) *stacks { return &stacks{subject: s, known: map[uint64][]live.Frame{}} }

// mostKnown addresses are kept in mind.
const mostKnown = 10_000

// framePointer is rbp, by its number in DWARF.
const framePointer = 6

// outermost are functions that nobody of the program calls.
var outermost = []string{"main", "_start", "runtime.goexit", "runtime.rt0_go", "runtime.mstart", "runtime.mstart0", "runtime.systemstack", "runtime.mcall"}

// calls are the calls that a hit is in, and why there are no more: empty where these are all. Pcs
// are what frame pointers led to, the first the place of the hit, or of a write the place behind it;
// caller is where its function returns to, 0 where that is not known.
func (s *stacks) calls(pcs []uint64, caller uint64, isWrite bool) (frames []live.Frame, rest string) {
	if len(pcs) == 0 {
		return nil, "the stack could not be read"
	}
	isFull := len(pcs) == fetch.StackDepth
	at := pcs[0]
	if isWrite {
		at--
	}
	next := s.behind(pcs, caller, isWrite)
	for {
		function := s.image.FunctionAt(at - s.bias)
		if function == nil {
			return append(frames, live.Frame{Function: s.mapped(at)}), "who has called that is not known"
		}
		frames = append(frames, s.named(at)...)
		switch {
		case slices.Contains(outermost, function.Name):
			return frames, ""
		case next == nil:
			return frames, shortName(function.Name) + " keeps no frame pointer"
		case len(next) == 0 && isFull:
			return frames, "it is deeper than 24 calls"
		case len(next) == 0:
			return frames, "the rest could not be followed"
		}
		back := next[0]
		next = next[1:]
		at = back - 1 // within the call
		if !s.keeps(back) {
			next = nil
		}
	}
}

// behind are the addresses of the callers; nil where they are not known.
func (s *stacks) behind(pcs []uint64, caller uint64, isWrite bool) []uint64 {
	register, distance, err := s.image.CFA(pcs[0] - s.bias)
	const atOnce = 8 // there is nothing on the stack but where it returns to
	switch {
	case err != nil:
		return nil
	case register == framePointer, s.image.IsGo && distance != atOnce:
		return notNil(pcs[1:])
	case isWrite && distance != atOnce:
		return nil
	case s.image.FunctionAt(caller-s.bias) == nil && s.isFile(caller):
		return []uint64{caller}
	case !s.isReturn(caller):
		return nil
	case len(pcs) > 1 && pcs[1] == caller: // the kernel knows that a function has only begun
		return pcs[1:]
	}
	return append([]uint64{caller}, pcs[1:]...)
}

func notNil(list []uint64) []uint64 { return append([]uint64{}, list...) }

// keeps says that the function to which a call returns keeps a frame pointer, which leads to its
// caller. Those of Go all do that call others.
func (s *stacks) keeps(back uint64) bool {
	if !s.isReturn(back) {
		return true // of a library, at which it ends in any case
	}
	register, _, err := s.image.CFA(back - s.bias)
	return err == nil && (s.image.IsGo || register == framePointer)
}

func (s *stacks) isReturn(address uint64) bool { return s.returns(address - s.bias) }

// named are the calls at an address, those that were inlined first.
func (s *stacks) named(at uint64) []live.Frame {
	if known, is := s.known[at]; is {
		return known
	}
	if len(s.known) >= mostKnown {
		clear(s.known)
	}
	var frames []live.Frame
	for _, c := range s.image.Calls(at - s.bias) {
		frames = append(frames, live.Frame{Function: c.Function, File: c.File, Line: c.Line})
	}
	s.known[at] = frames
	return frames
}

// shortName is a function's name without its package's path.
func shortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// returns says that a call ends at an address of the executable.
func (w *subject) returns(pc uint64) bool {
	f := w.image.FunctionAt(pc - 1)
	if f == nil {
		return false
	}
	code, err := w.image.Code(f)
	if err != nil {
		return false
	}
	const call, indirect, isCall = 0xe8, 0xff, 2 // of the second the operation stands in the next byte
	before := code[:min(pc-f.Low, uint64(len(code)))]
	n := len(before)
	if n >= 5 && before[n-5] == call {
		return true
	}
	for _, size := range []int{2, 3, 4, 6, 7} {
		if n >= size && before[n-size] == indirect && before[n-size+1]>>3&7 == isCall {
			return true
		}
	}
	return false
}

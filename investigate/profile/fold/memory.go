package fold

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/profiling"
)

// Held is memory that is held: by type, or by the line that allocated it.
type Held struct {
	Type         string // empty where it is by line
	Frame               // of the line; empty where the type alone is known
	Called       string // what of a library the line called for it, where most of it was
	Count, Bytes int64
	GrownCount   int64 // since before; of a run of its own all
	GrownBytes   int64
}

// Memory is a profile of memory.
type Memory struct {
	Types, Lines []Held // what grew most first
	Count, Bytes int64  // of all; by type where that is known, else by line
	GrownBytes   int64
	HasBytes     bool // where the runtime tells no sizes, there are counts alone
}

// FoldMemory reads what is held now, and what was before. Before may be nil: all has grown
// since then. What only one of them tells, by type or by line, is not compared.
func FoldMemory(now, before *profile.Profile, library func(*profile.Function) bool) *Memory {
	m := &Memory{}
	f := &folding{known: map[uint64]bool{}, library: library}
	held := map[Held]*heldCount{}
	looked := map[bool]bool{} // by line, and by type
	add := func(p *profile.Profile, sign int64) {
		f.known = map[uint64]bool{} // numbers are a profile's own
		count, counts := index(p, profiling.Objects)
		space, sized := index(p, profiling.Space)
		m.HasBytes = m.HasBytes || sized
		for _, s := range p.Sample {
			key, called := f.heldBy(s)
			byType := key.Type != ""
			if sign > 0 {
				looked[byType] = true
			} else if !looked[byType] {
				continue
			}
			h := heldIn(held, key)
			var n, bytes int64
			if counts {
				n = s.Value[count]
			}
			if sized {
				bytes = s.Value[space]
			}
			h.grownCount += sign * n
			h.grownBytes += sign * bytes
			if sign > 0 {
				h.count += n
				h.bytes += bytes
				h.called[called] += max(bytes, n)
			}
		}
	}
	add(now, 1)
	if before != nil {
		add(before, -1)
	}
	for key, h := range held {
		m.add(key, h)
	}
	for _, list := range [][]Held{m.Types, m.Lines} {
		slices.SortFunc(list, func(a, b Held) int {
			return cmp.Or(cmp.Compare(b.GrownBytes, a.GrownBytes), cmp.Compare(b.GrownCount, a.GrownCount), cmp.Compare(b.Bytes, a.Bytes),
				cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
		})
	}
	of := m.Types
	if len(of) == 0 {
		of = m.Lines
	}
	for _, h := range of {
		m.Count, m.Bytes, m.GrownBytes = m.Count+h.Count, m.Bytes+h.Bytes, m.GrownBytes+h.GrownBytes
	}
	return m
}

// heldCount is what is held of one kind.
type heldCount struct {
	count, bytes, grownCount, grownBytes int64
	called                               map[string]int64
}

func heldIn(in map[Held]*heldCount, k Held) *heldCount {
	if in[k] == nil {
		in[k] = &heldCount{called: map[string]int64{}}
	}
	return in[k]
}

// add adds a row; what is gone is none.
func (m *Memory) add(key Held, h *heldCount) {
	if h.count == 0 && h.bytes == 0 && h.grownCount == 0 && h.grownBytes == 0 {
		return
	}
	key.Count, key.Bytes, key.GrownCount, key.GrownBytes = h.count, h.bytes, h.grownCount, h.grownBytes
	var most int64
	for name, v := range h.called {
		if v > most || v == most && name < key.Called {
			most, key.Called = v, name
		}
	}
	if key.Type != "" {
		m.Types = append(m.Types, key)
	} else {
		m.Lines = append(m.Lines, key)
	}
}

// heldBy says what a sample is of, and what of a library was called for it.
func (f *folding) heldBy(s *profile.Sample) (key Held, called string) {
	if label := s.Label[profiling.TypeLabel]; len(label) > 0 {
		key.Type = label[0]
	}
	stack := f.stack(s)
	if len(stack) == 0 {
		if key.Type == "" {
			key.Function = "(unknown)"
		}
		return key, ""
	}
	top := slices.IndexFunc(stack, func(f Frame) bool { return !f.Library })
	switch {
	case top > 0:
		called = stack[top-1].Function
	case top < 0:
		top, called = len(stack)-1, stack[0].Function
		stack[top].Line = 0
	}
	key.Frame = stack[top]
	return key, called
}

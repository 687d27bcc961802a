package sample

import (
	"encoding/binary"
	"maps"
	"path/filepath"
	"slices"

	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/profiling"
)

// deepest is how many frames of a stack are looked at.
const deepest = 512

// walk is the way up the stack of a sample.
type walk struct {
	space     *space
	modules   *modules
	stack     []byte // from the stack pointer on
	base      uint64 // where that lies
	registers map[uint64]uint64
	pcs       []uint64
	isCut     bool // it goes deeper than what was copied
}

// load reads a word of the stack.
func (w *walk) load(address uint64) (uint64, bool) {
	if address < w.base || address-w.base+8 > uint64(len(w.stack)) {
		w.isCut = w.isCut || address >= w.base && len(w.stack) > 0
		return 0, false
	}
	return binary.LittleEndian.Uint64(w.stack[address-w.base:]), true
}

// lookAt is the mapping of an address, with its module.
func (w *walk) lookAt(pc uint64) *mapping {
	m := w.space.find(pc)
	if m == nil && w.space.refresh() {
		m = w.space.find(pc)
	}
	if m != nil {
		w.modules.find(w.space, m)
	}
	return m
}

// unwind follows the frames by what executables say of them. It says whether it has come to the
// outermost.
func (w *walk) unwind() (whole bool) {
	pc := w.registers[image.RegisterRA]
	for first := true; len(w.pcs) < deepest; first = false {
		w.pcs = append(w.pcs, pc)
		rule := w.rule(pc, first)
		switch {
		case rule == nil:
			return false
		case rule.Ends:
			return true
		}
		next, more, ok := w.up(rule)
		if !ok || !more {
			return ok
		}
		pc = next
	}
	return true
}

// rule says how the caller of an address is found; a caller stands behind its call.
func (w *walk) rule(pc uint64, isTop bool) *image.Unwinding {
	m := w.lookAt(pc)
	if m == nil {
		return nil
	}
	address, ok := m.address(pc)
	if !ok {
		return nil
	}
	if !isTop {
		address--
	}
	return m.module.unwinding(address)
}

// up makes the registers those of the caller.
func (w *walk) up(rule *image.Unwinding) (pc uint64, more, ok bool) {
	base, known := w.registers[rule.Register]
	if !known {
		return 0, false, false
	}
	frame := base + uint64(rule.Distance)
	pc, ok = w.load(frame + uint64(rule.Return))
	if !ok {
		return 0, false, false
	}
	saved := map[uint64]uint64{}
	for register, at := range rule.Saved {
		if v, is := w.load(frame + uint64(at)); is {
			saved[register] = v
		}
	}
	maps.Copy(w.registers, saved)
	if frame <= w.registers[image.RegisterSP] { // stacks only end
		return 0, false, false
	}
	w.registers[image.RegisterSP] = frame
	return pc, pc != 0, true
}

// follow adds frames by frame pointers, from where unwinding could not go on.
func (w *walk) follow() {
	for bp := w.registers[image.RegisterBP]; len(w.pcs) < deepest; {
		next, ok := w.load(bp)
		pc, is := w.load(bp + 8)
		if !ok || !is || w.lookAt(pc) == nil {
			return
		}
		w.pcs = append(w.pcs, pc)
		if next <= bp {
			return
		}
		bp = next
	}
}

// stackOf finds the addresses of a sample's stack, the innermost first. Whole says that they go
// to the outermost frame.
func (t *sampler) stackOf(r *raw) (pcs []uint64, whole, isCut bool) {
	s := t.spaceOf(r.pid)
	if !r.hasState {
		return slices.Clone(r.chain), false, false
	}
	w := walk{space: s, modules: &t.modules, stack: r.stack, registers: map[uint64]uint64{}}
	for i, number := range registerNumbers {
		w.registers[number] = r.registers[i]
	}
	w.base = w.registers[image.RegisterSP]
	if m := w.lookAt(w.registers[image.RegisterRA]); m != nil && m.module.image != nil && m.module.image.IsGo {
		return t.goStack(&w, r), true, false
	}
	if w.unwind() {
		return w.pcs, true, false
	}
	if len(w.pcs) > 0 && len(r.chain) > len(w.pcs) && !w.isCut {
		w.follow()
		return w.pcs, false, false
	}
	// What was not copied frame pointers may still lead to.
	if last := len(w.pcs) - 1; last > 0 {
		if at := slices.Index(r.chain, w.pcs[last]); at >= 0 {
			return append(w.pcs, r.chain[at+1:]...), false, w.isCut
		}
	}
	return w.pcs, false, w.isCut
}

// goStack is a stack of Go, whose functions keep frame pointers, which lead from the system's
// stack of a thread to that of its goroutine too. Those that have no frame of their own hide
// their caller.
func (t *sampler) goStack(w *walk, r *raw) []uint64 {
	chain := slices.Clone(r.chain)
	if len(chain) == 0 {
		return []uint64{w.registers[image.RegisterRA]}
	}
	rule := w.rule(chain[0], true)
	if rule == nil {
		return chain
	}
	caller, more, ok := w.up(rule)
	if ok && more && (len(chain) == 1 || chain[1] != caller) && w.lookAt(caller) != nil {
		chain = slices.Insert(chain, 1, caller)
	}
	return chain
}

// frames names the addresses of a stack.
func (t *sampler) frames(s *space, pcs []uint64) (list []profiling.Frame, optimized bool) {
	hasLine := false
	w := walk{space: s, modules: &t.modules}
	for i, pc := range pcs {
		m := w.lookAt(pc)
		if m == nil {
			list = append(list, profiling.Frame{Function: "(code of no file)"})
			continue
		}
		address, ok := m.address(pc)
		var calls []image.Call
		if ok {
			if i > 0 {
				address--
			}
			calls = m.module.callsAt(address)
		}
		if len(calls) == 0 {
			list = append(list, profiling.Frame{Function: "(" + filepath.Base(m.module.name) + ")"})
		}
		for _, c := range calls {
			list = append(list, profiling.Frame{Function: c.Function, File: c.File, Line: c.Line})
			if !hasLine && c.Line > 0 {
				hasLine, optimized = true, c.Optimized
			}
		}
	}
	for len(list) > 1 && slices.Contains(beginnings, list[len(list)-1].Function) {
		list = list[:len(list)-1]
	}
	return list, optimized
}

// beginnings are functions that begin what a thread does: they say nothing of what that is.
var beginnings = []string{
	"runtime.goexit", "runtime.mcall", "runtime.mstart", "runtime.mstart0", "runtime.mstart1", "runtime.systemstack", "runtime.rt0_go", "_rt0_amd64_linux",
	"_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone3", "clone", "__clone3", "(libc.so.6)",
}

//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"slices"

	"github.com/go-delve/delve/pkg/proc"
)

// addWays puts breakpoints of lines where Delve puts none. It takes the lowest instruction of a
// line, which may be the end of the block in front of it: what comes to the line from another
// block branches past that, and the breakpoint would never be hit.
func (f *front) addWays() {
	if f.frozen || f.dbg.IsRunning() {
		return
	}
	group, unlock := f.dbg.LockTargetGroup()
	defer unlock()
	for _, t := range group.Targets() {
		if ok, _ := t.Valid(); !ok {
			continue
		}
		for address, bp := range lineBreakpoints(t) {
			for _, way := range f.waysOf(t, address) {
				_, _ = t.SetBreakpoint(bp.LogicalID, way, proc.UserBreakpoint, nil) // where it is there already, or cannot be put, all stays as it is
			}
		}
	}
}

// lineBreakpoints are those that were set at a line, by their addresses.
func lineBreakpoints(t *proc.Target) map[uint64]*proc.LogicalBreakpoint {
	found := map[uint64]*proc.LogicalBreakpoint{}
	for address, bp := range t.Breakpoints().M {
		if user := bp.UserBreaklet(); user != nil && bp.Logical != nil && bp.Logical.Set.File != "" {
			found[address] = bp.Logical
		}
	}
	return found
}

// codeAddress is one in the code of a process.
type codeAddress struct {
	pid     int
	address uint64
}

// waysOf are the other ways to the line of a breakpoint, by its address.
func (f *front) waysOf(t *proc.Target, address uint64) []uint64 {
	at := codeAddress{t.Pid(), address}
	known, is := f.ways[at]
	if !is {
		if f.ways == nil {
			f.ways = map[codeAddress][]uint64{}
		}
		known = waysTo(t, address)
		f.ways[at] = known
		for _, way := range known {
			f.ways[codeAddress{at.pid, way}] = nil // it is one itself
		}
	}
	return known
}

// waysTo are the other ways to the line whose lowest instruction is at an address.
func waysTo(t *proc.Target, address uint64) []uint64 {
	fn := t.BinInfo().PCToFunc(address)
	if fn == nil || fn.Optimized() { // in which lines lie in pieces
		return nil
	}
	code, err := proc.Disassemble(t.Memory(), nil, t.Breakpoints(), t.BinInfo(), fn.Entry, fn.End)
	if err != nil {
		return nil
	}
	file, line, _ := t.BinInfo().PCToLine(address)
	return otherWays(code, address, t.BinInfo().AllPCsForFileLines(file, []int{line})[line])
}

// otherWays are those of a line's instructions, of which statements start at some, by which one
// may come to it for the first time without the first of them.
func otherWays(code []proc.AsmInstruction, first uint64, starts []uint64) []uint64 {
	flow := flowOf(code)
	start, found := slices.BinarySearchFunc(code, first, func(in proc.AsmInstruction, pc uint64) int {
		return int(int64(in.Loc.PC) - int64(pc))
	})
	if !found || flow == nil {
		return nil
	}
	at := code[start].Loc
	isStart := func(i int) bool { return slices.Contains(starts, code[i].Loc.PC) }
	isOn := func(i int) bool { return code[i].Loc.Line == at.Line && code[i].Loc.File == at.File }
	var others []uint64
	for _, way := range flow.Others(start, isStart, isOn) {
		others = append(others, code[way].Loc.PC)
	}
	return others
}

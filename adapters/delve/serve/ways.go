//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"maps"
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
	isOn := func(i int) bool { return code[i].Loc.Line == at.Line && code[i].Loc.File == at.File }
	entries := map[int]bool{}
	walk(flow, 0, func(to int) bool {
		isStart := to != start && slices.Contains(starts, code[to].Loc.PC)
		if isStart {
			entries[to] = true
		}
		return to != start && !isStart
	})
	onward := withoutLoops(flow)
	chosen := []int{start}
	var ways []uint64
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		// One pass of the line is not to stop at two.
		if !leads(flow, entry, start, isOn) && !slices.ContainsFunc(chosen, func(c int) bool {
			return leads(onward, c, entry, nil) || leads(onward, entry, c, nil)
		}) {
			chosen, ways = append(chosen, entry), append(ways, code[entry].Loc.PC)
		}
	}
	return ways
}

// leads says that the flow of code leads from one instruction to another, by such ones alone.
func leads(flow [][]int, from, to int, by func(int) bool) bool {
	found := false
	walk(flow, from, func(next int) bool {
		found = found || next == to
		return !found && (by == nil || by(next))
	})
	return found
}

// withoutLoops is a flow without what leads back to where it came from.
func withoutLoops(flow [][]int) [][]int {
	onward := make([][]int, len(flow))
	seen, isUnderWay := make([]bool, len(flow)), make([]bool, len(flow))
	type step struct{ at, next int }
	seen[0], isUnderWay[0] = true, true
	for path := []step{{}}; len(path) > 0; {
		last := &path[len(path)-1]
		if last.next == len(flow[last.at]) {
			isUnderWay[last.at] = false
			path = path[:len(path)-1]
			continue
		}
		next := flow[last.at][last.next]
		last.next++
		if isUnderWay[next] {
			continue
		}
		onward[last.at] = append(onward[last.at], next)
		if !seen[next] {
			seen[next], isUnderWay[next] = true, true
			path = append(path, step{at: next})
		}
	}
	return onward
}

// walk follows the flow of code from an instruction, where it is told to.
func walk(flow [][]int, from int, follow func(to int) bool) {
	seen := make([]bool, len(flow))
	seen[from] = true
	for open := []int{from}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for _, next := range flow[i] {
			if !seen[next] && follow(next) {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
}

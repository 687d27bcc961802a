package image

import (
	"debug/dwarf"
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"aidb-mcp/adapters/ways"
)

// withWays adds to the place of a line in a function of Go that is not optimized those at which a
// program comes to the line without it: the lowest instruction, which it is, may be the end of the
// block in front of the line, past which what comes from another block branches.
func (im *Image) withWays(p Place) []Place {
	list := []Place{p}
	if !im.IsGo || p.Inlined != "" || !im.isForDebugging(p.Function) {
		return list
	}
	code, flow := im.flow(p.Function)
	first, found := slices.BinarySearch(code, p.PC)
	if !found {
		return list
	}
	rows := im.rows(p.Function)
	isOn := func(i int) bool {
		at, known := slices.BinarySearchFunc(rows, code[i], func(e dwarf.LineEntry, pc uint64) int { return int(int64(e.Address) - int64(pc)) })
		if !known {
			at-- // the row that it goes on
		}
		return at >= 0 && rows[at].Line == p.Line && rows[at].File.Name == p.File
	}
	isStart := func(i int) bool {
		return slices.ContainsFunc(rows, func(e dwarf.LineEntry) bool {
			return e.Address == code[i] && e.IsStmt && e.Line == p.Line && e.File.Name == p.File
		})
	}
	for _, way := range flow.Others(first, isStart, isOn) {
		other := p
		other.PC = code[way]
		list = append(list, other)
	}
	return list
}

// isForDebugging says that Go's compiler was told to optimize nothing of a function.
func (im *Image) isForDebugging(f *Function) bool {
	unit := im.unitOf(f.Low)
	if unit == nil {
		return false
	}
	producer, _ := unit.entry.Val(dwarf.AttrProducer).(string)
	_, flags, _ := strings.Cut(producer, "; ")
	return slices.Contains(strings.Fields(flags), "-N")
}

// rows are those of the line table that are of a function, in the order of their addresses.
func (im *Image) rows(f *Function) []dwarf.LineEntry {
	unit := im.unitOf(f.Low)
	if unit == nil {
		return nil
	}
	lines, err := im.data.LineReader(unit.entry)
	if err != nil || lines == nil {
		return nil
	}
	var rows []dwarf.LineEntry
	err = eachLine(lines, func(e dwarf.LineEntry) {
		if e.Address >= f.Low && e.Address < f.High {
			rows = append(rows, e)
		}
	})
	if err != nil {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b dwarf.LineEntry) int { return int(int64(a.Address) - int64(b.Address)) })
	return rows
}

// flow are the instructions of a function, and which of them may come next; none where its code
// cannot be read. What jumps to where a register says leads nowhere, as does a call of what never
// returns.
func (im *Image) flow(f *Function) (code []uint64, flow ways.Flow) {
	var list []x86asm.Inst
	err := im.eachInstruction(f, func(pc uint64, in x86asm.Inst) { code, list = append(code, pc), append(list, in) })
	if err != nil {
		return nil, nil
	}
	flow = make(ways.Flow, len(code))
	for i, in := range list {
		to, known := target(code[i], in)
		if known && in.Op != x86asm.CALL {
			if next, within := slices.BinarySearch(code, to); within {
				flow[i] = append(flow[i], next)
			}
		}
		isLast := known && in.Op == x86asm.CALL && im.neverReturns(to)
		if i+1 < len(code) && in.Op != x86asm.JMP && in.Op != x86asm.RET && in.Op != x86asm.UD2 && !isLast {
			flow[i] = append(flow[i], i+1)
		}
	}
	return code, flow
}

// neverReturns says so of the function of Go at an address.
func (im *Image) neverReturns(pc uint64) bool {
	f := im.FunctionAt(pc)
	if f == nil {
		return false
	}
	name, isRuntime := strings.CutPrefix(f.Name, "runtime.")
	return isRuntime && (strings.HasPrefix(name, "panic") || strings.HasPrefix(name, "goPanic") || name == "gopanic" || name == "throw")
}

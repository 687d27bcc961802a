package binary

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// Lineless says that the instruction at an offset in a section of a program was,
// by its line table, made from no line. Before is the nearest line above it in the
// table: another one there means that the table is not that of the running program.
// What cannot be read is not known to be lineless.
func Lineless(path, name string, offset uint64, before int) bool {
	file, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	code := file.Section(name)
	if code == nil {
		return false
	}
	t := lineTable{order: file.ByteOrder, data: section(file, "line"), strings: section(file, "line_str"), address: 8}
	if file.Class == elf.ELFCLASS32 {
		t.address = 4
	}
	pc := code.Addr + offset
	programs := t.programsCovering(pc)
	for _, at := range programs {
		if !t.lineless(at, pc, before) {
			return false
		}
	}
	return len(programs) > 0
}

// lineTable is a program's .debug_line: a line program for each compiled file. The
// right one is found by what it says itself, for which no other section has to be
// read: of a large program those are hundreds of megabytes.
type lineTable struct {
	order   binary.ByteOrder
	data    []byte
	strings []byte
	address int // bytes of one
}

// programsCovering are the offsets of the line programs in which the nearest sequence of
// rows begins at or before an address: one, or more where the linker has folded
// functions together.
func (t lineTable) programsCovering(pc uint64) (programs []int) {
	nearest, begins := uint64(0), []int(nil)
	setAddress := []byte{0, byte(t.address + 1), 2} // DW_LNE_set_address
	for at := 0; ; {
		found := bytes.Index(t.data[at:], setAddress)
		at += found + len(setAddress)
		if found < 0 || at+t.address > len(t.data) {
			break
		}
		start := t.number(at, t.address)
		if start > pc || start < nearest {
			continue
		}
		if start > nearest {
			nearest, begins = start, nil
		}
		begins = append(begins, at)
	}
	for at := 0; at+12 <= len(t.data) && len(begins) > 0; {
		end := at + t.length(at)
		if end <= at || end > len(t.data) {
			break
		}
		if slices.ContainsFunc(begins, func(begin int) bool { return at < begin && begin < end }) {
			programs = append(programs, at)
		}
		at = end
	}
	return programs
}

func (t lineTable) number(at, size int) uint64 {
	if size == 4 {
		return uint64(t.order.Uint32(t.data[at:]))
	}
	return t.order.Uint64(t.data[at:])
}

// length of a line program, with the number that tells it.
func (t lineTable) length(at int) int {
	if n := t.number(at, 4); n != 0xffffffff {
		return int(n) + 4
	}
	return int(t.number(at+4, 8)) + 12
}

// lineless says that the row of an address has no line, and the rows before it the
// one that is given.
func (t lineTable) lineless(program int, pc uint64, before int) bool {
	rows, err := t.rows(program)
	if err != nil || rows == nil {
		return false
	}
	var row, next dwarf.LineEntry
	var above []int // lines of the nearest address that has any
	var aboveAt uint64
	for began := false; rows.Next(&next) == nil; row = next {
		if began && row.Address <= pc && pc < next.Address {
			return row.Line == 0 && slices.Contains(above, before)
		}
		if began = !next.EndSequence; !began {
			above = nil
			continue
		}
		if next.Line == 0 {
			continue
		}
		if next.Address != aboveAt {
			above, aboveAt = nil, next.Address
		}
		above = append(above, next.Line)
	}
	return false
}

// rows reads a line program. The library finds one by the debug information of a
// compiled file: here is one that says nothing else.
func (t lineTable) rows(program int) (*dwarf.LineReader, error) {
	abbreviations := []byte{
		1, 0x11, 0, // DW_TAG_compile_unit without children
		0x10, 0x17, // DW_AT_stmt_list, DW_FORM_sec_offset
		0, 0, 0,
	}
	info, err := binary.Append(nil, t.order, struct {
		Length                uint32 // of what follows
		Version               uint16
		Abbreviations         uint32
		Address, Abbreviation uint8
		StmtList              uint32
	}{12, 4, 0, uint8(t.address), 1, uint32(program)})
	if err != nil {
		return nil, err
	}
	data, err := dwarf.New(abbreviations, nil, nil, info, t.data, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := data.AddSection(".debug_line_str", t.strings); err != nil {
		return nil, err
	}
	entry, err := data.Reader().Next()
	if err != nil {
		return nil, err
	}
	return data.LineReader(entry)
}

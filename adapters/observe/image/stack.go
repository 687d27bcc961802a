package image

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"slices"
	"sort"

	"github.com/go-delve/delve/pkg/dwarf/frame"
	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/dwarf/reader"
)

// Call is a function at an address: with the place where it is then. What was inlined is a
// call too.
type Call struct {
	Function string
	File     string // as the compiler has named it; empty where no lines are known
	Line     int
	// Optimized says so of its code, where lines are known. Of Go's, which has always been
	// optimized where nobody debugs, it says nothing.
	Optimized bool
}

// OpenAny reads an executable or a library that may have no debug information: of such a one
// functions are known by the names of its symbols, and no lines. Close must be called.
func OpenAny(path string) (*Image, error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	im := &Image{elf: file, IsGo: file.Section(".go.buildinfo") != nil, trees: map[dwarf.Offset]*godwarf.Tree{}}
	switch err = im.read(); {
	case err == nil:
		im.HasLines = true
		return im, nil
	case im.elf.Machine != elf.EM_X86_64:
		_ = file.Close() // the error says more
		return nil, err
	}
	im.data, im.units, im.functions = nil, nil, nil
	if im.frames == nil {
		if err := im.readFrames(); err != nil {
			im.frames = nil // what is known of symbols is worth something too
		}
	}
	im.readSymbols()
	return im, nil
}

// readSymbols takes functions from the symbols.
func (im *Image) readSymbols() {
	for _, read := range []func() ([]elf.Symbol, error){im.elf.Symbols, im.elf.DynamicSymbols} {
		symbols, err := read()
		if err != nil {
			continue
		}
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
				im.functions = append(im.functions, Function{Name: s.Name, Low: s.Value, High: s.Value + max(s.Size, 1)})
			}
		}
	}
	slices.SortStableFunc(im.functions, func(a, b Function) int { return cmp.Compare(a.Low, b.Low) })
	im.functions = slices.CompactFunc(im.functions, func(a, b Function) bool { return a.Low == b.Low })
}

// Address is the address, as the file has it, of what lies at an offset of the file.
func (im *Image) Address(offset uint64) (address uint64, err error) {
	for _, p := range im.elf.Progs {
		if p.Type == elf.PT_LOAD && offset >= p.Off && offset < p.Off+p.Filesz {
			return offset - p.Off + p.Vaddr, nil
		}
	}
	return 0, fmt.Errorf("nothing of offset %#x is loaded", offset)
}

// Calls are the functions that an address is in, the innermost first; none where it is in no
// function that is known.
func (im *Image) Calls(pc uint64) []Call {
	f := im.FunctionAt(pc)
	if f == nil {
		return nil
	}
	call := Call{Function: f.Name}
	if !im.HasLines {
		return []Call{call}
	}
	call.Optimized = !im.IsGo && im.IsOptimized(f)
	u := im.unitOf(pc)
	if u == nil {
		return []Call{call}
	}
	if row := im.rowsOf(u).at(pc); row != nil && row.address >= f.Low {
		call.File, call.Line = row.file, row.line
	}
	tree, err := im.tree(f)
	if err != nil {
		return []Call{call}
	}
	var calls []Call
	for _, inlined := range reader.InlineStack(tree, pc) {
		call.Function = im.inlinedName(inlined)
		calls = append(calls, call)
		call = Call{Function: f.Name, Optimized: call.Optimized}
		at, isAt := inlined.Val(dwarf.AttrCallFile).(int64)
		line, isLine := inlined.Val(dwarf.AttrCallLine).(int64)
		if files := im.rowsOf(u).files; isAt && isLine && at >= 0 && int(at) < len(files) && files[at] != nil {
			call.File, call.Line = files[at].Name, int(line)
		}
	}
	return append(calls, call)
}

// inlinedName is the qualified name of a function that was inlined.
func (im *Image) inlinedName(t *godwarf.Tree) string {
	if name, known := im.inlined[t.Offset]; known {
		return name
	}
	name := ""
	r := im.data.Reader()
	r.Seek(t.Offset)
	if e, err := r.Next(); err == nil && e != nil {
		name = im.nameOf(e, im.names)
	}
	if name == "" {
		name, _ = t.Val(dwarf.AttrName).(string)
	}
	if im.inlined == nil {
		im.inlined = map[dwarf.Offset]string{}
	}
	im.inlined[t.Offset] = name
	return name
}

// lineTable is the lines of a unit.
type lineTable struct {
	rows  []lineRow // by address
	files []*dwarf.LineFile
}

// lineRow is where a line's code begins; a line of 0 where none does.
type lineRow struct {
	address uint64
	file    string
	line    int
}

// at is the row of an address; nil for none.
func (t *lineTable) at(pc uint64) *lineRow {
	i := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].address > pc }) - 1
	if i < 0 || t.rows[i].file == "" {
		return nil
	}
	for t.rows[i].line == 0 && i > 0 && t.rows[i-1].file == t.rows[i].file { // of no line of its own: what comes before it
		i--
	}
	return &t.rows[i]
}

// rowsOf are the lines of a unit, which are read once.
func (im *Image) rowsOf(u *unit) *lineTable {
	if known := im.tables[u]; known != nil {
		return known
	}
	t := &lineTable{}
	if im.tables == nil {
		im.tables = map[*unit]*lineTable{}
	}
	im.tables[u] = t
	lines, err := im.data.LineReader(u.entry)
	if err != nil || lines == nil {
		return t
	}
	var e dwarf.LineEntry
	for lines.Next(&e) == nil {
		row := lineRow{address: e.Address, line: e.Line}
		if !e.EndSequence && e.File != nil {
			row.file = e.File.Name
		}
		t.rows = append(t.rows, row)
	}
	t.files = lines.Files()
	slices.SortStableFunc(t.rows, func(a, b lineRow) int { // the end of one sequence may be the beginning of another
		return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(min(len(a.file), 1), min(len(b.file), 1)))
	})
	return t
}

// Unwinding is how the caller's frame is found at an address of the code.
type Unwinding struct {
	Register uint64 // by its number in DWARF, with Distance the frame's address
	Distance int64
	Saved    map[uint64]int64 // where registers of the caller's lie, from the frame's address on
	Return   int64            // where the address of return lies
	Ends     bool             // it has no caller
}

// The numbers of registers in DWARF on x86-64.
const (
	RegisterBP = 6
	RegisterSP = 7
	RegisterRA = 16
)

// Unwind says how the caller's frame is found at an address.
func (im *Image) Unwind(pc uint64) (u *Unwinding, err error) {
	defer func() { // the reader of frames panics at what it does not know
		if broken := recover(); broken != nil {
			u, err = nil, fmt.Errorf("reading how its frame lies: %v", broken)
		}
	}()
	entry, err := im.frames.FDEForPC(pc)
	if err != nil {
		return nil, err
	}
	state, err := entry.EstablishFrame(pc)
	if err != nil {
		return nil, err
	}
	if state.CFA.Rule != frame.RuleCFA {
		return nil, fmt.Errorf("its frame is found by an expression")
	}
	u = &Unwinding{Register: state.CFA.Reg, Distance: state.CFA.Offset, Saved: map[uint64]int64{}, Return: -8}
	for register, rule := range state.Regs {
		switch {
		case register == state.RetAddrReg && rule.Rule == frame.RuleUndefined:
			u.Ends = true
		case rule.Rule == frame.RuleOffset && register == state.RetAddrReg:
			u.Return = rule.Offset
		case rule.Rule == frame.RuleOffset:
			u.Saved[register] = rule.Offset
		}
	}
	return u, nil
}

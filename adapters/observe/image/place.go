package image

import (
	"cmp"
	"debug/dwarf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/reader"
)

// Place is where code can be watched.
type Place struct {
	PC       uint64
	File     string
	Line     int
	Function *Function
	// Inlined is the function that the code is of, where that was inlined into Function.
	Inlined string
}

// Lines are the places at which a program comes to the code of a line: one in each function that
// has a copy of it, and more where there are several ways to it in Go.
func (im *Image) Lines(file string, line int) ([]Place, error) {
	found := map[string]*lineCopy{}
	known := false
	for _, u := range im.units {
		lines, err := im.data.LineReader(u.entry)
		if err != nil || lines == nil || !compiles(lines, file) {
			continue
		}
		known = true
		var row *dwarf.LineEntry // of the line, until it is known whether it has code
		err = eachLine(lines, func(e dwarf.LineEntry) {
			if row != nil && (row.IsStmt || row.Address != e.Address) {
				im.addCopy(found, *row)
			}
			if row = nil; e.Line == line && isFile(e.File.Name, file) {
				row = &e
			}
		})
		if err != nil {
			return nil, err
		}
		if row != nil {
			im.addCopy(found, *row)
		}
	}
	switch {
	case !known:
		return nil, fmt.Errorf("no file %s is part of it", file)
	case len(found) == 0:
		return nil, fmt.Errorf("there is no code at %s:%d", file, line)
	}
	var list []Place
	for _, p := range chosen(found) {
		list = append(list, im.withWays(p)...)
	}
	return list, nil
}

// lineCopy is the code that a line has in a function, or in a function that was inlined there.
type lineCopy struct {
	Place
	isStatement bool
	within      string // the innermost function that was inlined there; empty for none
	depth       int    // of it
}

// addCopy adds a row of the line table to the copy that it is of, which begins at its lowest
// address; rows that begin a statement count more.
func (im *Image) addCopy(to map[string]*lineCopy, e dwarf.LineEntry) {
	f := im.FunctionAt(e.Address)
	if f == nil {
		return
	}
	c := lineCopy{Place: Place{PC: e.Address, File: e.File.Name, Line: e.Line, Function: f}, isStatement: e.IsStmt}
	key := fmt.Sprintf("%x", f.Low)
	if tree, err := im.tree(f); err == nil {
		stack := reader.InlineStack(tree, e.Address)
		for _, inlined := range stack {
			key += fmt.Sprintf("/%x", inlined.Offset)
		}
		if c.depth = len(stack); c.depth > 0 {
			c.within, _ = stack[0].Val(dwarf.AttrName).(string)
		}
	}
	if known := to[key]; known == nil || c.isStatement && !known.isStatement || c.isStatement == known.isStatement && c.PC < known.PC {
		to[key] = &c
	}
}

// chosen are the copies that are of the line's own function: what a compiler has moved into a
// function around that, variables of the line are not in reach of.
func chosen(copies map[string]*lineCopy) []Place {
	own, deepest := "", 0
	for _, c := range copies {
		if c.depth > deepest {
			own, deepest = c.within, c.depth
		}
	}
	var list []Place
	for _, c := range copies {
		if c.within == own || c.depth == 0 && c.Function.Name == own {
			c.Inlined = c.within
			list = append(list, c.Place)
		}
	}
	slices.SortFunc(list, func(a, b Place) int { return cmp.Compare(a.PC, b.PC) })
	return list
}

// compiles says that a unit has lines of a file.
func compiles(lines *dwarf.LineReader, file string) bool {
	return slices.ContainsFunc(lines.Files(), func(f *dwarf.LineFile) bool { return f != nil && isFile(f.Name, file) })
}

// isFile says that a path, of which only the end may be given, is that of a file.
func isFile(compiled, asked string) bool {
	compiled, asked = filepath.ToSlash(compiled), filepath.ToSlash(filepath.Clean(asked))
	return compiled == asked || strings.HasSuffix(compiled, "/"+asked)
}

func eachLine(lines *dwarf.LineReader, do func(dwarf.LineEntry)) error {
	var e dwarf.LineEntry
	for {
		switch err := lines.Next(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !e.EndSequence && e.File != nil:
			do(e)
		}
	}
}

// Bodies are the places where a function's body may be taken to begin, the best first: the
// end of its prologue as the compiler has marked it, the next row of its lines, its entry;
// of optimized code, which stores no arguments first, the entry.
// Those that are reached more than once in a call are left out: what a loop jumps back to,
// and the entry of a function of Go that looks there whether its stack is large enough.
func (im *Image) Bodies(f *Function) ([]Place, error) {
	unit := im.unitOf(f.Low)
	if unit == nil {
		return nil, fmt.Errorf("no unit has %s", f.Name)
	}
	lines, err := im.data.LineReader(unit.entry)
	if err != nil || lines == nil {
		return nil, fmt.Errorf("%s has no lines", f.Name)
	}
	var rows prologue
	if err := eachLine(lines, func(e dwarf.LineEntry) { rows.take(f, e) }); err != nil {
		return nil, err
	}
	jumps, err := im.jumps(f)
	if err != nil {
		return nil, err
	}
	order := []dwarf.LineEntry{rows.marked, rows.second, rows.entry}
	if !im.IsGo && im.IsOptimized(f) {
		order = []dwarf.LineEntry{rows.entry, rows.marked, rows.second}
	}
	var list []Place
	for _, row := range order {
		if row.File == nil || jumps.backTo(f, row.Address, im.IsGo) {
			continue
		}
		p := Place{PC: row.Address, File: row.File.Name, Line: row.Line, Function: f}
		if file, line := im.declared(f, lines); line > 0 {
			p.File, p.Line = file, line
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no place that is reached once in each call", f.Name)
	}
	return list, nil
}

// declared is where the source has a function; line 0: it is not known.
func (im *Image) declared(f *Function, lines *dwarf.LineReader) (file string, line int) {
	tree, err := im.tree(f)
	if err != nil {
		return "", 0
	}
	number, _ := tree.Val(dwarf.AttrDeclFile).(int64)
	at, _ := tree.Val(dwarf.AttrDeclLine).(int64)
	files := lines.Files()
	if number < 0 || number >= int64(len(files)) || files[number] == nil {
		return "", 0
	}
	return files[number].Name, int(at)
}

// prologue are the rows of the line table at the beginning of a function.
type prologue struct {
	entry, second dwarf.LineEntry
	marked        dwarf.LineEntry // as the end of the prologue
}

func (p *prologue) take(f *Function, e dwarf.LineEntry) {
	switch {
	case e.Address < f.Low || e.Address >= f.High:
	case e.Address == f.Low:
		if p.entry.File == nil {
			p.entry = e
		}
	case e.PrologueEnd && (p.marked.File == nil || e.Address < p.marked.Address):
		p.marked = e
	case e.IsStmt && (p.second.File == nil || e.Address < p.second.Address):
		p.second = e
	}
}

func (im *Image) unitOf(pc uint64) *unit {
	for i, u := range im.units {
		for _, span := range u.ranges {
			if pc >= span[0] && pc < span[1] {
				return &im.units[i]
			}
		}
	}
	return nil
}

// At is the place that an address of the code is of; its function is nil where that is not in
// the executable, and its file empty where nothing is known of its lines.
func (im *Image) At(pc uint64) Place {
	p := Place{PC: pc, Function: im.FunctionAt(pc)}
	unit := im.unitOf(pc)
	if p.Function == nil || unit == nil {
		return p
	}
	lines, err := im.data.LineReader(unit.entry)
	if err != nil || lines == nil {
		return p
	}
	from := uint64(0)
	err = eachLine(lines, func(e dwarf.LineEntry) {
		if e.Address >= p.Function.Low && e.Address <= pc && e.Address >= from && e.Line > 0 {
			from, p.File, p.Line = e.Address, e.File.Name, e.Line
		}
	})
	if err != nil {
		return p
	}
	if tree, err := im.tree(p.Function); err == nil {
		if stack := reader.InlineStack(tree, pc); len(stack) > 0 {
			p.Inlined, _ = stack[0].Val(dwarf.AttrName).(string)
		}
	}
	return p
}

// Named are the functions of a name, or of a name's end behind a dot or "::".
func (im *Image) Named(name string) []*Function {
	var list []*Function
	for i, f := range im.functions {
		if f.isAside {
			continue
		}
		bare := f.Name
		if open := strings.IndexAny(bare, "<("); open > 0 && !im.IsGo {
			bare = bare[:open] // what it was made for
		}
		for _, n := range []string{f.Name, bare} {
			if n == name || strings.HasSuffix(n, "."+name) || strings.HasSuffix(n, "::"+name) || strings.HasSuffix(n, "/"+name) {
				list = append(list, &im.functions[i])
				break
			}
		}
	}
	return list
}

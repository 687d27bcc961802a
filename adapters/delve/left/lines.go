package left

import (
	"debug/elf"
	"debug/gosym"
	"sync"
)

// Lines are those of an executable, which is kept open: once its debugger has ended it is gone.
// Of one that cannot be read no line is known.
type Lines struct {
	file  *elf.File
	table func() *gosym.Table
}

// OpenLines opens an executable, and reads its table once a line is asked for.
func OpenLines(executable string) *Lines {
	file, err := elf.Open(executable)
	if err != nil {
		return nil
	}
	return &Lines{file, sync.OnceValue(func() *gosym.Table { return tableOf(file) })}
}

// tableOf is nil for a file that lacks one.
func tableOf(file *elf.File) *gosym.Table {
	section, text := file.Section(".gopclntab"), file.Section(".text")
	if section == nil || text == nil {
		return nil
	}
	data, err := section.Data()
	if err != nil {
		return nil
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		return nil
	}
	return table
}

// Close closes the executable. No line is known afterwards that was not asked for before.
func (l *Lines) Close() {
	if l != nil {
		l.file.Close() // it was only read
	}
}

// at is the line of an instruction of a function: of the stack of who has made a goroutine a
// traceback gives the line to which each call returns, which may be the next one.
func (l *Lines) at(function string, offset uint64) (int, bool) {
	if l == nil || l.table() == nil {
		return 0, false
	}
	f := l.table().LookupFunc(function)
	if f == nil || offset == 0 {
		return 0, false
	}
	_, line, found := l.table().PCToLine(f.Entry + offset - 1)
	return line, found == f
}

package left

import (
	"debug/elf"
	"debug/gosym"
	"sync"

	"aidb-mcp/adapters/delve/traceback"
)

// linesOf reads the table of lines of an executable once it is asked for the first. Of one that
// cannot be read no line is known.
//
// Of the stack of who has made a goroutine a traceback gives the line to which each call
// returns, which may be the next one.
func linesOf(executable string) traceback.Lines {
	table := sync.OnceValue(func() *gosym.Table {
		file, err := elf.Open(executable)
		if err != nil {
			return nil
		}
		defer file.Close()
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
	})
	return func(function string, offset uint64) (int, bool) {
		if table() == nil {
			return 0, false
		}
		f := table().LookupFunc(function)
		if f == nil || offset == 0 {
			return 0, false
		}
		_, line, found := table().PCToLine(f.Entry + offset - 1)
		return line, found == f
	}
}

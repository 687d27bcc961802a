package weave

import (
	"fmt"
	"strconv"
	"strings"

	"aidb-mcp/internal/recording"
)

// count puts in what counts the calls of a function, and notes those that are to be noted.
func (f *sourceFile) count(fn *function) {
	short, from := f.isShort(fn), len(f.edits)
	begin := "Begin"
	if short {
		begin = "BeginCopy"
	}
	arguments, results := f.signature(fn)
	begin = fmt.Sprintf("aidb_frame.%s(%s%s)", begin, f.site(fn.pos, fn, arguments...), pointers(arguments))
	if len(arguments) > 0 { // copies, so that it is not the arguments themselves that have to lie on the heap
		all := strings.Join(arguments, ", ")
		begin = all + " := " + all + "; " + begin
	}
	if len(results) > 0 {
		begin = fmt.Sprintf("%s.Leak(%s); ", alias, strings.Join(results, ", ")) + begin
	}
	f.insert(fn.body.Lbrace+1, " if aidb_frame := %s.Meet(%d); aidb_frame != nil { %s; defer %s.End(aidb_frame%s) };", alias, len(f.counted), begin, alias, pointers(results))
	if short {
		f.copy(fn, from)
	}
	f.counted = append(f.counted, f.site(fn.pos, fn))
}

// sites is the recorder's file of the functions that are counted.
func (w *weaver) sites() []byte {
	n := len(w.counted)
	return fmt.Appendf(nil, "package recorder\n\nvar counters [%d]Counter\n\nvar sites = [%d]string{\n%s,\n}\n", n, n, strings.Join(w.counted, ",\n"))
}

// Thin is what the recorder in a program reads of what it is only to count.
func Thin(w recording.Spec) []byte {
	if w.Calls == nil || w.Calls.Thin == nil {
		return nil
	}
	t := w.Calls.Thin
	text := fmt.Appendf(nil, "first %d\nlast %d\nleave %d\n", t.First, t.Last, t.Leave)
	for name, n := range t.After {
		if _, err := strconv.Atoi(name); err == nil {
			text = fmt.Appendf(text, "%s %d\n", name, n)
		}
	}
	return text
}

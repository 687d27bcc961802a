package native

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
)

// Lineless: LLDB knows that a line is none. Where it knows no line at all, as in
// the system's libraries, the frame has none either.
func (d *lldbDialect) Lineless(ctx context.Context, c adapters.Caller, thread int, top godap.StackFrame) bool {
	var lineless bool
	return top.Line == 0 && d.ask(ctx, c, &lineless, "lineless", thread) == nil && lineless
}

// Lineless: gdb drops such places as it reads the line table, and takes the line
// before them for theirs; so the table is read here.
func (d *gdbDialect) Lineless(ctx context.Context, c adapters.Caller, thread int, top godap.StackFrame) bool {
	if top.Line == 0 || d.Internal(top) {
		return false
	}
	var at struct {
		File, Section string
		Offset        uint64
	}
	if err := d.ask(ctx, c, &at, "instruction", thread); err != nil || at.File == "" {
		return false
	}
	return binary.Lineless(at.File, at.Section, at.Offset, top.Line)
}

package native

import (
	"context"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/text/pattern"
)

// rustGDBDialect puts what gdb says of a Rust program as it is said with LLDB:
// values, expressions and panics are told by the same scripts.
type rustGDBDialect struct {
	*gdbDialect
	rustTests
	panics panics
}

var _ adapters.Dialect = (*rustGDBDialect)(nil)

// Correct: conditions are written in Rust as our script reads it, not as gdb does.
func (d *rustGDBDialect) Correct(caps *godap.Capabilities) {
	d.gdbDialect.Correct(caps)
	caps.SupportsConditionalBreakpoints = false
}

// Expression of Rust is worked out by our script.
func (d *rustGDBDialect) Expression(expr string) (rewritten, context string) {
	return strings.TrimSpace(expr), "watch"
}

// Assignment is in words of our script's own.
func (d *rustGDBDialect) Assignment(name, value string) string { return name + " := " + value }

// Fault says what our script reads.
func (d *rustGDBDialect) Fault(op string, err error) (message, hint string) {
	message, hint = d.gdbDialect.Fault(op, err)
	if op == "evaluate" && message == dap.Reason(err) {
		hint = rustReads
	}
	return message, hint
}

// Frame cleans the function's name.
func (d *rustGDBDialect) Frame(f godap.StackFrame) godap.StackFrame {
	f.Name = rustName(f.Name)
	return f
}

// Internal says that of the standard library, of crates and of the start of the program.
func (d *rustGDBDialect) Internal(frame godap.StackFrame) bool {
	return isRustLibrary(frame) || d.isHarness(frame) || d.gdbDialect.Internal(frame)
}

// What gdb's types mean: char is Rust's, where LLDB's is C's; and as LLDB it
// keeps no names of pointers, so that each has the sign of a raw one. A text
// that an expression has made is bytes to it.
var (
	char     = pattern.New(`\bchar\b`)
	pointers = strings.NewReplacer("*mut fn (", "fn(", "*mut ", "&", "*const ", "&")
	bytesOf  = pattern.New(`^\[u8; \d+\]$`)
)

// Variables have Rust's types, and the names that its expressions have.
func (d *rustGDBDialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	vars = d.gdbDialect.Variables(parent, vars)
	for i, v := range vars {
		vars[i].Type = pointers.Replace(char.ReplaceAllString(v.Type, "char32_t"))
		if strings.HasPrefix(v.Value, "<") && bytesOf.MatchString(v.Type) { // it stands for a value
			vars[i].Type = ""
		}
		if strings.HasPrefix(v.Value, `"`) && bytesOf.MatchString(v.Type) {
			vars[i].Type = "&str"
		}
	}
	return rustVariables(parent, vars, scopeNames[parent])
}

// Returned is what a function gave that was stepped out of.
func (d *rustGDBDialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	return returnedValues(ctx, c, thread, d.Variables)
}

// Filters understands uncaught, all and none for panics.
func (d *rustGDBDialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	others, _ := d.panics.choose(choice)
	return d.gdbDialect.Filters(others, advertised)
}

// Stopped: a panic stops the program as a breakpoint does.
func (d *rustGDBDialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.gdbDialect.Stopped(e)
	stop.Ask = stop.Ask || stop.Reason == "breakpoint"
	return stop
}

// ReadStop finds out whether a stop is a panic, and whether it is one of those
// that were asked for.
func (d *rustGDBDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if read, known := d.panics.read(ctx, c, &d.common, stop); known {
		return read
	}
	return d.gdbDialect.ReadStop(ctx, c, stop)
}

package delve

import (
	"context"
	"go/parser"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/arithmetic"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/text/pattern"
)

// Indirect: the nameless child of a pointer, and what an interface holds.
func (d *dialect) Indirect(child godap.Variable) bool {
	return child.Name == "" || child.Name == "data" && strings.HasSuffix(child.EvaluateName, ".(data)")
}

// signalled are the functions that run when the system delivers a signal, which it
// does all the time to preempt goroutines. Below those of the handler Delve goes on
// by frame pointers: the function that was interrupted is left out, or its caller.
// From asyncPreempt the way down is whole, but a step is one through the runtime.
var signalled = []string{
	"runtime.sigtramp", "runtime.sigreturn", "runtime.sighandler", "runtime.sigFetchG", "runtime.sigfwdgo", "runtime.asyncPreempt",
}

// Transient: a goroutine was caught while a signal was being delivered to it, or in
// one of the runtime's changes between stacks.
func (d *dialect) Transient(frames []godap.StackFrame) bool {
	for _, f := range frames {
		if !d.Internal(f) {
			return false
		}
		if slices.ContainsFunc(signalled, func(name string) bool { return strings.HasPrefix(f.Name, name) }) {
			return true
		}
	}
	return isCutOff(frames)
}

// isCutOff says that Delve did not find the way down a goroutine's stack, all of which ends
// in goexit: its thread was between two stacks, which the runtime changes to give or take
// the processor, to read the clock, or to grow one. The user's frames are there, unseen.
func isCutOff(frames []godap.StackFrame) bool {
	if len(frames) == 0 {
		return false
	}
	last := frames[len(frames)-1]
	return last.Source == nil || strings.HasPrefix(last.Name, "runtime.") && last.Name != "runtime.goexit"
}

// Failed: the result of a call that panicked is what the panic was given.
func (*dialect) Failed(results []godap.Variable) (why string, failed bool) {
	for _, r := range results {
		if r.Name == "~panic" {
			return "the call panicked: " + r.Value, true
		}
	}
	return "", false
}

// Judge: what Delve could not compute has no value and no type.
func (*dialect) Judge(result godap.EvaluateResponseBody) (why string, failed bool) {
	if result.Type == "invalid" && result.Result == "" {
		return "the debugger cannot compute this (NaN and infinite parts of complex numbers are beyond it)", true
	}
	return "", false
}

// cutText matches a text that Delve has cut, which it says inside of the quotes.
var cutText = pattern.New(`^(".*)\.\.\.\+(\d+) more"$`)

// FullLength adds up what is shown of a text and what is not.
func (*dialect) FullLength(v godap.Variable) int {
	m := cutText.FindStringSubmatch(v.Value)
	if m == nil {
		return 0
	}
	shown, err := strconv.Unquote(m[1] + `"`)
	if err != nil {
		return 0
	}
	more, err := strconv.Atoi(m[2])
	if err != nil {
		return 0
	}
	return len(shown) + more
}

// Arguments names the arguments and named results of the frame's function.
func (*local) Arguments(ctx context.Context, c adapters.Caller, thread, frame int) ([]string, error) {
	var body wire.ArgumentsBody
	err := c.Call(ctx, wire.Arguments, wire.FrameArgs{Goroutine: thread, Frame: frame}, &body)
	return body.Names, err
}

// Sides tells the two values of the expectation that fails a test.
func (*local) Sides(ctx context.Context, c adapters.Caller, thread int) (adapters.Sides, error) {
	var body wire.SidesBody
	err := c.Call(ctx, wire.Sides, wire.FrameArgs{Goroutine: thread}, &body)
	return adapters.Sides{Expected: body.Expected, Actual: body.Actual, From: body.From}, err
}

// Address is where the code of a line, or of a function, begins.
func (*local) Address(ctx context.Context, c adapters.Caller, file string, line int, function string) (uint64, error) {
	var body wire.AddressBody
	err := c.Call(ctx, wire.Address, wire.AddressArgs{File: file, Line: line, Function: function}, &body)
	return body.Address, err
}

// AddressOf: Delve shows what a pointer points to, but a number as it is.
func (*local) AddressOf(expression string) string {
	return "uintptr(&" + strings.TrimPrefix(strings.TrimSpace(expression), "&") + ")"
}

// ReadsLogged is true of what Delve shows as it is.
func (d *local) ReadsLogged(expression string) bool { return d.ReadsCondition(expression) }

// ReadsCondition: Delve compares with exact numbers, to which a float64 that
// holds 0.1 is not equal to 0.1.
func (*local) ReadsCondition(condition string) bool {
	expr, err := parser.ParseExpr(condition)
	return err != nil || arithmetic.Exact(expr)
}

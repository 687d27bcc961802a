package native

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
)

// Lines that code was made from.
func (d *common) Lines(ctx context.Context, c adapters.Caller, file string, line, n int) (lines []int, err error) {
	err = d.ask(ctx, c, &lines, "lines", file, line, n)
	return lines, err
}

// Functions of the program with names like this one.
func (d *common) Functions(ctx context.Context, c adapters.Caller, name string, n int) (names []string, err error) {
	err = d.ask(ctx, c, &names, "functions", name, n)
	return names, err
}

// Jump moves the point of execution.
func (d *common) Jump(ctx context.Context, c adapters.Caller, thread int, file string, line int) error {
	return d.ask(ctx, c, nil, "jump", thread, file, line)
}

// Memory at an address.
func (d *common) Memory(ctx context.Context, c adapters.Caller, address uint64, length int) ([]byte, error) {
	var text string
	if err := d.ask(ctx, c, &text, "memory", address, length); err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

// Registers of a frame.
func (d *common) Registers(ctx context.Context, c adapters.Caller, thread, frame int) ([]godap.Variable, error) {
	var list []struct{ Name, Value string }
	if err := d.ask(ctx, c, &list, "registers", thread, frame); err != nil {
		return nil, err
	}
	vars := make([]godap.Variable, len(list))
	for i, r := range list {
		vars[i] = godap.Variable{Name: r.Name, Value: shortPointer(r.Value)}
	}
	return vars, nil
}

// Arguments of a frame's function.
func (d *common) Arguments(ctx context.Context, c adapters.Caller, thread, frame int) (names []string, err error) {
	err = d.ask(ctx, c, &names, "arguments", thread, frame)
	return names, err
}

// Unset are the variables of C and C++ whose declaration is further on: the compilers
// give them their place for all of their block, where rustc says from where on each is
// there. And arguments that a function has not stored yet.
func (d *common) Unset(ctx context.Context, c adapters.Caller, thread, frame int) (list []adapters.Unset, err error) {
	if d.lang == build.Rust {
		return nil, nil
	}
	err = d.ask(ctx, c, &list, "unset", thread, frame)
	return list, err
}

// Address of a line's or a function's first instruction.
func (d *common) Address(ctx context.Context, c adapters.Caller, file string, line int, function string) (uint64, error) {
	var text string
	if err := d.ask(ctx, c, &text, "address", file, line, function); err != nil {
		return 0, err
	}
	return strconv.ParseUint(text, 0, 64)
}

// returned is what our script tells of a function's result: LLDB takes all that registers
// have room for from there, also what lies elsewhere.
type returned struct {
	Type, Value string
	Elsewhere   bool // without a value it is not known where
}

func (r *returned) variables(d *lldbDialect) []godap.Variable {
	if r == nil || r.Value == "" {
		return nil
	}
	return []godap.Variable{d.tidy("", godap.Variable{Name: "result", Type: r.Type, Value: r.Value})}
}

// Returned is among the locals after a step out.
func (d *lldbDialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var r *returned
	if err := d.ask(ctx, c, &r, "returned", thread); err == nil && r != nil && r.Elsewhere {
		return r.variables(d), nil
	}
	locals, err := topLocals(ctx, c, thread)
	if err != nil {
		return nil, err
	}
	for _, v := range locals {
		if isReturned(v) {
			v.Name = "result"
			return []godap.Variable{d.tidy("", v)}, nil
		}
	}
	return nil, nil
}

// topLocals are the variables of a thread's top frame as the adapter tells them.
func topLocals(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var stack godap.StackTraceResponseBody
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 1}, &stack); err != nil || len(stack.StackFrames) == 0 {
		return nil, err
	}
	var scopes godap.ScopesResponseBody
	if err := c.Call(ctx, "scopes", godap.ScopesArguments{FrameId: stack.StackFrames[0].Id}, &scopes); err != nil {
		return nil, err
	}
	var list []godap.Variable
	for _, sc := range scopes.Scopes {
		if !strings.HasPrefix(sc.Name, "Local") && sc.PresentationHint != "returnValue" {
			continue
		}
		var vars godap.VariablesResponseBody
		if err := c.Call(ctx, "variables", godap.VariablesArguments{VariablesReference: sc.VariablesReference}, &vars); err != nil {
			return nil, err
		}
		list = append(list, vars.Variables...)
	}
	return list, nil
}

// AddressOf is what both C's descendants and Rust write.
func (c *common) AddressOf(expression string) string {
	return "&" + strings.TrimPrefix(strings.TrimSpace(expression), "&")
}

// FullLength reads what our own scripts say of a text that they have cut.
func (c *common) FullLength(v godap.Variable) int {
	shown, rest, cut := cutLast(v.Value, `"...+`)
	if !cut {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(rest, " more"))
	if err != nil {
		return 0
	}
	return unescapedLength(strings.TrimPrefix(shown, `"`)) + n
}

// unescapedLength counts bytes, those that a backslash stands before as one with it.
func unescapedLength(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		}
		n++
	}
	return n
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

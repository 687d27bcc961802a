//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
)

// everyPanicName tells the breakpoint apart from Delve's own and the user's.
const everyPanicName = "every-panic"

// withEveryPanic adds our filter to the capabilities.
func withEveryPanic(frame []byte) []byte {
	var reply godap.InitializeResponse
	if json.Unmarshal(frame, &reply) != nil || !reply.Success {
		return frame
	}
	reply.Body.ExceptionBreakpointFilters = append(reply.Body.ExceptionBreakpointFilters, godap.ExceptionBreakpointsFilter{
		Filter: wire.EveryPanic, Label: "All panics, recovered or not",
	})
	more, err := json.Marshal(reply)
	if err != nil {
		return frame
	}
	return more
}

// catch sets or clears the breakpoint behind our filter and leaves the others
// to Delve. While the program runs Delve refuses, and so nothing is done.
func (f *front) catch(req request, frame []byte) {
	defer f.inner.write(frame)
	var args godap.SetExceptionBreakpointsArguments
	if json.Unmarshal(req.Arguments, &args) != nil || f.dbg.IsRunning() {
		return
	}
	want := slices.Contains(args.Filters, wire.EveryPanic)
	have := f.dbg.FindBreakpoint(wire.EveryPanicID)
	switch {
	case want && have == nil:
		// Without the function there is no runtime, and nothing can panic.
		_, _ = f.dbg.CreateBreakpoint(&api.Breakpoint{
			ID: wire.EveryPanicID, Name: everyPanicName, FunctionName: "runtime.gopanic",
		}, "", nil, false)
	case !want && have != nil:
		_, _ = f.dbg.ClearBreakpoint(have)
	}
}

// aboutToPanic describes the value at the very call of panic, before the
// runtime has asked it for its text.
func (t *target) aboutToPanic(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "panic", BreakMode: "always"}
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	// The argument is in registers, from where Delve cannot read the tables of
	// types; an interface in memory makes it read them beforehand.
	_, _ = scope.EvalExpression("runtime.divideError", shallow)
	v, err := scope.EvalExpression("e", whole)
	if err != nil {
		return body, err
	}
	if v.Kind == reflect.Interface && len(v.Children) == 1 {
		v = &v.Children[0]
	}
	body.Description = valueText(v)
	body.Details = &godap.ExceptionDetails{Message: body.Description, TypeName: v.TypeString()}
	return body, nil
}

// valueText is the text of a panic's value: of a string, of the errors that
// are made of one, and else the value as it is shown elsewhere.
func valueText(v *proc.Variable) string {
	value := v
	if value.Kind == reflect.Pointer && len(value.Children) == 1 {
		value = &value.Children[0]
	}
	switch v.TypeString() {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		if len(value.Children) > 0 {
			value = &value.Children[0] // the text is the first field
		}
	case "runtime.errorString", "runtime.boundsError":
		return "runtime error: " + display(value)
	}
	return display(value)
}

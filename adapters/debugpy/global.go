package debugpy

import (
	"context"
	"fmt"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

var identifier = pattern.New(`^[\pL_][\pL\pN_]*$`)

// Set gives global variables their values: debugpy takes a bare name for a local
// one, and makes it when there is none. An expression gets copies of both
// dictionaries, so the value goes into the module.
func (*dialect) Set(ctx context.Context, c adapters.Caller, at adapters.FrameRef, name, value string) (done bool, err error) {
	if !identifier.MatchString(name) {
		return false, nil
	}
	if local, err := isLocal(ctx, c, at.Frame, name); local || err != nil {
		return false, err
	}
	const module = `vars(__import__("sys").modules[__name__])`
	known, err := evaluate(ctx, c, at.Frame, fmt.Sprintf(`%q in %s and %s[%q] is %s`, name, module, module, name, name))
	if err != nil || known != "True" {
		return false, fault.New(fault.VariableSet, "%s is no variable of this frame, and none of its module", name).
			WithHint("set a part of it (%s.attribute, %s[index]), or go to the frame that it belongs to with frame", name, name)
	}
	_, err = evaluate(ctx, c, at.Frame, fmt.Sprintf(`%s.__setitem__(%q, (%s))`, module, name, value))
	return true, err
}

// isLocal looks a name up in the first scope of a frame.
func isLocal(ctx context.Context, c adapters.Caller, frame int, name string) (bool, error) {
	var scopes godap.ScopesResponseBody
	if err := c.Call(ctx, "scopes", godap.ScopesArguments{FrameId: frame}, &scopes); err != nil || len(scopes.Scopes) == 0 {
		return false, err
	}
	var locals godap.VariablesResponseBody
	args := godap.VariablesArguments{VariablesReference: scopes.Scopes[0].VariablesReference}
	if err := c.Call(ctx, "variables", args, &locals); err != nil {
		return false, err
	}
	return slices.ContainsFunc(locals.Variables, func(v godap.Variable) bool { return v.Name == name }), nil
}

func evaluate(ctx context.Context, c adapters.Caller, frame int, expression string) (result string, err error) {
	var body godap.EvaluateResponseBody
	err = c.Call(ctx, "evaluate", godap.EvaluateArguments{Expression: expression, FrameId: frame, Context: "watch"}, &body)
	return body.Result, err
}

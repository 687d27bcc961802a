package stopped

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// evaluateArguments are a question in a frame, whose id may be 0.
type evaluateArguments struct {
	Expression string `json:"expression"`
	FrameID    int    `json:"frameId"`
	Context    string `json:"context,omitempty"`
}

// expressionIn is what the adapter evaluates for an expression in a frame.
func expressionIn(ctx context.Context, c adapters.Caller, can adapters.Values, frame int, expression string) (text, kind string, err error) {
	if can.Expression == nil {
		return expression, "watch", nil
	}
	return can.Expression(ctx, c, frame, expression)
}

// failedResult is the error of an evaluation that the adapter reports as a
// success although it failed.
func failedResult(can adapters.Values, expression string, body godap.EvaluateResponseBody) error {
	if can.EvaluationFailed == nil {
		return nil
	}
	if why, failed := can.EvaluationFailed(body); failed {
		return fault.New(fault.Evaluation, "%q failed: %s", expression, why).
			WithHint("inspect(target: locals) shows the names of this frame; the program stands where it stood")
	}
	return nil
}

// PendingValue is an expression whose value is on its way.
type PendingValue struct {
	can     adapters.Values
	dialect adapters.Dialect
	text    string
	pending *dap.Pending
	err     error
}

// Ask asks for the value of an expression in a frame, by its DAP id. It serves where a
// stop is still decided about: what becomes of the program meanwhile is not looked at.
func Ask(ctx context.Context, c adapters.Caller, can adapters.Values, dialect adapters.Dialect, frame int, expression string) PendingValue {
	text, kind, err := expressionIn(ctx, c, can, frame, expression)
	if err != nil {
		return Failed(err)
	}
	args := evaluateArguments{Expression: text, FrameID: frame, Context: kind}
	return PendingValue{can: can, dialect: dialect, text: expression, pending: c.Send("evaluate", args)}
}

// Failed is the value of an expression that could not be asked for.
func Failed(err error) PendingValue { return PendingValue{err: err} }

// Wait waits for the value.
func (v PendingValue) Wait(ctx context.Context) (body godap.EvaluateResponseBody, err error) {
	if v.err != nil {
		return body, v.err
	}
	if err = v.pending.Wait(ctx, &body); err == nil {
		err = failedResult(v.can, v.text, body)
	}
	if err != nil {
		return body, err
	}
	tidy := v.dialect.Variables("", []godap.Variable{inspect.Evaluated(v.text, body)})
	if len(tidy) == 1 {
		body.Result, body.Type = tidy[0].Value, tidy[0].Type
	}
	return body, nil
}

// evaluate asks for an expression in a frame, without an eye on what becomes of the program.
func (p *Program) evaluate(ctx context.Context, frame int, expression string) (godap.EvaluateResponseBody, error) {
	return Ask(ctx, p.connection, p.facts.Can.Values, p.facts.Dialect, frame, expression).Wait(ctx)
}

package stopped

import (
	"cmp"
	"context"
	"errors"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// Evaluate evaluates in the frame; p pages the children of the result, or the
// text when the result is a long one.
func (p *Program) Evaluate(ctx context.Context, expression string, thread, frame int, page Page) (Variable, error) {
	p, err := p.at(thread)
	if err != nil {
		return Variable{}, err
	}
	if err := p.session.CheckExpression(ctx, expression); err != nil {
		return Variable{}, err
	}
	f, err := p.Frame(ctx, thread, frame)
	if err != nil {
		return Variable{}, err
	}
	in := origin{program: p, frame: f.Id}
	body, err := p.ask(ctx, in, expression)
	p.evaluated.Store(true)
	if err != nil {
		return Variable{}, err
	}
	limit := cmp.Or(page.AskedBytes, p.facts.Limits.AskedBytes)
	x := inspect.Evaluated(expression, body)
	if tidy := p.facts.Dialect.Variables("", []godap.Variable{x}); len(tidy) == 1 {
		x = tidy[0]
	}
	if !strings.ContainsAny(expression, " .()[]{}*&") { // a variable
		x = withDeclared([]godap.Variable{x}, p.askDeclared(ctx, frameRef{thread, p.adapterIndex(thread, frame), f.Id}))[0]
	} else if declared := p.facts.Can.Values.DeclaredParts; declared != nil {
		declared(ctx, p.connection, f.Id, expression, &x, nil)
	}
	v := p.variable(in, x, limit)
	paged := page.Start > 0 || page.Count > 0
	if x.VariablesReference == 0 {
		if v.Cut > 0 {
			return p.readPiece(ctx, in, v, x.Value, page)
		}
		return v, nil
	}
	depth := page.Depth
	if paged || page.Filter != "" {
		depth = max(depth, 1)
	}
	r, err := p.facts.Values.find(v.Ref)
	if err != nil || depth == 0 {
		return v, nil
	}
	budget := maxValues
	v.Children, v.ChildTotal, err = p.children(ctx, r, page, depth, &budget)
	return v, err
}

// ask evaluates an expression and tells truthfully what became of the program
// when that ran it: a call may hit a breakpoint, end the program or never return.
func (p *Program) ask(ctx context.Context, in origin, expression string) (godap.EvaluateResponseBody, error) {
	stops := p.session.Stops()
	text, kind, err := expressionIn(ctx, in.program.connection, p.facts.Can.Values, in.frame, expression)
	if errors.Is(err, dap.ErrTimeout) {
		return godap.EvaluateResponseBody{}, in.program.stopEndlessCall(ctx, expression)
	}
	if err != nil {
		return godap.EvaluateResponseBody{}, p.session.Refusal(ctx, fault.Evaluation, "evaluate", err)
	}
	args := evaluateArguments{Expression: text, FrameID: in.frame, Context: kind}
	var body godap.EvaluateResponseBody
	err = in.program.connection.Send("evaluate", args).Wait(ctx, &body)
	if err == nil {
		if err := failedResult(p.facts.Can.Values, expression, body); err != nil {
			return body, err
		}
		return p.callResult(ctx, in, expression, text, body)
	}
	var refused *dap.RequestError
	if !errors.As(err, &refused) && !errors.Is(err, dap.ErrClosed) {
		return body, in.program.stopEndlessCall(ctx, expression)
	}
	if stops != p.session.Stops() { // it may still be decided about
		deciding, cancel := context.WithTimeout(ctx, settleLimit)
		defer cancel()
		_ = p.session.AwaitEnd(deciding)
	}
	if p.session.IsCurrent() {
		return body, p.session.Refusal(ctx, fault.Evaluation, "evaluate", err)
	}
	return body, p.session.Interruption(ctx, expression)
}

// callResult looks at the results of a call where the adapter tells only there that
// it failed, and takes a single result for the value.
func (p *Program) callResult(ctx context.Context, in origin, expression, sent string, body godap.EvaluateResponseBody) (godap.EvaluateResponseBody, error) {
	judge := p.facts.Can.Values.CallFailed
	if judge == nil || sent == expression || body.VariablesReference == 0 {
		return body, nil
	}
	results, err := askVariables(in.program.connection, godap.VariablesArguments{VariablesReference: body.VariablesReference}).wait(ctx)
	if err != nil {
		return body, nil // the value is there; it only cannot be opened
	}
	if why, failed := judge(results); failed {
		return body, fault.New(fault.Evaluation, "%q failed: %s", expression, why).
			WithHint("the program stands where it stood; evaluate the parts of the expression to see why")
	}
	if len(results) == 1 && body.Type == "" {
		one := results[0]
		body.Result, body.Type, body.VariablesReference = one.Value, one.Type, one.VariablesReference
		body.NamedVariables, body.IndexedVariables = one.NamedVariables, one.IndexedVariables
	}
	return body, nil
}

// stopEndlessCall stops an evaluation that does not return, so that the session
// can be used again, and says so.
func (p *Program) stopEndlessCall(ctx context.Context, expression string) error {
	pausing, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	p.connection.ExpectPause()
	pause := p.connection.Send("pause", godap.PauseArguments{ThreadId: p.connection.AdapterThread(max(p.Thread(), 0))})
	err := p.session.AwaitEnd(pausing)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && pause.Wait(pausing, nil) != nil {
		return fault.New(fault.AdapterTimeout, "%q did not finish within %s and could not be interrupted", expression, p.facts.Limits.Request).
			WithHint("the program is stuck in the evaluation; end it with session(action: restart) or session(action: stop)")
	}
	return fault.New(fault.Evaluation, "%q did not finish within %s and was interrupted", expression, p.facts.Limits.Request).
		WithHint("the program now stands inside the call; step out or continue lets it go on")
}

package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// summarized is how much of a value a summary repeats, in bytes.
const summarized = 60

// scope shows the variables of one scope of a frame.
func (q *question) scope(ctx context.Context, scope session.Scope) (string, error) {
	vars, total, err := q.s.Variables(ctx, scope, q.ThreadID, q.Frame, q.page())
	if err != nil {
		return "", err
	}
	where, err := q.where(ctx)
	if err != nil {
		return "", err
	}
	list := responses.NewVariables(q.variables(vars), responses.Page{
		What: string(scope), Start: max(0, q.Start), Total: total, More: q.more,
	})
	switch scope {
	case session.Arguments:
		q.data.Arguments = list
	case session.Globals:
		q.data.Globals = list
	case session.Registers:
		q.data.Registers = list
	default:
		q.data.Locals = list
	}
	if len(vars) == 0 {
		return "no " + string(scope) + where + q.matching(), nil
	}
	return responses.Plural(max(total, len(vars)), singular(scope)) + where + q.matching(), nil
}

// singular names one variable of a scope.
func singular(scope session.Scope) string { return string(scope[:len(scope)-1]) }

func (q *question) matching() string {
	if q.Filter == "" {
		return ""
	}
	return fmt.Sprintf(" matching %q", q.Filter)
}

// where says which frame is looked at, unless it is the top one.
func (q *question) where(ctx context.Context) (string, error) {
	if q.Frame == 0 {
		return "", nil
	}
	frames, _, err := q.s.Stack(ctx, q.ThreadID, q.Frame, 1)
	if err != nil || len(frames) == 0 {
		return "", err
	}
	q.data.Frame = q.Frame
	return fmt.Sprintf(" of frame %d, %s", q.Frame, q.in(&frames[0])), nil
}

// expression evaluates one and shows the result with its children.
func (q *question) expression(ctx context.Context) (string, error) {
	if q.Expression == "" {
		return "", missing("expression", "inspect(expression) needs expression, what to evaluate",
			`for example {"target":"expression","expression":"len(items)"}`)
	}
	v, err := q.s.Evaluate(ctx, q.Expression, q.ThreadID, q.Frame, q.opened())
	if err != nil {
		return "", err
	}
	if v.Path == "" {
		v.Path = q.Expression
	}
	return q.result(v, q.Expression), nil
}

// object opens a reference, or what the expression gives.
func (q *question) object(ctx context.Context) (string, error) {
	if q.Ref == 0 && q.Expression != "" {
		return q.expression(ctx)
	}
	if q.Ref == 0 {
		return "", missing("ref", "inspect(object) needs ref, from a value that was shown, or expression",
			`for example {"target":"object","ref":3} or {"target":"expression","expression":"user.Orders"}`)
	}
	v, err := q.s.Expand(ctx, q.Ref, q.opened())
	if err != nil {
		return "", err
	}
	return q.result(v, v.Name), nil
}

// opened is the page of an asked value, which shows its children.
func (q *question) opened() session.Page {
	p := q.page()
	p.Depth = max(1, p.Depth)
	return p
}

func (q *question) result(v session.Variable, name string) string {
	shown := q.variable(v)
	if shown.Children != nil {
		shown.Children.Start = max(0, q.Start)
		shown.Children.Total = max(shown.Children.Total, shown.Children.Start+len(v.Children))
		shown.Children.More = q.more
	}
	q.data.Result = &shown
	return fmt.Sprintf("%s = %s", responses.Shorten(name, summarized), responses.Shorten(v.Value, summarized))
}

// exception shows why the program stopped.
func (q *question) exception(ctx context.Context) (string, error) {
	e, err := q.s.Exception(ctx)
	if err != nil {
		return "", err
	}
	if e == nil {
		return "the program did not stop at an exception", nil
	}
	q.data.Exception = q.show.exception(e)
	return reason(e), nil
}

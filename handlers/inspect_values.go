package handlers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// How much of a value a summary repeats, and of one that stands with its
// children, in bytes.
const (
	summarized   = 60
	previewed    = 100
	longestBrief = 240 // at most, of a text that stands for its children
)

// besideTable is how many children stand beside a text of several lines, unless
// they were asked for.
const besideTable = 5

// scope shows the variables of one scope of a frame.
func (q *question) scope(ctx context.Context, scope session.Scope) (string, error) {
	vars, total, err := q.s.Stopped().Variables(ctx, scope, q.ThreadID, q.Frame, q.page())
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
		return "no " + string(scope) + where + q.matchingText(), nil
	}
	return responses.Plural(max(total, len(vars)), singular(scope)) + where + q.matchingText(), nil
}

// singular names one variable of a scope.
func singular(scope session.Scope) string { return string(scope[:len(scope)-1]) }

func (q *question) matchingText() string {
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
	frames, _, err := q.s.Stopped().Stack(ctx, q.ThreadID, q.Frame, 1)
	if err != nil || len(frames) == 0 {
		return "", err
	}
	q.data.Frame = q.Frame
	return fmt.Sprintf(" of frame %d, %s", q.Frame, q.in(&frames[0])), nil
}

// expression evaluates one and shows the result with its children.
func (q *question) expression(ctx context.Context) (string, error) {
	if q.Expression == "" {
		return "", missingParam("expression", "inspect(expression) needs expression, what to evaluate",
			`for example {"target":"expression","expression":"len(items)"}`)
	}
	v, err := q.s.Stopped().Evaluate(ctx, q.Expression, q.ThreadID, q.Frame, q.childPage())
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
		return "", missingParam("ref", "inspect(object) needs ref, from a value that was shown, or expression",
			`for example {"target":"object","ref":3} or {"target":"expression","expression":"user.Orders"}`)
	}
	v, err := q.s.Stopped().Expand(ctx, q.Ref, q.childPage())
	if err != nil {
		return "", err
	}
	return q.result(v, v.Name), nil
}

// childPage is the page of an asked value, which shows its children.
func (q *question) childPage() session.Page {
	p := q.page()
	p.Depth = max(1, p.Depth)
	p.AskedBytes = q.textPage
	return p
}

func (q *question) result(v session.Variable, name string) string {
	if q.isWhole(v) {
		v.Children = nil
	}
	shown := q.variable(v)
	if shown.Children != nil {
		shown.Children.Start = max(0, q.Start)
		shown.Children.Total = max(shown.Children.Total, shown.Children.Start+len(v.Children))
		shown.Children.More = q.more
	}
	switch {
	case shown.Children != nil && (strings.HasPrefix(shown.Value, `"`) || strings.Contains(shown.Value, "\n")):
		// A text, or what the value makes of itself: they do not repeat it.
		all := shown.Value
		shown.Rest = func(shown string) (responses.Call, int) {
			if len(shown) < len(all) {
				return q.largerCall(shown)
			}
			return responses.Call{}, len(shown)
		}
	case shown.Children != nil && strings.Contains(shown.Value, "\n"): // a table, or what else is laid out in lines: it comes first
		if !q.hasPage() {
			shown.Children.Items = shown.Children.Items[:min(len(shown.Children.Items), besideTable)]
		}
		shown.Rest = q.largerCall
	case shown.Children != nil: // they say it all, the text is a preview
		shown.Value, shown.Length, shown.Whole, shown.Open = responses.Shorten(shown.Value, previewed), 0, 0, false
	case v.Cut > 0:
		shown.Rest = q.restCall(v, v.Value)
	}
	q.data.Result = &shown
	if shown.Value == "" && shown.Type == "" { // a statement
		return "done: " + responses.Shorten(name, summarized)
	}
	return fmt.Sprintf("%s = %s", responses.Shorten(name, summarized), responses.Shorten(shown.Value, summarized))
}

// isWhole says that the value's text holds all that its children would say,
// and that nobody asked for them.
func (q *question) isWhole(v session.Variable) bool {
	partial := v.Cut > 0 || len(v.Value) > longestBrief || v.Opaque ||
		strings.Contains(v.Value, "...") || strings.Contains(v.Value, "…") || strings.Contains(v.Value, "0x")
	return !q.hasPage() && !partial
}

// hasPage says that a page of the children was asked for.
func (q *question) hasPage() bool {
	return q.Depth > 0 || q.Start > 0 || q.Count > 0 || q.Filter != ""
}

// largerCall asks for the same value in the largest reply, where that shows more of
// a text that cannot be read in pieces.
func (q *question) largerCall(shown string) (responses.Call, int) {
	if q.MaxBytes >= maxBudget {
		return responses.Call{}, len(shown)
	}
	return q.again().With("frame", q.Frame).With("thread_id", q.ThreadID).With("max_bytes", maxBudget), len(shown)
}

// restCall pages through a long text. A piece shorter than was asked for is the last.
func (q *question) restCall(v session.Variable, piece string) func(string) (responses.Call, int) {
	start, count := max(0, q.Start), cmp.Or(q.Count, q.textPage)
	last := v.Cut > 0 && v.Next >= v.Cut || q.Count > 0 && v.Next == 0 && textBytes(piece) < q.Count
	return func(shown string) (responses.Call, int) {
		reach, count := start+textBytes(shown), count
		switch whole := shown == piece; {
		case last && whole:
			return responses.Call{}, math.MaxInt
		case v.Next == session.Unreachable:
			return responses.Call{}, reach
		case v.Next > 0 && whole:
			reach = v.Next
		case v.Next > 0: // the reply is too small for the piece: it is read again in smaller ones
			reach, count = start, max(1, (v.Next-start)/4)
		}
		return q.again().With("frame", q.Frame).With("thread_id", q.ThreadID).With("start", reach).With("count", count), reach
	}
}

// again asks for the same value once more.
func (q *question) again() responses.Call {
	if q.Expression == "" {
		return q.call("inspect", "target", "object", "ref", q.Ref)
	}
	return q.call("inspect", "target", "expression", "expression", q.Expression)
}

// textBytes is how many bytes of the text itself a shown piece holds: a quoted
// one without its quotes and escapes, the last of which may be cut.
func textBytes(shown string) int {
	if !strings.HasPrefix(shown, `"`) {
		return len(shown)
	}
	body := strings.TrimSuffix(shown, "…")
	for end := len(body); end > max(0, len(body)-12); end-- {
		for _, quoted := range []string{body[:end], body[:end] + `"`} {
			if text, err := strconv.Unquote(quoted); err == nil {
				return len(text)
			}
		}
	}
	return len(shown) - 1
}

// exception shows why the program stopped.
func (q *question) exception(ctx context.Context) (string, error) {
	e, err := q.s.Stopped().Exception(ctx)
	if err != nil {
		return "", err
	}
	if e == nil {
		return "the program did not stop at an exception", nil
	}
	q.data.Exception = q.show.exception(e)
	return reason(e), nil
}

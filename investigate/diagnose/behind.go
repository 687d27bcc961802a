package diagnose

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// isEvaluated says whether the statement has come to a part, which may stand behind a guard: known
// is false where what that came to cannot be told.
func (x *examination) isEvaluated(ctx context.Context, f *session.Frame, p exprsyntax.Part) (evaluated, known bool, err error) {
	if len(p.Behind) == 0 {
		return true, true, nil
	}
	known = true
	for _, guards := range p.Behind {
		let := judge.Let
		for _, g := range guards {
			value, err := x.guardValue(ctx, f, g)
			if err != nil {
				return false, false, err
			}
			let = min(let, judge.Lets(x.syntax, g, value))
		}
		if let == judge.Let {
			return true, true, nil
		}
		known = known && let == judge.Kept
	}
	return false, known, nil
}

// guardValue is what a guard came to, empty where it cannot be read again.
func (x *examination) guardValue(ctx context.Context, f *session.Frame, g exprsyntax.Guard) (string, error) {
	if g.Text == "" || !x.s.OnlyReads(g.Text) {
		return "", nil
	}
	v, err := x.s.Stopped().Evaluate(adapters.WithReading(ctx), g.Text, 0, f.Index, session.Page{})
	if err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", nil
	}
	return v.Untyped(), nil
}

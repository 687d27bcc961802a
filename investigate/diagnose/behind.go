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
func (st *failedStatement) isEvaluated(ctx context.Context, p exprsyntax.Part) (evaluated, known bool, err error) {
	if len(p.Behind) == 0 {
		return true, true, nil
	}
	known = true
	for _, guards := range p.Behind {
		effect := judge.Evaluated
		for _, g := range guards {
			value, err := st.guardValue(ctx, g)
			if err != nil {
				return false, false, err
			}
			effect = min(effect, judge.EffectOf(st.syntax, g, value))
		}
		if effect == judge.Evaluated {
			return true, true, nil
		}
		known = known && effect == judge.Skipped
	}
	return false, known, nil
}

// guardValue is what a guard came to, empty where it cannot be read again.
func (st *failedStatement) guardValue(ctx context.Context, g exprsyntax.Guard) (string, error) {
	if g.Text == "" || !st.s.OnlyReads(g.Text) {
		return "", nil
	}
	v, err := st.s.Stopped().Evaluate(adapters.WithReading(ctx), g.Text, 0, st.frame.Index, session.Page{})
	if err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", nil
	}
	return v.Untyped(), nil
}

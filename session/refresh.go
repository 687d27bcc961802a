package session

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/session/inspect"
)

// markEvaluated notes that something was evaluated or set since the program stopped, so
// that its variables may have changed.
func (s *Session) markEvaluated(still *stopPoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if still.isCurrent(s) {
		s.touched = still.number
	}
}

// refresh asks for the values of a frame's locals anew where the adapter's
// scopes still hold those of the stop.
func (s *Session) refresh(ctx context.Context, still *stopPoint, frame int, vars []godap.Variable) []godap.Variable {
	s.mu.Lock()
	touched := s.touched == still.number
	s.mu.Unlock()
	if !s.capabilities().Values.SnapshotScopes || !touched {
		return vars
	}
	return s.reevaluate(ctx, still, frame, vars, func(godap.Variable) bool { return true })
}

// reevaluate asks for the values of those of a frame's locals by their names that are wanted.
func (s *Session) reevaluate(ctx context.Context, still *stopPoint, frame int, vars []godap.Variable, wanted func(godap.Variable) bool) []godap.Variable {
	pending, can := make([]*dap.Pending, min(len(vars), s.limits.Locals)), s.capabilities().Values
	for i := range pending {
		if name := vars[i].EvaluateName; name != "" && wanted(vars[i]) {
			text, kind, err := expressionIn(ctx, still.connection, can, 0, name)
			if err != nil {
				continue
			}
			pending[i] = still.connection.Send("evaluate", evaluation{Expression: text, FrameID: frame, Context: kind})
		}
	}
	for i, p := range pending {
		if p == nil {
			continue
		}
		var body godap.EvaluateResponseBody
		if err := p.Wait(ctx, &body); err != nil {
			continue // not yet in scope: as the adapter showed it
		}
		now := inspect.Evaluated(vars[i].Name, body)
		now.EvaluateName, now.PresentationHint = vars[i].EvaluateName, vars[i].PresentationHint
		if tidy := s.dialect().Variables("", []godap.Variable{now}); len(tidy) == 1 {
			vars[i] = tidy[0]
		}
	}
	return vars
}

package handlers

import (
	"strings"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/responses"
	"aidb-mcp/session/diagnosis"
)

// nextSteps are the questions that follow from the verdict.
func (x *examination) nextSteps(kept bool) []responses.NextStep {
	culprit := x.data.Culprit
	switch {
	case x.s == nil:
		return nil
	case !starts(x.request) && x.verdict.Hangs() && kept:
		return []responses.NextStep{x.threads()}
	case !starts(x.request): // there is no other run to ask
		return nil
	case culprit != nil && x.s.OnlyReads(culprit.Expression):
		place := placeIn(culprit.Expression, x.data.Parts)
		return []responses.NextStep{x.why(place, kept).Why("where " + place + " came from")}
	case culprit != nil && x.traceable(calledName(culprit.Expression)):
		name := calledName(culprit.Expression)
		call := responses.NewCall("trace", append(startFields(x.start), "what", "calls", "functions", []string{name})...)
		return []responses.NextStep{call.Why("all calls of " + name + ", with arguments and results")}
	case x.verdict == diagnosis.BusyLoop:
		return x.moving()
	case x.verdict.Hangs() && kept:
		return []responses.NextStep{x.threads()}
	}
	return nil
}

// placeIn is what of an expression is written to: len(rows) is not, rows is.
func placeIn(expression string, parts []responses.PartValue) string {
	if !strings.HasSuffix(expression, ")") {
		return expression
	}
	for _, p := range parts {
		if p.Expression != expression && strings.Contains(expression, p.Expression) {
			return p.Expression
		}
	}
	return expression
}

// traceable says that a function is one of the user's: one that a library brings along is
// not recorded, and nothing would come of the call.
func (x *examination) traceable(name string) bool { return x.called[name] }

func (x *examination) threads() responses.NextStep {
	return x.h.show(x.s).call("inspect", "target", "threads").Why("who waits for what")
}

// why asks where a value of the failed statement came from: in the session that stands
// there, else of a new run.
func (x *examination) why(expression string, kept bool) responses.Call {
	if kept {
		return x.h.show(x.s).call("why", "expression", expression).With("frame", x.v.Frame.Index)
	}
	return responses.NewCall("why", append(startFields(x.start), "expression", expression, "location", x.data.Location)...)
}

var called = pattern.New(`([\pL_][\pL\pN_]*)\([^()]*\)$`)

// calledName is the function that an expression ends in a call of.
func calledName(expression string) string {
	if m := called.FindStringSubmatch(expression); m != nil {
		return m[1]
	}
	return ""
}

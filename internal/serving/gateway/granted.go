package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/telemetry"
)

// granted holds requests against what their principal may do: which tools, and how many
// calls a minute.
type granted struct {
	grants *grants.Current
	rates  *grants.Rates
	traces *telemetry.Telemetry // nil: none are told
}

const listTools = "tools/list"

func newGranted(g *grants.Current, rates *grants.Rates, traces *telemetry.Telemetry) *granted {
	if rates == nil {
		rates = &grants.Rates{}
	}
	return &granted{grants: g, rates: rates, traces: traces}
}

// begin is admit within a span of the request's own, if there are traces: the request that is passed
// on names that span as its parent.
func (g *granted) begin(ctx context.Context, log *audit.Log, principal string, info json.RawMessage, f frame.Frame) (passed frame.Frame, done func(outcome string), refused *fault.Error) {
	passed, ended := startSpan(ctx, g.traces, principal, f)
	noted, refused := g.admit(ctx, log, principal, info, f)
	if ended == nil {
		return passed, noted, refused
	}
	if refused != nil {
		ended("AIDB_" + string(refused.Code))
		return passed, nil, refused
	}
	return passed, func(outcome string) {
		ended(outcome)
		if noted != nil {
			noted(outcome)
		}
	}, nil
}

// admit lets a request begin, and notes it. Done notes what came of it, nil where nothing is
// noted. The error is why it may not be made: a tool that is refused is noted too, a call
// too many is not, for it would fill the log.
func (g *granted) admit(ctx context.Context, log *audit.Log, principal string, info json.RawMessage, f frame.Frame) (done func(outcome string), refused *fault.Error) {
	grant := g.grants.Of(principal)
	if wait := g.rates.Wait(principal, grant.Calls); wait > 0 {
		return nil, fault.New(fault.WorkerLimit, "%s may make %d calls a minute, and has made them", principal, grant.Calls).
			WithHint("call again in %s", wait.Round(100*time.Millisecond))
	}
	if done, refused = beginAct(ctx, log, principal, info, f); refused != nil {
		return nil, refused
	}
	if tool := f.Text("params", "name"); f.Method() == "tools/call" && !grant.Allows(tool) {
		refused = fault.New(fault.PolicyDenied, "the tool %s is refused: %s may not call it here", shorten(tool), principal).
			WithHint("allowed are %s", strings.Join(grant.Tools, ", "))
		if done != nil {
			done("AIDB_" + string(refused.Code))
		}
		return nil, refused
	}
	return done, nil
}

// shown is an answer to tools/list with those only that the principal may call.
func (g *granted) shown(principal string, reply frame.Frame) frame.Frame {
	grant := g.grants.Of(principal)
	if grant.Tools == nil {
		return reply
	}
	var list []json.RawMessage
	if json.Unmarshal(reply.Get("result", "tools"), &list) != nil {
		return reply
	}
	kept := []json.RawMessage{}
	for _, one := range list {
		var tool struct{ Name string }
		if json.Unmarshal(one, &tool) == nil && grant.Allows(tool.Name) {
			kept = append(kept, one)
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return reply
	}
	return reply.With(text, "result", "tools")
}

package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

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
	traces *telemetry.Telemetry // nil: none are told

	mu    sync.Mutex // guards the field below
	rates map[string]*rate.Limiter
}

const listTools = "tools/list"

// mostRates is of how many principals it is known how fast they call.
const mostRates = 10_000

func newGranted(g *grants.Current, traces *telemetry.Telemetry) *granted {
	return &granted{grants: g, traces: traces, rates: map[string]*rate.Limiter{}}
}

// begin lets a request begin as admit does, within a span of its own if traces are told: what
// is passed on names that one.
func (g *granted) begin(ctx context.Context, log *audit.Log, principal string, info json.RawMessage, f frame.Frame) (passed frame.Frame, done func(outcome string), refused *fault.Error) {
	passed, ended := traced(ctx, g.traces, principal, f)
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
	if wait := g.wait(principal, grant.Calls); wait > 0 {
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

// wait takes one call of those that a principal may make, and is how long it must wait
// when there is none. Those of ten seconds may come at once.
func (g *granted) wait(principal string, calls int) time.Duration {
	if calls == 0 {
		return 0
	}
	each := rate.Limit(float64(calls) / time.Minute.Seconds())
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.rates[principal]
	if l == nil {
		if len(g.rates) >= mostRates {
			clear(g.rates)
		}
		l = rate.NewLimiter(each, max(1, calls/6))
		g.rates[principal] = l
	}
	if l.Limit() != each {
		l.SetLimit(each)
		l.SetBurst(max(1, calls/6))
	}
	r := l.Reserve()
	wait := r.Delay()
	if wait > 0 {
		r.Cancel()
	}
	return wait
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

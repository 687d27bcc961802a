package stopped

import (
	"context"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
)

// WatchID asks the adapter how it names the memory of a variable that is to be watched.
func (p *Program) WatchID(ctx context.Context, expression, access string) (string, error) {
	frame, err := p.Frame(ctx, 0, 0)
	if err != nil {
		return "", err
	}
	if watchID := p.facts.Can.Breakpoints.WatchID; watchID != nil {
		thread := p.Thread()
		id, err := watchID(ctx, p.connection, p.connection.AdapterThread(thread), p.adapterIndex(thread, 0), expression)
		if err != nil {
			return "", WatchError(p.facts.Dialect, expression, dap.Reason(err))
		}
		return id, nil
	}
	var body godap.DataBreakpointInfoResponseBody
	args := godap.DataBreakpointInfoArguments{Name: expression, FrameId: frame.Id}
	if err := p.connection.Call(ctx, "dataBreakpointInfo", args, &body); err != nil {
		return "", p.session.Refusal(ctx, fault.Breakpoint, "dataBreakpointInfo", err)
	}
	id, ok := body.DataId.(string)
	if !ok || id == "" {
		return "", WatchError(p.facts.Dialect, expression, body.Description)
	}
	if len(body.AccessTypes) > 0 && !slices.Contains(body.AccessTypes, godap.DataBreakpointAccessType(access)) {
		return "", fault.New(fault.Breakpoint, "%s cannot be watched for %s", expression, access).
			WithHint("possible: %s", strings.Trim(fmt.Sprint(body.AccessTypes), "[]")).WithField("access_type")
	}
	return id, nil
}

// WatchError is why an expression cannot be watched.
func WatchError(dialect adapters.Dialect, expression, why string) error {
	message := fmt.Sprintf("%q cannot be watched", expression)
	hint := "watch a variable of at most 8 bytes that is in scope here; hardware has room for about 4"
	if why == "" {
		return fault.New(fault.Breakpoint, "%s", message).WithHint("%s", hint)
	}
	if plain, better := dialect.Fault("setDataBreakpoints", fmt.Errorf("%s", why)); plain != "" {
		why = plain
		if better != "" {
			hint = better
		}
	}
	return fault.New(fault.Breakpoint, "%s: %s", message, why).WithHint("%s", hint)
}

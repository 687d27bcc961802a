package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"aidb-mcp/internal/client"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// looking are the calls that Look makes: by the tool, those of its actions or
// targets that only show something.
var looking = map[string][]string{
	"breakpoint": {"list"},
	"config":     {"show", "adapters"},
	"context":    {""},
	"inspect":    {"stack", "output"},
	"session":    {"list", "status"},
}

// Look answers a call for one who reads beside the calls, such as a resource. It
// is answered as the agent's would be, but it waits for no session's turn, leaves
// no trace in the history and keeps news for the agent's next reply. The envelope
// holds what the reply shows.
func (r *Registry) Look(ctx context.Context, call responses.Call) (*responses.Envelope, responses.Reply) {
	args, err := json.Marshal(call.Params)
	i := slices.IndexFunc(r.tools, func(d *tools.Definition) bool { return d.Name == call.Tool })
	if err != nil || i < 0 {
		return refused(fault.New(fault.Internal, "there is no look at %s %s", call.Tool, args))
	}
	c := &Call{Tool: call.Tool, Args: args, Client: client.None{}, definition: r.tools[i], ruler: r.rules[call.Tool], looks: true}
	if params, err := c.definition.Decode(args); err != nil {
		return refused(err)
	} else if !slices.Contains(looking[call.Tool], c.definition.Action(params)) {
		return refused(fault.New(fault.Internal, "%s %s does more than look", call.Tool, args))
	}
	res, _ := r.handlers[call.Tool](ctx, c) // respond has made a reply of any error
	if env := res.Envelope; env.Error != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return refused(fault.New(fault.AdapterTimeout, "the debugger has not answered in time").
			WithHint("session(status) tells where the program stands"))
	}
	return res.Envelope, res.Reply
}

func refused(err error) (*responses.Envelope, responses.Reply) {
	env := responses.Failure(err)
	return env, responses.Fit(env, defaultBudget, responses.JSON)
}

package handlers

import (
	"context"
	"encoding/json"
	"errors"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// Look answers a call for one who reads beside the calls, such as a resource. It
// is answered as the agent's would be, but it waits for no session's turn, leaves
// no trace in the history and keeps news for the agent's next reply. The envelope
// holds what the reply shows.
func (r *Registry) Look(ctx context.Context, call responses.Call) (*responses.Envelope, responses.Reply) {
	args, err := json.Marshal(call.Params)
	t := r.toolNamed(call.Tool)
	if err != nil || t == nil {
		return refusal(fault.New(fault.Internal, "there is no look at %s %s", call.Tool, args))
	}
	res, _ := r.answer(ctx, &Call{Tool: call.Tool, Args: args, Client: client.None{}, tool: t, isLook: true}) // respond has made a reply of any error
	if env := res.Envelope; env.Error != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return refusal(fault.New(fault.AdapterTimeout, "the debugger has not answered in time").
			WithHint("session(status) tells where the program stands"))
	}
	return res.Envelope, res.Reply
}

func refusal(err error) (*responses.Envelope, responses.Reply) {
	env := responses.Failure(err)
	return env, responses.Fit(env, defaultBudget, responses.JSON)
}

package handlers

import (
	"context"

	"aidb-mcp/tools"
)

// permit refuses what the policy forbids whatever the state of a session, before
// the call waits for one. What depends on the session's language or on files the
// session refuses itself.
func (h *Handlers) permit(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		if what := changes(c.Params); what != "" {
			if err := h.Policy.Change(what, "action"); err != nil {
				return Result{}, err
			}
		}
		return next(ctx, c)
	}
}

// changes says what a call changes of a program or of this machine; empty when it
// only looks, or only lets a program go on or stand still.
func changes(params any) string {
	switch p := params.(type) {
	case *tools.ExecuteParams:
		switch p.Action {
		case "run":
			return "starting a program"
		case "jump":
			return "moving the point of execution"
		}
	case *tools.VariableParams:
		switch p.Action {
		case "set":
			return "setting a variable"
		case "patch":
			return "replacing code"
		}
	case *tools.SessionParams:
		switch {
		case p.Action == "restart":
			return "starting a program"
		case p.Action == "input":
			return "writing to the program's input"
		case p.Action == "stop" && p.Kill:
			return "ending a program"
		}
	case *tools.AdapterParams:
		switch p.Action {
		case "install", "install_all", "remove":
			return "changing what is installed"
		}
	}
	return ""
}

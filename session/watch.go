package session

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/stopped"
)

// Watch stops the program when a variable is written, read or either. Access is
// write (default), read or readWrite. It needs a program that stands still.
func (pts *points) Watch(ctx context.Context, expression, access, condition, hit string) (Breakpoint, error) {
	if err := pts.session.checkEvaluate("name", expression); err != nil {
		return Breakpoint{}, err
	}
	if err := pts.session.checkEvaluate("condition", condition); err != nil {
		return Breakpoint{}, err
	}
	program := pts.session.Stopped()
	if err := program.Err(); err != nil {
		return Breakpoint{}, err
	}
	if !pts.session.protocol().SupportsDataBreakpoints {
		return Breakpoint{}, pts.session.unsupportedError("watchpoints", "set a breakpoint with a condition where the value is written")
	}
	if access == "" {
		access = "write"
	}
	if hit != "" {
		if _, _, ok := breakpoints.ParseHit(hit); !ok {
			return Breakpoint{}, fault.New(fault.InvalidParam, "hit condition %q cannot be read", hit).
				WithHint(`use a count from 1, alone or after an operator: "5", ">5", "%%5"`).WithField("hit_condition")
		}
	}
	w := breakpoints.Spec{
		Kind: WatchBreakpoint, Expression: expression, Access: access,
		Condition: breakpoints.ParseExpression(condition), HitCondition: hit,
	}
	var err error
	if w.DataID, err = program.WatchID(ctx, expression, access); err != nil {
		return Breakpoint{}, err
	}
	id, former := pts.breakpoints.Put(w, 0, pts.session.files)
	if err := pts.sendBreakpoints(ctx, id); err != nil {
		pts.undo(ctx, former)
		return Breakpoint{}, err
	}
	b := pts.breakpoint(id)
	if !b.Verified {
		pts.undo(ctx, former)
		return Breakpoint{}, stopped.WatchError(pts.session.dialect(), expression, b.Message)
	}
	return b, nil
}

// checkWatches finds out which watches the adapter has dropped because their
// variable went out of scope: it sets them again, and one that it does not know
// by its id any more is gone. Setting anew what is gone would watch another
// variable of the same name.
func (j judgement) checkWatches(ctx context.Context) {
	if !j.run.plan().Capabilities.Breakpoints.DropsWatchpoints {
		return
	}
	s := j.run.s
	release, err := acquire(ctx, s.sending)
	if err != nil {
		return
	}
	defer release()
	watches := func() breakpoints.Request {
		return s.breakpoints.PlanOf(breakpoints.Home{Kind: WatchBreakpoint}, j.connection.breakpointConnection(), breakpoints.Trial{})
	}
	r := watches()
	if r.Empty() {
		return
	}
	var body godap.SetDataBreakpointsResponseBody
	if err := j.connection.Call(ctx, r.Command, r.Arguments, &body); err != nil {
		s.log.Debug("check watches", "error", err)
		return
	}
	ended := s.breakpoints.EndWatches(j.connection.breakpointConnection(), r, body.Breakpoints)
	r = watches()
	if !ended {
		return
	}
	if err := j.connection.Call(ctx, r.Command, r.Arguments, nil); err != nil {
		s.log.Debug("remove ended watches", "error", err)
	}
}

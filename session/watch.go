package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Watch stops the program when a variable is written, read or either. Access is
// write (default), read or readWrite. It needs a program that stands still.
func (s *Session) Watch(ctx context.Context, expression, access, condition, hit string) (Breakpoint, error) {
	still, err := s.standing()
	if err != nil {
		return Breakpoint{}, err
	}
	if !s.caps().SupportsDataBreakpoints {
		return Breakpoint{}, s.unsupported("watchpoints", "set a breakpoint with a condition where the value is written")
	}
	if access == "" {
		access = "write"
	}
	if hit != "" {
		if _, _, ok := parseHit(hit); !ok {
			return Breakpoint{}, fault.New(fault.InvalidParam, "hit condition %q cannot be read", hit).
				WithHint(`use a count from 1, alone or after an operator: "5", ">5", "%%5"`).WithField("hit_condition")
		}
	}
	e := &entry{Breakpoint: Breakpoint{
		Kind: WatchBreakpoint, Expression: expression, Access: access,
		Condition: condition, HitCondition: hit, Enabled: true,
	}}
	if e.dataID, err = s.dataID(ctx, still, expression, access); err != nil {
		return Breakpoint{}, err
	}
	s.mu.Lock()
	e, before := s.place(e)
	e.Access = access
	s.mu.Unlock()
	if err := s.push(ctx, e); err != nil {
		s.undo(ctx, e, before)
		return Breakpoint{}, err
	}
	b := s.breakpoint(e)
	if !b.Verified {
		s.undo(ctx, e, before)
		return Breakpoint{}, s.watchRefused(expression, b.Message)
	}
	return b, nil
}

// dataID asks the adapter how it names the variable's memory.
func (s *Session) dataID(ctx context.Context, still *standstill, expression, access string) (string, error) {
	frame, err := s.adapterFrame(ctx, 0, 0)
	if err != nil {
		return "", err
	}
	if finder, finds := s.dialect().(adapters.WatchFinder); finds {
		thread := s.current(still)
		id, err := finder.DataID(ctx, still.link, still.link.theirs(thread), s.rank(still, thread, 0), expression)
		if err != nil {
			return "", s.watchRefused(expression, reason(err))
		}
		return id, nil
	}
	var body godap.DataBreakpointInfoResponseBody
	args := godap.DataBreakpointInfoArguments{Name: expression, FrameId: frame.Id}
	if err := still.link.Call(ctx, "dataBreakpointInfo", args, &body); err != nil {
		return "", s.refusal(ctx, fault.Breakpoint, "dataBreakpointInfo", err)
	}
	id, ok := body.DataId.(string)
	if !ok || id == "" {
		return "", s.watchRefused(expression, body.Description)
	}
	if len(body.AccessTypes) > 0 && !slices.Contains(body.AccessTypes, godap.DataBreakpointAccessType(access)) {
		return "", fault.New(fault.Breakpoint, "%s cannot be watched for %s", expression, access).
			WithHint("possible: %s", strings.Trim(fmt.Sprint(body.AccessTypes), "[]")).WithField("access_type")
	}
	return id, nil
}

func (s *Session) watchRefused(expression, said string) error {
	message := fmt.Sprintf("%q cannot be watched", expression)
	hint := "watch a variable of at most 8 bytes that is in scope here; hardware has room for about 4"
	if said == "" {
		return fault.New(fault.Breakpoint, "%s", message).WithHint("%s", hint)
	}
	if plain, better := s.dialect().Fault("setDataBreakpoints", fmt.Errorf("%s", said)); plain != "" {
		said = plain
		if better != "" {
			hint = better
		}
	}
	return fault.New(fault.Breakpoint, "%s: %s", message, said).WithHint("%s", hint)
}

// checkWatches finds out which watches the adapter has dropped because their
// variable went out of scope: it sets them again, and one that it does not know
// by its id any more is gone. Setting anew what is gone would watch another
// variable of the same name.
func (l *life) checkWatches(ctx context.Context, k *link) {
	if !l.plan.Quirks.DropsWatchpoints {
		return
	}
	s := l.s
	release, err := hold(ctx, s.sending)
	if err != nil {
		return
	}
	defer release()
	s.mu.Lock()
	t := s.store.dataSet(k.caps)
	s.mu.Unlock()
	if len(t.groups) == 0 {
		return
	}
	var body godap.SetDataBreakpointsResponseBody
	if err := k.Call(ctx, t.command, t.args, &body); err != nil {
		s.log.Debug("check watches", "error", err)
		return
	}
	if !s.endWatches(k, t.groups, body.Breakpoints) {
		return
	}
	s.mu.Lock()
	t = s.store.dataSet(k.caps)
	s.mu.Unlock()
	if err := k.Call(ctx, t.command, t.args, nil); err != nil {
		s.log.Debug("remove ended watches", "error", err)
	}
}

// endWatches marks those that the adapter no longer knows, and says whether there are any.
func (s *Session) endWatches(k *link, groups [][]*entry, now []godap.Breakpoint) (ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, g := range groups[:min(len(groups), len(now))] {
		for _, e := range g {
			if now[i].Verified && now[i].Id == e.ids[k] {
				continue
			}
			ended = true
			e.lost, e.Verified, e.ids = true, false, nil
			e.Message = fmt.Sprintf("%s has gone out of scope, which ended the watch", e.Expression)
		}
	}
	return ended
}

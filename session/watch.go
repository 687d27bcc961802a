package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

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

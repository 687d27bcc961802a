package handlers

import (
	"context"
	"fmt"
	"strings"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// breakpoint sets, lists and removes breakpoints and watchpoints, also for the next
// run of a program that has ended.
func (h *Handlers) breakpoint() Tool[*tools.BreakpointToolParams] {
	return Tool[*tools.BreakpointToolParams]{
		Definition: tools.Breakpoint(),
		Action:     func(p *tools.BreakpointToolParams) string { return p.Action },
		Actions: Actions[*tools.BreakpointToolParams]{
			"set":       {Drives: true, Rule: rule{session: required}, Handle: h.setBreakpoint},
			"remove":    {Drives: true, Rule: rule{session: required}, Handle: h.removeBreakpoints},
			"list":      {Rule: rule{session: required, passes: true, quiet: true}, Shows: true, Handle: h.listBreakpoints},
			"clear_all": {Drives: true, Rule: rule{session: required}, Handle: h.clearBreakpoints},
			"enable":    {Drives: true, Rule: rule{session: required}, Handle: h.enableBreakpoints},
			"disable":   {Drives: true, Rule: rule{session: required}, Handle: h.enableBreakpoints},
			"watch":     {Drives: true, Rule: rule{session: required}, Handle: h.watch},
			"unwatch":   {Drives: true, Rule: rule{session: required}, Handle: h.unwatch},
		},
	}
}

func (h *Handlers) setBreakpoint(ctx context.Context, c *Call, p *tools.BreakpointToolParams) (*responses.Envelope, error) {
	if len(p.Exceptions) > 0 && p.Location == "" && p.Statement == "" {
		return setExceptions(ctx, c, p.Exceptions)
	}
	spec, err := breakpointSpec(c.Session, p)
	if err != nil {
		return nil, err
	}
	b, err := c.Session.SetBreakpoint(ctx, spec)
	if err != nil {
		return nil, err
	}
	if len(p.Exceptions) > 0 {
		if _, err := setExceptions(ctx, c, p.Exceptions); err != nil {
			return nil, err
		}
	}
	return h.breakpointReply(c, b), nil
}

// breakpointSpec turns the parameters into a place. A statement is looked for
// in the file that location names, else in the current one.
func breakpointSpec(s *session.Session, p *tools.BreakpointToolParams) (session.BreakpointSpec, error) {
	var spec session.BreakpointSpec
	var err error
	switch {
	case p.ID != 0 && p.Location == "" && p.Statement == "":
		spec.ID = p.ID
	case p.Statement != "":
		spec = session.BreakpointSpec{File: p.Location, Statement: p.Statement}
		if at, err := source.ParseLocation(p.Location); err == nil && at.File != "" {
			spec.File = at.File
		}
	case p.Location != "":
		spec, err = s.ResolveLocation(p.Location)
	default:
		err = missingParam("location", "breakpoint(set) needs location, the line or function to stop at",
			`for example {"location":"calc.go:7"}, {"location":"main.add"} or {"location":"calc.go","statement":"return a - b"}`)
	}
	spec.Condition, spec.HitCondition, spec.LogMessage = string(p.Condition), p.HitCondition, p.LogMessage
	spec.Show = tools.Texts(p.Show)
	if p.Column > 0 {
		spec.Column = p.Column
	}
	return spec, err
}

func setExceptions(ctx context.Context, c *Call, choice []string) (*responses.Envelope, error) {
	filters, err := c.Session.SetExceptions(ctx, choice)
	if err != nil {
		return nil, err
	}
	said := "stops on no exceptions"
	if len(filters) > 0 {
		said = "stops on exceptions: " + strings.Join(filters, ", ")
	}
	c.What = "set exceptions"
	return &responses.Envelope{Success: true, Summary: said, Data: &responses.Breakpoints{Exceptions: filters}}, nil
}

// breakpointReply says whether a breakpoint is bound, and where it would be.
func (h *Handlers) breakpointReply(c *Call, b session.Breakpoint) *responses.Envelope {
	w := h.show(c.Session)
	said := fmt.Sprintf("%s %d set at %s", noun(b), b.ID, w.place(b))
	switch {
	case b.Verified && b.Kind == session.WatchBreakpoint:
		said = fmt.Sprintf("%s %d set on %s", noun(b), b.ID, w.place(b))
	case !b.Verified:
		said = w.name(b) + " is not bound yet"
	case b.MovedFrom != 0:
		said += fmt.Sprintf(", moved from line %d", b.MovedFrom)
	}
	c.What = "set " + w.name(b)
	row := w.breakpoint(b)
	return &responses.Envelope{
		Success: true, Summary: said,
		Data:      &responses.Breakpoints{Breakpoint: &row},
		NextSteps: w.bindSteps([]session.Breakpoint{b}),
		Notes:     c.notes(func() []string { return breakpointNotes }),
	}
}

func (h *Handlers) listBreakpoints(_ context.Context, c *Call, _ *tools.BreakpointToolParams) (*responses.Envelope, error) {
	all := c.Session.Breakpoints()
	data := &responses.Breakpoints{Exceptions: c.Session.Exceptions()}
	if data.Breakpoints = h.show(c.Session).breakpoints(all, "breakpoints"); data.Breakpoints == nil {
		data.Breakpoints = responses.NewList([]responses.Breakpoint{}, responses.Page{})
	}
	return &responses.Envelope{Success: true, Summary: responses.Plural(len(all), "breakpoint"), Data: data}, nil
}

// selectBreakpoints finds the breakpoints that id, location or name mean.
func selectBreakpoints(c *Call, p *tools.BreakpointToolParams) ([]session.Breakpoint, error) {
	if p.ID == 0 && p.Location == "" && p.Name == "" {
		return nil, missingParam("id", fmt.Sprintf("breakpoint(%s) needs to know which: id, location or name", p.Action),
			fmt.Sprintf(`for example {"action":%q,"id":1}; breakpoint(list) shows them`, p.Action))
	}
	return c.Session.FindBreakpoints(p.ID, p.Location, p.Name)
}

func (h *Handlers) removeBreakpoints(ctx context.Context, c *Call, p *tools.BreakpointToolParams) (*responses.Envelope, error) {
	found, err := selectBreakpoints(c, p)
	if err != nil {
		return nil, err
	}
	return h.dropBreakpoints(ctx, c, found)
}

func (h *Handlers) clearBreakpoints(ctx context.Context, c *Call, _ *tools.BreakpointToolParams) (*responses.Envelope, error) {
	return h.dropBreakpoints(ctx, c, c.Session.Breakpoints())
}

func (h *Handlers) dropBreakpoints(ctx context.Context, c *Call, list []session.Breakpoint) (*responses.Envelope, error) {
	if len(list) == 0 {
		return &responses.Envelope{Success: true, Summary: "there was nothing to remove"}, nil
	}
	ids := idsOf(list)
	if err := c.Session.RemoveBreakpoints(ctx, ids); err != nil {
		return nil, err
	}
	w := h.show(c.Session)
	said := "removed " + responses.Plural(len(ids), "breakpoint")
	if len(list) == 1 {
		said = "removed " + w.name(list[0])
	}
	return &responses.Envelope{Success: true, Summary: said, Data: &responses.Breakpoints{Removed: ids}}, nil
}

// enableBreakpoints enables or disables breakpoints, as the action says.
func (h *Handlers) enableBreakpoints(ctx context.Context, c *Call, p *tools.BreakpointToolParams) (*responses.Envelope, error) {
	found, err := selectBreakpoints(c, p)
	if err != nil {
		return nil, err
	}
	now, err := c.Session.EnableBreakpoints(ctx, idsOf(found), p.Action == "enable")
	if err != nil {
		return nil, err
	}
	w := h.show(c.Session)
	said := p.Action + "d " + responses.Plural(len(now), "breakpoint")
	if len(now) == 1 {
		said = p.Action + "d " + w.name(now[0])
	}
	return &responses.Envelope{
		Success: true,
		Summary: said,
		Data:    &responses.Breakpoints{Breakpoints: w.breakpoints(now, "breakpoints")},
	}, nil
}

func (h *Handlers) watch(ctx context.Context, c *Call, p *tools.BreakpointToolParams) (*responses.Envelope, error) {
	if p.Name == "" {
		return nil, missingParam("name", "breakpoint(watch) needs name, the variable to watch",
			`for example {"action":"watch","name":"total"}`)
	}
	b, err := c.Session.Watch(ctx, p.Name, p.AccessType, string(p.Condition), p.HitCondition)
	if err != nil {
		return nil, err
	}
	return h.breakpointReply(c, b), nil
}

// unwatch removes the named watchpoint, else all of them.
func (h *Handlers) unwatch(ctx context.Context, c *Call, p *tools.BreakpointToolParams) (*responses.Envelope, error) {
	if p.ID != 0 || p.Name != "" {
		return h.removeBreakpoints(ctx, c, p)
	}
	var watched []session.Breakpoint
	for _, b := range c.Session.Breakpoints() {
		if b.Kind == session.WatchBreakpoint {
			watched = append(watched, b)
		}
	}
	return h.dropBreakpoints(ctx, c, watched)
}

func idsOf(list []session.Breakpoint) []int {
	ids := make([]int, len(list))
	for i, b := range list {
		ids[i] = b.ID
	}
	return ids
}

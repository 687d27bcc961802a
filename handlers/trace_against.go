package handlers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/table"
	"aidb-mcp/tools"
)

// sided is one of two runs, and how its places are named.
type sided struct {
	run *session.Recording
	rel func(at string) string
}

// recordSecond makes the run that differs, in a copy of the workspace when it is the
// program that does.
func (h *Handlers) recordSecond(ctx context.Context, c *Call, subject *session.Session, by *tools.AgainstParams, w recording.Wish, over time.Time) (*session.Recording, func(string) string, error) {
	r := secondRun(subject.Again(), by)
	if by.Patch == "" {
		run, err := h.recordTraced(ctx, c, r, w, over)
		return run, subject.RelAt, err
	}
	c.tell("copying the workspace", 0, 0)
	changed, err := h.Sessions.Change(ctx, r, by.Patch)
	if err != nil {
		return nil, nil, err
	}
	defer changed.Close()
	if w, err = changed.Wish(w); err != nil {
		return nil, nil, err
	}
	run, err := h.recordTraced(ctx, c, changed.Request, w, over)
	return run, func(at string) string {
		at, made := strings.CutSuffix(changed.At(at), session.MadeLine)
		if at = subject.RelAt(at); made {
			at += session.MadeLine
		}
		return at
	}, err
}

// secondRun is the request of the second run.
func secondRun(r session.StartRequest, by *tools.AgainstParams) session.StartRequest {
	r.Program.Target, r.Program.Test = cmp.Or(by.Target, r.Program.Target), cmp.Or(by.Test, r.Program.Test)
	if by.Args != nil {
		r.Program.Args = by.Args
	}
	if by.Env != nil {
		r.Program.Env = maps.Clone(r.Program.Env)
		if r.Program.Env == nil {
			r.Program.Env = map[string]string{}
		}
		maps.Copy(r.Program.Env, by.Env)
	}
	if by.Stdin != nil {
		r.Stdin = by.Stdin
	}
	return r
}

// led is how many rows are shown that led to where two runs part.
const led = 10

// parted is the answer of two runs: where they part, and what led there.
func (h *Handlers) parted(c *Call, first, second sided) *responses.Envelope {
	p := c.Params.(*tools.TraceParams)
	whole := first.run.Log.Dropped == 0 && second.run.Log.Dropped == 0
	ours, lost := first.comparable(p, whole)
	theirs, _ := second.comparable(p, whole)
	d := table.Compare(ours, theirs, min(led, p.Limit))
	ours.Cut(p.Limit, lost)
	data := shownTable(ours, first.run)
	data.More = h.wider(c)
	data.Notes = append(data.Notes, second.notes(first)...)
	env := &responses.Envelope{Success: true, Data: data}
	switch {
	case d == nil && whole:
		env.Summary = fmt.Sprintf("both runs are the same in all %d hits of %s", ours.Hits, p.What)
	case d == nil:
		env.Summary = fmt.Sprintf("both runs are the same in the first %d rows of %s; what came after was not kept of both", len(ours.Rows), p.What)
	default:
		data.Columns = d.Columns
		data.Rows, data.Gap, data.Dropped = d.Before, 0, ours.Hits-int64(len(d.Before))
		data.First = &responses.Parting{Row: d.Row + 1, Ours: d.Ours, Theirs: d.Theirs}
		env.Summary = fmt.Sprintf("the runs part at row %d of %s, after %d that are the same", d.Row+1, p.What, d.Row)
	}
	return env
}

// comparable is the table of a run as far as it can be compared with another: all of
// it, or what was kept from the start on; lost are the other hits.
func (s sided) comparable(p *tools.TraceParams, whole bool) (t *table.Table, lost int64) {
	run := *s.run
	if !whole {
		n := 0
		for n < len(run.Log.Events) && run.Log.Events[n].Seq == int64(n+1) {
			n++
		}
		run.Log.Events, run.Log.Dropped = run.Log.Events[:n], run.Log.Total-int64(n)
	}
	if p.What == "lines" { // a line that only one run has makes no difference by itself
		run.Log.Events = slices.DeleteFunc(slices.Clone(run.Log.Events), func(e recording.Event) bool { return strings.HasSuffix(s.rel(e.At), session.MadeLine) })
	}
	return laid(p, &run, s.rel)
}

// notes are what is to be known of the second run, and was not said of the first.
func (s sided) notes(first sided) []string {
	var list []string
	if why := ended(s.run); why != "" {
		list = append(list, "the second run: "+why)
	}
	for _, warning := range s.run.Warnings {
		if !slices.Contains(first.run.Warnings, warning) {
			list = append(list, "the second run: "+warning)
		}
	}
	return list
}

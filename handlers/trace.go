package handlers

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/adapters/recording"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/table"
	"aidb-mcp/tools"
)

// trace runs the program under a recorder and answers with a table of its hits. The
// session whose start is made again has no part in it.
func (h *Handlers) trace(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.TraceParams)
	subject, err := h.subject(c, &p.Start)
	if err != nil {
		return nil, err
	}
	wish, err := h.wish(p, subject)
	if err != nil {
		return nil, err
	}
	c.What = "trace " + p.What
	run, err := h.Sessions.Record(ctx, subject.Again(), wish, p.Timeout(), func(doing string) { c.tell(doing, 0, 0) })
	if err != nil {
		return nil, err
	}
	if err := refusal(run.Log); err != nil {
		return nil, err
	}
	return h.traced(c, p, run, subject.Rel), nil
}

// subject is what is to be run: the start that was asked for, else that of the
// session.
func (h *Handlers) subject(c *Call, p *tools.Start) (*session.Session, error) {
	if !p.Given() {
		if c.Session == nil {
			return nil, fault.New(fault.MissingParam, "nothing says what is to be run").WithField("target").
				WithHint("give target or test as in session_start, or session_id of a session whose start is to be made again")
		}
		return c.Session, nil
	}
	full, err := tools.StartParams(p)
	if err != nil {
		return nil, err
	}
	if err := h.applyLaunchConfig(full); err != nil {
		return nil, err
	}
	return h.Sessions.Prospect(h.startRequest(full))
}

// longestTraced is how much of a value a recorder notes, in bytes.
const longestTraced = 200

// wish is what the recorder is to note.
func (h *Handlers) wish(p *tools.TraceParams, s *session.Session) (recording.Wish, error) {
	w := recording.Wish{Text: longestTraced}
	need := func(name string, there bool, example string) error {
		if there {
			return nil
		}
		return fault.New(fault.MissingParam, "trace(%s) needs %s", p.What, name).WithField(name).WithHint("for example %s", example)
	}
	expressions := tools.Texts(p.Expressions)
	switch p.What {
	case "values":
		if err := cmp.Or(need("location", p.Location != "", `"location":"calc.py:12"`), need("expressions", len(expressions) > 0, `"expressions":["total"]`)); err != nil {
			return w, err
		}
		at, err := s.ResolveLocation(p.Location)
		if err != nil {
			return w, err
		}
		w.Values = []recording.Values{{File: at.File, Line: at.Line, Condition: string(p.Condition), Expressions: expressions}}
	case "calls":
		if err := need("functions", len(p.Functions) > 0, `"functions":["calc.*"]`); err != nil {
			return w, err
		}
		w.Calls = &recording.Calls{Names: p.Functions}
	case "lines":
		if err := need("function", p.Function != "", `"function":"average","call":3`); err != nil {
			return w, err
		}
		w.Lines = &recording.Lines{Function: p.Function, Call: p.Call, Condition: string(p.Condition), Expressions: expressions}
	case "writes":
		if err := need("expression", p.Expression != "", `"expression":"order.total","location":"shop.py:40"`); err != nil {
			return w, err
		}
		w.Writes = &recording.Writes{Expression: string(p.Expression)}
		if p.Location != "" {
			at, err := s.ResolveLocation(p.Location)
			if err != nil {
				return w, err
			}
			w.Writes.File, w.Writes.Line = at.File, at.Line
		}
	}
	return w, nil
}

// refusal is why a recorder has not let the program run.
func refusal(log recording.Log) error {
	for _, e := range log.Events {
		if e.Kind == recording.Refused {
			err := fault.New(fault.InvalidParam, "%s", e.Text).WithHint("write it as the program's source would at that place")
			if len(e.Names) > 0 {
				err = err.WithField(e.Names[0])
			}
			return err
		}
	}
	return nil
}

// traced is the answer.
func (h *Handlers) traced(c *Call, p *tools.TraceParams, run *session.Recording, rel func(string) string) *responses.Envelope {
	place := func(at string) string {
		i := strings.LastIndexByte(at, ':')
		if i < 0 {
			return at
		}
		return rel(at[:i]) + at[i:]
	}
	var t *table.Table
	lost := run.Log.Dropped
	switch p.What {
	case "values":
		t = table.Values(run.Log, tools.Texts(p.Expressions), place)
	case "lines":
		t = table.Lines(run.Log, tools.Texts(p.Expressions), place)
	case "calls":
		t, lost = table.Calls(run.Log, place), lost/2
	default:
		t = table.Writes(run.Log, place)
	}
	t.Cut(p.Limit, lost)
	data := &responses.Trace{
		Columns: t.Columns, Rows: t.Rows, Hits: t.Hits, Dropped: t.Dropped, How: run.How,
		Notes: run.Warnings, Ended: ended(run),
		More: responses.Call{Tool: "trace"},
	}
	if t.Dropped > 0 {
		data.Gap = t.Gap
	}
	for _, e := range run.Log.Events {
		if e.Kind == recording.Remark {
			data.Notes = append(data.Notes, e.Text)
		}
	}
	return &responses.Envelope{Success: true, Summary: traceSummary(p, run, t), Data: data}
}

// ended says how the run ended, where that is not a plain end.
func ended(run *session.Recording) string {
	switch {
	case run.Exit == nil:
		return fmt.Sprintf("it was still running and was ended after %s", run.Lasted.Round(100*time.Millisecond))
	case run.Exit.Signal != "":
		return "signal " + run.Exit.Signal
	case run.Exit.Code != 0:
		return fmt.Sprintf("exit code %d", run.Exit.Code)
	}
	return ""
}

func traceSummary(p *tools.TraceParams, run *session.Recording, t *table.Table) string {
	rows := "no row"
	if t.Hits > 0 {
		rows = fmt.Sprintf("%d hits", t.Hits)
	}
	if t.Hits == 1 {
		rows = "1 hit"
	}
	summary := fmt.Sprintf("%s of %s in a run of %s", rows, p.What, run.Target)
	if why := ended(run); why != "" {
		summary += ": " + why
	}
	return summary
}


package handlers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/table"
	"aidb-mcp/tools"
)

// trace runs the program under a recorder and answers with a table of its hits. The
// session whose start is made again has no part in it.
func (h *Handlers) trace(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.TraceParams)
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	wish, err := h.wish(p, subject)
	if err != nil {
		return nil, err
	}
	against, err := tools.ReadAgainst(p.Against)
	if err != nil {
		return nil, err
	}
	c.What = "trace " + p.What
	begun, share := time.Now(), p.Timeout()
	if against != nil {
		share /= 2
	}
	run, err := h.recordTraced(ctx, c, subject.Again(), wish, begun.Add(share))
	if err != nil {
		return nil, err
	}
	if against == nil {
		return h.traced(c, wish, run, subject), nil
	}
	theirs, rel, err := h.recordSecond(ctx, c, subject, against, wish, begun.Add(p.Timeout()))
	if err != nil {
		return nil, fmt.Errorf("the second run: %w", err)
	}
	return h.parted(c, sided{run, subject.RelAt}, sided{theirs, rel}), nil
}

// recordTraced makes a run, and the one that it may take before.
func (h *Handlers) recordTraced(ctx context.Context, c *Call, r session.StartRequest, w recording.Wish, over time.Time) (*session.Recording, error) {
	run, err := h.record(ctx, c, r, w, over)
	if err != nil {
		return nil, err
	}
	return h.watchWrites(ctx, c, r, w, run, over)
}

// record makes one run, which is ended when its time is over.
func (h *Handlers) record(ctx context.Context, c *Call, r session.StartRequest, w recording.Wish, over time.Time) (*session.Recording, error) {
	run, err := h.Sessions.Record(ctx, r, w, over, func(doing string) { c.tell(doing, 0, 0) })
	if err != nil {
		return nil, err
	}
	return run, refusal(run.Log)
}

// subject is what is to be run: the start that was asked for, else that of the
// session.
func (h *Handlers) subject(ctx context.Context, c *Call, p *tools.Start) (*session.Session, error) {
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
	b, err := h.applyLaunchConfig(ctx, c, full)
	if err != nil {
		return nil, err
	}
	return h.Sessions.Prospect(b.with(h.startRequest(full)))
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
		file, line, err := s.LineAt(p.Location)
		if err != nil {
			return w, err
		}
		texts, frames := framed(expressions)
		w.Values = []recording.Values{{File: file, Line: line, Condition: string(p.Condition), Expressions: texts, Frames: frames}}
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
			file, line, err := s.LineAt(p.Location)
			if err != nil {
				return w, err
			}
			w.Writes.File, w.Writes.Line = file, line
		}
	}
	return w, nil
}

// framed takes the frames off expressions: "@1 x" is x of the caller. No frames: all are
// of the function itself.
func framed(expressions []string) (texts []string, frames []int) {
	texts, frames = make([]string, len(expressions)), make([]int, len(expressions))
	for i, e := range expressions {
		read := breakpoints.ParseExpression(e)
		texts[i], frames[i] = read.Text, read.Frame
	}
	if slices.Max(frames) == 0 {
		frames = nil
	}
	return texts, frames
}

// refusal is why a recorder has not let the program run.
func refusal(log recording.Log) error {
	for _, e := range log.Events {
		if e.Kind == recording.Refused {
			if slices.Equal(e.Names, []string{"location"}) {
				return fault.New(fault.InvalidLocation, "%s", e.Text).WithField("location").WithHint("give a line on which a statement begins")
			}
			err := fault.New(fault.InvalidParam, "%s", e.Text).WithHint("write it as the program's source would at that place")
			if len(e.Names) > 0 {
				err = err.WithField(e.Names[0])
			}
			return err
		}
	}
	return nil
}

// laid is the table of a run, with all of its rows, and how many were not kept.
func laid(p *tools.TraceParams, run *session.Recording, rel func(at string) string) (t *table.Table, lost int64) {
	lost = run.Log.Dropped
	switch p.What {
	case "values":
		t = table.Values(run.Log, tools.Texts(p.Expressions), rel)
	case "lines":
		t = table.Lines(run.Log, tools.Texts(p.Expressions), rel)
	case "calls":
		t, lost = table.Calls(run.Log, rel), lost/2 // a call begins and ends
	default:
		t = table.Writes(run.Log, rel)
	}
	t.Headless = len(run.Log.Events) > 0 && run.Log.Events[0].Seq > 1
	return t, lost
}

// traced is the answer.
func (h *Handlers) traced(c *Call, w recording.Wish, run *session.Recording, in *session.Session) *responses.Envelope {
	p := c.Params.(*tools.TraceParams)
	t, lost := laid(p, run, in.RelAt)
	t.Cut(p.Limit, lost)
	data := shownTable(t, run)
	data.More = h.wider(c)
	if t.Hits > 0 {
		data.Notes = append(data.Notes, in.Effects(w, run.Log)...)
	}
	env := &responses.Envelope{Success: true, Summary: traceSummary(p, run, t), Data: data}
	if t.Hits == 0 && p.Condition != "" {
		env.NextSteps = []responses.NextStep{unconditional(p).Why("the same without the condition")}
	}
	return env
}

// unconditional is the same trace without its condition.
func unconditional(p *tools.TraceParams) responses.Call {
	params := append(startFields(&p.Start), "what", p.What)
	if p.What == "lines" {
		return responses.NewCall("trace", append(params, "function", p.Function)...)
	}
	return responses.NewCall("trace", append(params, "location", p.Location, "expressions", tools.Texts(p.Expressions))...)
}

func shownTable(t *table.Table, run *session.Recording) *responses.Trace {
	data := &responses.Trace{
		Columns: t.Columns, Rows: t.Rows, Hits: t.Hits, Dropped: t.Dropped, How: run.How,
		Notes: run.Warnings, Ended: ended(run),
	}
	if t.Dropped > 0 {
		data.Gap = t.Gap
	}
	if data.Ended != "" {
		data.Output = &responses.Output{Stdout: stream(run.Stdout), Stderr: stream(run.Stderr)}
		if data.Output.Empty() {
			data.Output = nil
		}
	}
	data.Notes = append(data.Notes, remarks(run.Log)...)
	return data
}

// remarks are what a recorder has to say of itself.
func remarks(log recording.Log) []string {
	var texts []string
	for _, e := range log.Events {
		if e.Kind == recording.Remark {
			texts = append(texts, e.Text)
		}
	}
	return texts
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
	summary := fmt.Sprintf("%d hits of %s in a run of %s", t.Hits, p.What, run.Target)
	switch t.Hits {
	case 0:
		summary = fmt.Sprintf("%s in a run of %s", nothing(p), run.Target)
	case 1:
		summary = fmt.Sprintf("1 hit of %s in a run of %s", p.What, run.Target)
	}
	if why := ended(run); why != "" {
		summary += ": " + why
	}
	return summary
}

// nothing says what it means that there is no row.
func nothing(p *tools.TraceParams) string {
	switch {
	case p.What == "values" && p.Condition != "":
		return fmt.Sprintf("%s was never reached, or never with %s,", p.Location, p.Condition)
	case p.What == "values":
		return fmt.Sprintf("%s was never reached", p.Location)
	case p.What == "calls":
		return fmt.Sprintf("nothing that is called %s was called (functions are named as in stacks)", strings.Join(p.Functions, " or "))
	case p.What == "writes":
		return fmt.Sprintf("no write to %s was seen", p.Expression)
	case len(p.Expressions) > 0:
		return fmt.Sprintf("none of the expressions changed in that call of %s, or there was none,", p.Function)
	case p.Call > 1:
		return fmt.Sprintf("%s was not called %d times", p.Function, p.Call)
	case p.Condition != "":
		return fmt.Sprintf("%s was never called, or never with %s,", p.Function, p.Condition)
	}
	return fmt.Sprintf("%s was never called (functions are named as in stacks)", p.Function)
}

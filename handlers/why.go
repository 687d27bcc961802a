package handlers

import (
	"context"
	"fmt"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/origin"
	"aidb-mcp/tools"
)

// why makes the run again under a recorder, finds where the value was seen in what
// that has noted, and follows it back.
func (h *Handlers) why(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.WhyParams)
	subject, err := h.subject(c, &p.Start)
	if err != nil {
		return nil, err
	}
	seen, err := h.sighting(ctx, c, p, subject)
	if err != nil {
		return nil, err
	}
	c.What = "why " + string(p.Expression)
	wish := recording.Wish{
		Text: longestTraced,
		Values: []recording.Values{{
			File: seen.file, Line: seen.line, Condition: string(p.Condition), Expressions: []string{string(p.Expression)}, Places: true,
		}},
		Writes: &recording.Writes{Expression: string(p.Expression), File: seen.file, Line: seen.line, All: true},
	}
	run, err := h.record(ctx, c, subject.Again(), wish, p.Wait)
	if err != nil {
		return nil, err
	}
	hit, differs, err := seen.find(run, subject)
	if err != nil {
		return nil, err
	}
	return h.origins(p, subject, run, hit, differs), nil
}

// sighting is where and how a value was seen.
type sighting struct {
	file  string
	line  int
	value string // as the debugger shows it; empty when no session stands there
	last  bool   // the last pass is meant: the program ended or failed there
}

// sighting is where the value in question was seen: where it is said, else where
// the session stands.
func (h *Handlers) sighting(ctx context.Context, c *Call, p *tools.WhyParams, s *session.Session) (sighting, error) {
	if p.Location != "" {
		at, err := s.ResolveLocation(p.Location)
		return sighting{file: at.File, line: at.Line, last: true}, err
	}
	if s != c.Session || !s.State().Status.Stopped() {
		return sighting{}, fault.New(fault.MissingParam, "location is missing: where is the value of %s seen?", p.Expression).WithField("location").
			WithHint(`for example {"expression":"order.total","location":"shop.py:40"}; it can be left out where a session stands at the place`)
	}
	frames, _, err := s.Stack(ctx, 0, 0, p.Frame+1)
	if err != nil {
		return sighting{}, err
	}
	if p.Frame >= len(frames) || frames[p.Frame].File == "" {
		return sighting{}, fault.New(fault.InvalidParam, "there is no frame %d with source", p.Frame).WithField("frame")
	}
	v, err := s.Evaluate(ctx, string(p.Expression), 0, p.Frame, session.Page{})
	if err != nil {
		return sighting{}, err
	}
	f := frames[p.Frame]
	return sighting{file: f.File, line: f.Line, value: v.Value, last: s.State().Status == session.StoppedException}, nil
}

// find picks the pass of the place that the question is about.
func (s sighting) find(run *session.Recording, in *session.Session) (hit *recording.Event, differs string, err error) {
	place := fmt.Sprintf("%s:%d", in.Rel(s.file), s.line)
	var passes []*recording.Event
	for i := range run.Log.Events {
		if e := &run.Log.Events[i]; e.Kind == recording.Hit {
			passes = append(passes, e)
		}
	}
	if len(passes) == 0 {
		return nil, "", fault.New(fault.InvalidLocation, "the run never came to %s%s", place, endOf(run)).WithField("location").
			WithHint("trace(values) at a line before it shows how far the run comes")
	}
	if s.value != "" {
		var alike []*recording.Event
		for _, e := range passes {
			if len(e.Values) > 0 && e.Values[0].Text == s.value {
				alike = append(alike, e)
			}
		}
		switch {
		case len(alike) == 0:
			last := passes[len(passes)-1]
			return last, fmt.Sprintf("the session shows %s; in %d passes of %s the new run never had that value", s.value, len(passes), place), nil
		case s.last:
			return alike[len(alike)-1], "", nil
		}
		return alike[0], "", nil
	}
	return passes[len(passes)-1], "", nil
}

func endOf(run *session.Recording) string {
	if why := ended(run); why != "" {
		return ": " + why
	}
	return ""
}

// origins is the answer.
func (h *Handlers) origins(p *tools.WhyParams, s *session.Session, run *session.Recording, hit *recording.Event, differs string) *responses.Envelope {
	data := &responses.Why{How: run.How, Seen: s.RelAt(hit.At), Differs: differs, Notes: run.Warnings}
	env := &responses.Envelope{Success: true, Data: data}
	value := hit.Values[0]
	data.Value = value.Text
	if value.Error != "" {
		env.Summary = fmt.Sprintf("%s has no value at %s: %s", p.Expression, data.Seen, value.Error)
		return env
	}
	if value.Place == "" {
		env.Summary = fmt.Sprintf("%s is %s at %s; it names no single place that is written to", p.Expression, value.Text, data.Seen)
		return env
	}
	found := origin.Of(run.Log, *hit, p.Steps)
	data.Writes = found.Writes
	if data.Differs == "" {
		data.Differs = found.Differs
	}
	for _, step := range found.Chain {
		data.Chain = append(data.Chain, written(s, step))
	}
	env.Summary = whySummary(p, data, run)
	return env
}

func written(s *session.Session, step origin.Step) responses.Write {
	w := responses.Write{
		At: s.RelAt(step.At), Function: step.Function, Code: s.CodeAt(step.At), Kind: step.Kind,
		Was: step.Was.Text, Value: step.Value.Text, Thread: step.Thread, Hit: step.Hit,
	}
	if step.Kind == origin.Assigned {
		w.Kind = ""
	}
	for _, o := range step.Operands {
		text := o.Value.Text
		if o.Value.Error != "" {
			text = "(" + o.Value.Error + ")"
		}
		w.Operands = append(w.Operands, responses.Operand{Name: o.Name, Value: text})
	}
	for _, caller := range step.Stack {
		function, at, _ := strings.Cut(caller, " ")
		w.Stack = append(w.Stack, function+" "+s.RelAt(at))
	}
	return w
}

func whySummary(p *tools.WhyParams, data *responses.Why, run *session.Recording) string {
	if len(data.Chain) == 0 {
		if data.Differs != "" {
			return fmt.Sprintf("who wrote %s cannot be told: %s", p.Expression, data.Differs)
		}
		if run.Log.Dropped > 0 {
			return fmt.Sprintf("no write to %s is among the last that were kept", p.Expression)
		}
		return fmt.Sprintf("%s is %s at %s and nothing that was noted wrote it", p.Expression, data.Value, data.Seen)
	}
	first := data.Chain[0]
	return fmt.Sprintf("%s is %s at %s: written at %s in %s", p.Expression, data.Value, data.Seen, first.At, first.Function)
}

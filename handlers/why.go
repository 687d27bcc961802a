package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/origin"
	"aidb-mcp/tools"
)

// tries is how often a run is made whose program does not do the same each time.
const tries = 3

// why makes the run again under a recorder, finds where the value was seen in what
// that has noted, and follows it back.
func (h *Handlers) why(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.WhyParams)
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	seen, err := h.sighting(ctx, c, p, subject)
	if err != nil {
		return nil, err
	}
	c.What = "why " + string(p.Expression)
	over := time.Now().Add(p.Timeout())
	for n := 1; ; n++ {
		run, err := h.recordSighting(ctx, c, subject.Again(), &seen, over)
		if err != nil {
			return nil, err
		}
		found, ok := seen.find(passes(run.Log), n)
		if !ok {
			return nil, seen.never(subject, run)
		}
		if found.differs == "" || n == tries || time.Until(over) < run.Lasted {
			return h.origins(ctx, c, subject, &seen, run, found, over)
		}
	}
}

// never is the answer when no pass of the place was noted.
func (s *sighting) never(in *session.Session, run *session.Recording) error {
	place := fmt.Sprintf("%s:%d", in.Rel(s.file), s.line)
	if s.condition != "" {
		return fault.New(fault.InvalidLocation, "the run never came to %s with %s%s", place, s.condition, endOf(run)).WithField("condition").
			WithHint("trace(values) at that line shows what its passes have")
	}
	return fault.New(fault.InvalidLocation, "the run never came to %s%s", place, endOf(run)).WithField("location").
		WithHint("trace(values) at a line before it shows how far the run comes")
}

// recordSighting makes a run that notes the value where it was seen, with what stood
// beside it there. That is left out when the recorder cannot read it.
func (h *Handlers) recordSighting(ctx context.Context, c *Call, r session.StartRequest, seen *sighting, over time.Time) (*session.Recording, error) {
	run, err := h.record(ctx, c, r, seen.wish(), over)
	if fault.Is(err, fault.InvalidParam) && len(seen.beside) > 0 {
		seen.beside = nil
		run, err = h.record(ctx, c, r, seen.wish(), over)
	}
	var f *fault.Error
	if errors.As(err, &f) && f.Field == "expressions" {
		f.Field = "expression"
	}
	return run, err
}

func endOf(run *session.Recording) string {
	if why := ended(run); why != "" {
		return ": " + why
	}
	return ""
}

// origins is the answer.
func (h *Handlers) origins(ctx context.Context, c *Call, s *session.Session, seen *sighting, run *session.Recording, at pass, over time.Time) (*responses.Envelope, error) {
	p, hit := c.Params.(*tools.WhyParams), at.hit
	data := &responses.Why{Chain: []responses.Write{}, How: run.How, Seen: s.RelAt(hit.At), Differs: at.differs, Notes: run.Warnings, More: h.wider(c)}
	if at.note != "" {
		data.Notes = append(data.Notes, at.note)
	}
	data.Notes = append(data.Notes, remarks(run.Log)...)
	env := &responses.Envelope{Success: true, Data: data}
	value := hit.Values[0]
	data.Value = value.Text
	if value.Error != "" {
		return nil, fault.New(fault.Evaluation, "%s has no value at %s: %s", p.Expression, data.Seen, value.Error).WithField("expression").
			WithHint("a value is asked about before its line runs: name what is there by then, or a later line")
	}
	if value.Place == "" {
		env.Summary = fmt.Sprintf("%s is %s at %s; it names no single place that is written to", p.Expression, value.Text, data.Seen)
		env.NextSteps = parts(p)
		return env, nil
	}
	found, err := h.followed(ctx, c, s, seen, run, hit, over)
	if err != nil {
		return nil, err
	}
	data.Writes = found.Writes
	if run.Log.Dropped > 0 {
		data.Notes = append(data.Notes, fmt.Sprintf("%d events of the run were not kept: writes counts those that were", run.Log.Dropped))
	}
	if found.Cut {
		data.Notes = append(data.Notes, "timeout_ms was over before the chain's end was known: each step takes a run")
	}
	if found.Lost != "" {
		data.Notes = append(data.Notes, "the chain may go on: "+found.Lost)
	}
	if data.Differs == "" {
		data.Differs = found.Differs
	}
	for _, step := range found.Chain {
		data.Chain = append(data.Chain, written(s, step))
	}
	env.Summary = whySummary(p, data, run)
	env.NextSteps = further(p, s, found)
	if base := holder(string(p.Expression)); len(data.Chain) == 0 && base != "" {
		env.NextSteps = []responses.NextStep{asked(p, base).Why("it holds it")}
	}
	return env, nil
}

// followed is where the value of a hit comes from: by what its run has noted, or by
// further runs where that cannot be all writes.
func (h *Handlers) followed(ctx context.Context, c *Call, s *session.Session, seen *sighting, run *session.Recording, hit *recording.Event, over time.Time) (origin.Answer, error) {
	if run.Watches {
		return h.chase(ctx, c, s, seen, hit, over)
	}
	return origin.Of(run.Log, *hit, c.Params.(*tools.WhyParams).Steps), nil
}

// How much of a value is shown in a step of a chain and of what it has read, in bytes;
// the value that was asked about is shown as far as it was noted.
const (
	longestStep    = 120
	longestOperand = 80
)

func written(s *session.Session, step origin.Step) responses.Write {
	w := responses.Write{
		At: s.RelAt(step.At), Function: step.Function, Code: s.CodeAt(step.At), Kind: step.Kind,
		Was: responses.Shorten(step.Was.Text, longestStep), Value: responses.Shorten(step.Value.Text, longestStep), Thread: step.Thread, Hit: step.Hit,
	}
	if step.Kind == origin.Assigned {
		w.Kind = ""
	}
	for _, o := range step.Operands {
		text := o.Value.Text
		if o.Value.Error != "" {
			text = "(" + o.Value.Error + ")"
		}
		w.Operands = append(w.Operands, responses.Operand{Name: o.Name, Value: responses.Shorten(text, longestOperand)})
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
	return fmt.Sprintf("%s is %s at %s: %s", p.Expression, responses.Shorten(data.Value, longestOperand), data.Seen, deed(data.Chain[0]))
}

// deed is what a step has done, in words.
func deed(w responses.Write) string {
	at := fmt.Sprintf("at %s in %s", responses.Theirs(w.At), responses.Theirs(w.Function))
	switch w.Kind {
	case origin.Passed:
		return "passed " + at
	case origin.Changed:
		return "changed by a call " + at
	case origin.Inside:
		return "last changed inside " + at
	case origin.Unseen:
		return "found changed " + at + ", by something before it that is not seen"
	case origin.Held:
		return "first held " + at + ", and no write to it was noted"
	case origin.Made:
		return "made " + at + ", and no write to it was noted since"
	}
	return "written " + at
}

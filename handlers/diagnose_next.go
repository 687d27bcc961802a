package handlers

import (
	"cmp"
	"strings"
	"time"

	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// nextSteps are the questions that follow from the verdict.
func (d *diagnosisReply) nextSteps() []responses.NextStep {
	steps := d.ordinarySteps()
	if step, suspected := d.detectorStep(); suspected {
		steps = append(steps, step)
	}
	if step, hasFailed := d.childStep(); hasFailed {
		steps = append(steps, step)
	}
	return append(steps, d.unmadeSteps()...)
}

// Of a run that was not made.
const (
	lastShown   = 8   // calls
	unmadeTimes = 4   // as long as the program ran, is enough for a diagnosis with all of its runs
	leastTimes  = 2.5 // is what its first two take, at least
)

// unmadeSteps offer the runs that would have taken too long.
func (d *diagnosisReply) unmadeSteps() []responses.NextStep {
	r := d.r
	if r.Session == nil || !diagnose.Starts(r.Session.StartRequest()) {
		return nil
	}
	enough := d.unmadeTime()
	switch start := startFields(d.start); {
	case len(r.Unnoted) > 0:
		call := responses.NewCall("trace", append(start, "what", "calls", "functions", r.Unnoted, "limit", lastShown)...)
		return []responses.NextStep{call.Why("their calls, by a run that notes each of them")}
	case enough > 0:
		call := responses.NewCall("diagnose", append(start, "timeout_ms", enough.Milliseconds())...)
		return []responses.NextStep{call.Why("with the time to note its calls, too")}
	}
	return nil
}

// unmadeTime is the time that a diagnosis takes with the runs for which there was none; 0 where
// no call may take so long, or this one has had as much.
func (d *diagnosisReply) unmadeTime() time.Duration {
	enough := (unmadeTimes * d.r.Short).Round(time.Second)
	if enough <= d.given { // which was not: more than the program took it
		enough += d.given
	}
	enough = min(enough, tools.LongestWait)
	if d.r.Short == 0 || float64(enough) < leastTimes*float64(d.r.Short) || enough <= d.given {
		return 0
	}
	return enough
}

func (d *diagnosisReply) ordinarySteps() []responses.NextStep {
	r := d.r
	if r.Session == nil {
		return nil
	}
	if r.Verdict.IsDetected() {
		return d.lookAtAccesses()
	}
	culprit, blamed := r.Culprit.Get()
	_, name := judge.Callee(culprit.Expression)
	getter := r.Getter(culprit.Expression)
	switch starts := diagnose.Starts(r.Session.StartRequest()); {
	case !starts && r.Verdict.Hangs() && r.SessionOpen:
		return []responses.NextStep{d.threads()}
	case !starts: // there is no other run to ask
		return nil
	case blamed && getter == "" && r.Session.OnlyReads(culprit.Expression):
		place := placeIn(culprit.Expression, r.Parts)
		return []responses.NextStep{d.why(place).Why("where " + place + " came from")}
	case blamed && (getter != "" || r.Called(name)): // what a library brings along is not recorded, and nothing would come of the call
		name = cmp.Or(getter, name)
		call := responses.NewCall("trace", append(startFields(d.start), "what", "calls", "functions", []string{name})...)
		return []responses.NextStep{call.Why("all calls of " + name + ", with arguments and results")}
	case !blamed && r.Operand != "" && r.Session.OnlyReads(r.Operand):
		return []responses.NextStep{d.why(r.Operand).Why("where " + r.Operand + " came from")}
	case r.Verdict == judge.BusyLoop || r.Verdict == judge.Cut:
		return d.traceChanges()
	case r.Verdict.Hangs() && r.SessionOpen:
		return []responses.NextStep{d.threads()}
	}
	return nil
}

// placeIn is what of an expression is written to: len(rows) is not, rows is.
func placeIn(expression string, parts []judge.Part) string {
	if !strings.HasSuffix(expression, ")") {
		return expression
	}
	for _, p := range parts {
		if p.Text != expression && strings.Contains(expression, p.Text) {
			return p.Text
		}
	}
	return expression
}

func (d *diagnosisReply) threads() responses.NextStep {
	return d.h.show(d.r.Session).call("inspect", "target", "threads").Why("who waits for what")
}

// why asks where a value of the failed statement came from: in the session that stands
// there, else of a new run.
func (d *diagnosisReply) why(expression string) responses.Call {
	if d.r.SessionOpen {
		return d.h.show(d.r.Session).call("why", "expression", expression).With("frame", d.r.View.Frame.Index)
	}
	return responses.NewCall("why", append(startFields(d.start), "expression", expression, "location", d.at(d.r.Place))...)
}

// shownRounds of a loop are asked for.
const shownRounds = 20

// traceChanges asks for the values that change where a program does not end.
func (d *diagnosisReply) traceChanges() []responses.NextStep {
	var names []string
	for _, c := range d.r.Changed {
		names = append(names, c.Name)
	}
	at := d.at(d.r.Place)
	if len(names) == 0 || at == "" {
		return nil
	}
	call := responses.NewCall("trace", append(startFields(d.start), "what", "values", "location", at, "expressions", names, "limit", shownRounds)...)
	return []responses.NextStep{call.Why("how they go on from round to round")}
}

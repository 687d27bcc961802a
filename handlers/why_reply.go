package handlers

import (
	"fmt"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/origin"
	"aidb-mcp/investigate/origin/flow"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// whyReply is the reply to why. More asks for it again, in a larger reply.
func whyReply(p *tools.WhyParams, s *session.Session, r *origin.Result, more responses.Call) *responses.Envelope {
	data := &responses.Why{
		Value: r.Value().Text, Chain: []responses.Write{}, Writes: r.Writes,
		Seen: s.RelAt(r.Seen.At), How: r.Run.How, Differs: r.Differs, Notes: whyNotes(r), More: more,
	}
	env := &responses.Envelope{Success: true, Data: data}
	if !r.Placed {
		env.Summary = fmt.Sprintf("%s is %s at %s; it names no single place that is written to", p.Expression, data.Value, data.Seen)
		env.NextSteps = partQuestions(p, s.Parts(string(p.Expression)))
		return env
	}
	var stands []evidence.Observation
	for _, found := range r.Chain {
		step, _ := found.Get()
		data.Chain = append(data.Chain, writeRow(s, step))
		stands = append(stands, found.Stands()...)
	}
	if p.Verbose {
		data.Evidence = evidenceRows(stands, s.RelAt)
	}
	env.Summary = whySummary(p, data, r)
	env.NextSteps = nextQuestions(p, s, r.Chain)
	if base := holder(string(p.Expression)); len(data.Chain) == 0 && base != "" {
		env.NextSteps = []responses.NextStep{whyCall(p, base).Why("it holds it")}
	}
	return env
}

// whyNotes are what is to be known of the runs, and of what they could not show.
func whyNotes(r *origin.Result) []string {
	notes := r.Run.Warnings
	if r.Note != "" {
		notes = append(notes, r.Note)
	}
	notes = append(notes, recorded.Remarks(r.Run.Log)...)
	if !r.Placed {
		return notes
	}
	if n := r.Run.Log.Dropped; n > 0 {
		notes = append(notes, fmt.Sprintf("%d events of the run were not kept: writes counts those that were", n))
	}
	if r.Leaps {
		notes = append(notes, "each write stops the program: of very many only the first ones and the last ones are noted, and writes counts those")
	}
	if r.Run.Log.Torn {
		notes = append(notes, recorded.TornWords)
	}
	if r.Cut {
		notes = append(notes, "timeout_ms was over before the chain's end was known: each step takes a run")
	}
	if r.Lost != "" {
		notes = append(notes, "the chain may go on: "+r.Lost)
	}
	return notes
}

// How much of a value is shown in a step of a chain and of what it has read, in bytes;
// the value that was asked about is shown as far as it was noted.
const (
	longestStep    = 120
	longestOperand = 80
)

func writeRow(s *session.Session, step flow.Step) responses.Write {
	w := responses.Write{
		At: s.RelAt(step.At), Function: step.Function, Code: s.CodeAt(step.At), Kind: step.Kind,
		Was: responses.Shorten(step.Was.Text, longestStep), Value: responses.Shorten(step.Value.Text, longestStep), Thread: step.Thread, Hit: step.Hit,
	}
	switch {
	case step.Kind == flow.Assigned:
		w.Kind = ""
	case step.Kind == flow.Made && step.Value.Same != "":
		w.Value = "" // what an object holds is known of when it was seen, and not of when it was made
	}
	if step.Since != "" {
		w.Since = s.RelAt(step.Since)
	}
	for _, o := range step.Operands {
		w.Operands = append(w.Operands, responses.Operand{Name: o.Name, Value: responses.Shorten(o.Value.Shown(), longestOperand)})
	}
	w.Stack = callerRows(s, step.Stack)
	return w
}

// callerRows are those of a recorded event as a reply shows them.
func callerRows(s *session.Session, stack []string) (shown []string) {
	for _, caller := range stack {
		function, at := recording.Caller(caller)
		shown = append(shown, function+" "+s.RelAt(at))
	}
	return shown
}

func whySummary(p *tools.WhyParams, data *responses.Why, r *origin.Result) string {
	if len(data.Chain) == 0 {
		if data.Differs != "" {
			return fmt.Sprintf("who wrote %s cannot be told: %s", p.Expression, data.Differs)
		}
		if !r.Run.Log.IsWhole() {
			return fmt.Sprintf("no write to %s is among the last that were kept", p.Expression)
		}
		return fmt.Sprintf("%s is %s at %s and nothing that was noted wrote it", p.Expression, data.Value, data.Seen)
	}
	summary := fmt.Sprintf("%s is %s at %s: %s", p.Expression, responses.Shorten(data.Value, longestOperand), data.Seen, stepText(data.Chain[0]))
	if r.Deeper {
		return summary + "; what it holds has been changed since, by something that was not followed (ask about its parts)"
	}
	return summary
}

// stepText is what a step has done, in words.
func stepText(w responses.Write) string {
	at := fmt.Sprintf("at %s in %s", responses.Theirs(w.At), responses.Theirs(w.Function))
	switch w.Kind {
	case flow.Passed:
		return "passed " + at
	case flow.Changed:
		return "changed by a call " + at
	case flow.Inside:
		return "last changed inside " + at + " (parts of its parts aside)"
	case flow.Unseen:
		if w.Since != "" {
			return fmt.Sprintf("found changed %s, by something after %s that is not seen", at, responses.Theirs(w.Since))
		}
		return "found changed " + at + ", by something before it that is not seen"
	case flow.Held:
		return "already held " + at + ", and no write to it was noted"
	case flow.Made:
		return "made " + at + ", and no write to it was noted since"
	}
	return "written " + at
}

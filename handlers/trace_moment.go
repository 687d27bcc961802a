package handlers

import (
	"fmt"
	"slices"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// firstReply is the reply to trace(first). More asks for it again, in a larger reply.
func firstReply(p *tools.TraceParams, r *trace.Result, subject *session.Session, more responses.Call) *responses.Envelope {
	asked := tools.UntilFirst{Condition: p.Condition, Scope: p.Scope}
	env, data := momentReply(asked, r, subject)
	data.More = more
	if len(r.Moments) == 0 {
		return env
	}
	if p.Verbose {
		data.Evidence = evidenceRows(r.Moments[0].Stands(), subject.RelAt)
	}
	if m, _ := r.Moments[0].Get(); m.Seen != "" && !trace.ForEach(string(p.Condition)) {
		stand := responses.NewCall("session_start", append(startFields(&p.Start), "until_first", asked)...)
		env.NextSteps = []responses.NextStep{stand.Why("stand there, with the whole stack and every value")}
	}
	return env
}

// momentReply says when the condition that was asked for came to hold; data is in it.
func momentReply(asked tools.UntilFirst, r *trace.Result, subject *session.Session) (env *responses.Envelope, data *responses.Trace) {
	judged := r.Run.Log.Judged
	data = tableReply(r.Table, r.Run)
	data.Notes = append(data.Notes, r.Effects...)
	data.Judged, data.Failed = &judged.Times, judged.Failed
	env = &responses.Envelope{Success: true, Data: data, Summary: noMomentText(asked, r)}
	if len(r.Moments) == 0 {
		return env, data
	}
	if data.Hits == 1 {
		data.Columns, data.Rows = []string{}, [][]string{}
	}
	m, _ := r.Moments[0].Get()
	data.Moment = momentRow(m, subject)
	env.Summary = momentText(asked, r, m, data.Moment)
	return env, data
}

// momentText says when the condition came to hold.
func momentText(asked tools.UntilFirst, r *trace.Result, m trace.Moment, shown *responses.Moment) string {
	how, at := "first holds after", shown.At
	switch {
	case m.Begun:
		how = "holds already as a call begins, at"
	case shown.Seen != "" && slices.ContainsFunc(asked.Scope, isPlace): // nobody looked in between
		how, at = "is first seen to hold in front of", shown.Seen
	}
	if at += " in " + m.Function; m.Child > 0 {
		at += ", in " + m.Thread
	}
	if m.Instance > 0 {
		at += fmt.Sprintf(", for instance %d, with %d that were there", m.Instance, m.Among)
	}
	text := fmt.Sprintf("%s %s %s, at judgement %d of a run of %s", asked.Condition, how, at, m.Judged, r.Run.Target)
	if n := len(r.Moments); n > 1 {
		text += fmt.Sprintf(", and came to hold %d times in all that was judged", n)
	}
	if r.Places > 1 {
		text += fmt.Sprintf(", in %d threads or processes: in which of them first is not known", r.Places)
	}
	return text
}

func isPlace(scope string) bool {
	_, line := recording.FileLine(scope)
	return line > 0
}

// noMomentText says that no moment was seen, and what that rests on.
func noMomentText(asked tools.UntilFirst, r *trace.Result) string {
	judged := r.Run.Log.Judged
	each := trace.ForEach(string(asked.Condition))
	switch {
	case each && judged.Instances == 0 && r.Unseen == "":
		return fmt.Sprintf("%s was never judged in a run of %s: no instance was seen to be built", asked.Condition, r.Run.Target)
	case judged.Times == 0 && r.Unseen != "":
		return fmt.Sprintf("%s was not judged in what was seen of a run of %s: %s", asked.Condition, r.Run.Target, r.Unseen)
	case judged.Times == 0:
		return fmt.Sprintf("%s was never judged in a run of %s: no function of the scope ran in which it has a value", asked.Condition, r.Run.Target)
	}
	text := fmt.Sprintf("%s held at none of %d judgements in a run of %s", asked.Condition, judged.Times, r.Run.Target)
	if each {
		text += fmt.Sprintf(", for none of %d instances", judged.Instances)
	}
	if judged.Failed > 0 {
		text += fmt.Sprintf(", and had no value at %d of them", judged.Failed)
	}
	if !judged.Whole && r.Unseen == "" {
		return text + "; there were more, which were not counted"
	}
	return withEnding(text, r.Unseen)
}

func momentRow(m trace.Moment, subject *session.Session) *responses.Moment {
	shown := &responses.Moment{
		At: subject.RelAt(m.At), Function: m.Function, Thread: m.Thread, Code: subject.CodeAt(m.At), Event: m.Event, Instance: m.Instance, Among: m.Among,
		Before: partRows(m.Before), After: partRows(m.After), Values: partRows(m.Values),
		Stack: callerRows(subject, m.Stack),
	}
	if m.Seen != "" {
		shown.Seen = subject.RelAt(m.Seen)
	}
	return shown
}

func partRows(all []trace.Named) []responses.PartValue {
	var parts []responses.PartValue
	for _, n := range all {
		parts = append(parts, responses.PartValue{Expression: n.Expression, Value: n.Value})
	}
	return parts
}

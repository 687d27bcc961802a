package handlers

import (
	"fmt"
	"strings"

	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// partedReply is the reply to trace(first) with against: the first moment at which an
// expression has another value in the second run. More asks for it again, in a larger reply.
func partedReply(p *tools.TraceParams, r *trace.Result, more responses.Call) *responses.Envelope {
	pair := r.Against
	data := tableReply(r.Table, r.Run)
	data.More = more
	data.Columns, data.Rows, data.Dropped, data.Gap = []string{}, [][]string{}, 0, 0
	first, second := r.Run.Log.Judged.Times, pair.Second.Log.Judged.Times
	data.Judged, data.JudgedSecond = &first, &second
	data.Notes = append(data.Notes, notesOfSecond(pair.Second, r.Run)...)
	for _, gap := range pair.Gaps {
		data.Notes = append(data.Notes, "not compared: "+gap)
	}
	for _, e := range pair.Endings {
		data.Endings = append(data.Endings, endingReply(e))
	}
	if p.Verbose {
		data.Evidence = evidenceRows(append(pair.Parts.Stands(), pair.Same.Stands()...), func(at string) string { return at })
	}
	data.Moment, data.Second = sideReply(pair.Sides[0]), sideReply(pair.Sides[1])
	switch data.Same = responses.NotInFull; {
	case pair.Differs:
		data.Same = responses.NotSame
	case pair.Same.Is():
		data.Same = responses.Same
	}
	return &responses.Envelope{Success: true, Data: data, Summary: partedSummary(p, r)}
}

func sideReply(s *trace.Side) *responses.Moment {
	if s == nil {
		return nil
	}
	return &responses.Moment{
		At: s.At, Function: s.Function, Thread: s.Thread, Code: s.Code, Event: s.Event, Judged: s.Judged, Seen: s.Seen,
		Before: partRows(s.Before), After: partRows(s.After), Values: partRows(s.Values), Stack: s.Stack,
	}
}

func partedSummary(p *tools.TraceParams, r *trace.Result) string {
	pair := r.Against
	endings := fmt.Sprintf("the first: %s; the second: %s", pair.Endings[0], pair.Endings[1])
	looked := judgements(r)
	switch d, parts := pair.Parts.Get(); {
	case parts:
		alike := "that are the same"
		if len(pair.Gaps) > 0 {
			alike = "that look the same, and were not compared in full"
		}
		what := "first differs"
		if a, b := pair.Sides[0], pair.Sides[1]; a != nil && b != nil && a.After[0].Value == b.After[0].Value {
			if what = "first differs, in what is not shown of it,"; pair.Counted && a.Judged != b.Judged {
				what = "first changes at another judgement,"
			}
		}
		return fmt.Sprintf("%s %s at its value %d, after %d %s: %s, %s; %s",
			p.Condition, what, d.Row+1, d.Row, alike, sideSaid("in the first run", pair.Sides[0]), sideSaid("in the second", pair.Sides[1]), endings)
	case pair.Same.Is():
		return fmt.Sprintf("both runs agree on %s %s, in which it took %d values in turn, and end alike: %s", p.Condition, looked, r.Table.Hits, pair.Endings[0])
	case pair.Compared == 0 && len(pair.Gaps) > 0:
		return fmt.Sprintf("nothing could be compared of %s: %s; %s", p.Condition, strings.Join(pair.Gaps, "; "), endings)
	case pair.Differs && pair.Endings[0].Alike(pair.Endings[1]):
		return fmt.Sprintf("%s is the same until one of the runs ends, which has fewer of its values, %s: %s", p.Condition, looked, endings)
	case pair.Differs:
		return fmt.Sprintf("the runs end differently, and the values of %s look the same, %d in turn %s: %s", p.Condition, pair.Compared, looked, endings)
	}
	return fmt.Sprintf("no difference was seen in %d values that %s took in turn, and not all of the runs was compared: %s", pair.Compared, p.Condition, strings.Join(pair.Gaps, "; "))
}

// judgements says how often was looked in both runs.
func judgements(r *trace.Result) string {
	first, second := r.Run.Log.Judged.Times, r.Against.Second.Log.Judged.Times
	if first == second {
		return fmt.Sprintf("in all %d judgements", first)
	}
	return fmt.Sprintf("in all %d judgements of the first and %d of the second", first, second)
}

// sideSaid says what one of the runs has where they part.
func sideSaid(where string, s *trace.Side) string {
	if s == nil {
		return where + " it stays as it was until the end"
	}
	how := "after"
	if s.Begun {
		how = "as a call begins, at"
	}
	return fmt.Sprintf("%s %s %s %s in %s, at judgement %d", where, s.After[0].Value, how, s.At, s.Function, s.Judged)
}

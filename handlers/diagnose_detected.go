package handlers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// accesses are those of the fault that a detector has reported.
func (d *diagnosisReply) accesses() (list []responses.FaultAccess) {
	for _, a := range d.r.Accesses {
		list = append(list, responses.FaultAccess{
			Kind: a.Kind, At: d.at(a.Place), Function: a.Function, Thread: a.Thread, Value: a.Value,
			Code: responses.Shorten(a.Code, longestRow), Within: a.Within, MadeAt: d.at(a.Made),
		})
	}
	return list
}

func (d *diagnosisReply) detector() *responses.Detector {
	w := d.r.Detector
	if w == nil {
		return nil
	}
	return &responses.Detector{By: w.By, NotSeen: w.Blind, Notes: w.Notes, Also: w.Also, Unread: w.Unread}
}

// plainOutput is what a program has printed that no session has.
func plainOutput(o session.Output) *responses.Output {
	out := &responses.Output{Stdout: stream(o.Stdout), Stderr: stream(o.Stderr)}
	if out.Empty() {
		return nil
	}
	return out
}

// faultNames are the faults of the checks, one of each.
var faultNames = map[adapters.Check]string{adapters.Races: "race", adapters.Memory: "memory fault", adapters.Undefined: "undefined behavior"}

// detectedOutcome is what a detector has said, in place of the outcome or after it; empty where
// none has looked.
func (d *diagnosisReply) detectedOutcome(outcome string) string {
	r, w := d.r, d.r.Detector
	switch {
	case w == nil:
		return ""
	case len(r.Accesses) > 0 || r.Verdict.IsDetected():
		said := r.Message
		var words []string
		for i, a := range d.accesses() {
			if i < 2 && a.At != "" {
				words = append(words, a.Words())
			}
		}
		if len(words) > 0 {
			said += ": " + strings.Join(words, ", ")
		}
		if r.Runs.Made > 1 {
			said = fmt.Sprintf("run %d, %d before it had none: %s", r.Runs.Made, r.Runs.Made-1, said)
		}
		if n := len(w.Also) + w.Unread; n > 0 {
			said += fmt.Sprintf("; and %d more", n)
		}
		return said
	case r.Verdict == judge.OK && w.Looked > 1:
		return fmt.Sprintf("no %s in %d runs, by %s: they ran to their end", faultNames[w.Check], w.Looked, w.By)
	case r.Verdict == judge.OK:
		return fmt.Sprintf("no %s in this run, by %s: it ran to its end", faultNames[w.Check], w.By)
	case r.Verdict == judge.NoTestRan:
		return outcome
	}
	where := "in that run"
	if w.Again {
		where = "in a run before this one"
	}
	return fmt.Sprintf("%s; no %s was reported %s, by %s", outcome, faultNames[w.Check], where, w.By)
}

// point is a breakpoint in a call that is suggested.
type point struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// lookAtAccesses starts a session that stops where a fault happened: the detector's run had no
// debugger, and nothing of it stands.
func (d *diagnosisReply) lookAtAccesses() []responses.NextStep {
	var points []point
	for _, a := range d.r.Accesses {
		at := point{d.at(diagnose.Place{File: a.File}), a.Line}
		if a.Code != "" && !slices.Contains(points, at) {
			points = append(points, at)
		}
	}
	if len(points) == 0 || !d.start.Given() || d.r.SessionOpen {
		return nil
	}
	call := responses.NewCall("session_start", append(flatStart(d.start), "breakpoints", points)...)
	return []responses.NextStep{call.Why("to see the values there: the detector's run had no debugger, and no session is kept")}
}

// flatStart are the fields of a start as session_start takes them.
func flatStart(p *tools.Start) []any {
	plain := *p
	plain.More = nil
	fields := startFields(&plain)
	var more map[string]json.RawMessage
	if json.Unmarshal(p.More, &more) != nil {
		return fields
	}
	delete(more, "breakpoints")
	for _, name := range slices.Sorted(maps.Keys(more)) {
		fields = append(fields, name, more[name])
	}
	return fields
}

// detectorStep runs the program once more under the detector of a fault that may stand behind the
// failure; false where none is suspected, or one has looked already.
func (d *diagnosisReply) detectorStep() (step responses.NextStep, suspected bool) {
	r := d.r
	if r.Session == nil || r.Report != "" || !diagnose.Starts(r.Session.StartRequest()) || !d.start.Given() && !r.SessionOpen {
		return step, false
	}
	words := strings.Join([]string{r.Message, r.Signal, r.Output.Stderr.Text}, "\n")
	c, blamed := r.Culprit.Get()
	for _, s := range r.Session.Failures().Suspects {
		if !s.Words.MatchString(words) || r.Detector != nil && r.Detector.Check == s.Check || s.Unexplained && (blamed && c.Value != "" || r.Overflow) {
			continue
		}
		call := responses.NewCall("diagnose", startFields(d.start)...)
		if !d.start.Given() {
			call = call.With("session_id", r.Session.ID())
		}
		return call.With("check", string(s.Check)).Why("run under a detector, which reports the " + faultNames[s.Check] + " where it happens"), true
	}
	return step, false
}

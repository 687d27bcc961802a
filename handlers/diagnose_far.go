package handlers

import (
	"encoding/json"
	"fmt"
	"slices"

	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
)

// farDiagnosis is the reply about a failure that fell on another machine only.
func (h *Handlers) farDiagnosis(r *diagnose.Result, far *farRuns) *responses.Envelope {
	data := far.failure.data()
	data.Runs = &responses.Runs{Made: r.Runs.Made, Failed: r.Runs.Failed, How: far.howText()}
	data.FailsAs, data.Verdict = data.Verdict, string(judge.Flaky)
	return &responses.Envelope{Success: true, Data: data, Summary: fmt.Sprintf("%d of %d runs failed, on the machine %s, and none of %d here (no session stands): %s",
		r.Runs.Failed, r.Runs.Made, far.at, far.Here.Made, far.failure.Summary)}
}

// farFailure is a failure as it travels: what a diagnosis says of it.
type farFailure struct {
	Summary  string                `json:"summary"`
	Seed     uint16                `json:"seed,omitempty"`
	Verdict  string                `json:"verdict"`
	Message  string                `json:"message,omitempty"`
	Causes   []string              `json:"causes,omitempty"`
	ExitCode *int                  `json:"exit_code,omitempty"`
	Signal   string                `json:"signal,omitempty"`
	Location string                `json:"location,omitempty"`
	Function string                `json:"function,omitempty"`
	Lines    []string              `json:"lines,omitempty"` // of the source, around the place
	First    int                   `json:"first,omitempty"`
	Current  int                   `json:"current,omitempty"`
	Column   int                   `json:"column,omitempty"`
	Culprit  *responses.Culprit    `json:"culprit,omitempty"`
	Parts    []responses.PartValue `json:"parts,omitempty"`
	Expected string                `json:"expected,omitempty"`
	Actual   string                `json:"actual,omitempty"`
	Left     string                `json:"left,omitempty"`
	Right    string                `json:"right,omitempty"`
	Frames   []farFrame            `json:"frames,omitempty"`
	Samples  [][]string            `json:"samples,omitempty"`
	Cycles   []string              `json:"cycles,omitempty"`
	Report   string                `json:"report,omitempty"`
	Calls    *responses.CallRows   `json:"calls,omitempty"`
	Stdout   string                `json:"stdout,omitempty"`
	Stderr   string                `json:"stderr,omitempty"`
	Leftover []responses.Left      `json:"leftover,omitempty"`
	Warnings []string              `json:"warnings,omitempty"`
}

type farFrame struct {
	responses.UserFrame
	With []responses.Member `json:"with,omitempty"` // its arguments
}

// mostFarText is how much of a text travels.
const mostFarText = 4000

// farFailureOf is the failure of a run here. Values are what they are here, paths among them; places are
// below the workspace, and so the same for who has asked.
func (h *Handlers) farFailureOf(r *diagnose.Result) *farFailure {
	d := &diagnosisReply{h: h, r: r}
	data := d.data()
	f := &farFailure{
		Seed: r.Seed, Verdict: string(r.Verdict), Message: data.Message, Causes: data.Causes, ExitCode: data.ExitCode, Signal: data.Signal,
		Location: data.Location, Function: data.Function, Culprit: data.Culprit, Parts: data.Parts, Expected: data.Expected, Actual: data.Actual,
		Left: data.Left, Right: data.Right, Samples: data.Samples, Cycles: data.Cycles, Report: data.Report, Calls: data.Calls, Leftover: data.Leftover, Warnings: data.Warnings,
	}
	r.Runs.Made = 1 // of those before it, who has asked tells
	f.Summary = d.summary()
	if s := data.Snapshot; s != nil {
		f.Lines, f.First, f.Current, f.Column = s.Lines, s.First, s.Current, s.Column
	}
	for _, frame := range data.Frames {
		far := farFrame{UserFrame: frame, With: frame.Arguments}
		far.Arguments = nil
		f.Frames = append(f.Frames, far)
	}
	if o := data.Output; o != nil {
		f.Stdout, f.Stderr = lastText(o.Stdout.Text), lastText(o.Stderr.Text)
	}
	return f.masked(h)
}

func lastText(text string) string { return text[max(0, len(text)-mostFarText):] }

// masked is the failure without secrets of this machine.
func (f *farFailure) masked(h *Handlers) *farFailure {
	text, err := json.Marshal(f)
	if err != nil {
		return &farFailure{Verdict: f.Verdict}
	}
	hidden := &farFailure{}
	if err := json.Unmarshal(h.Mask.JSON(text), hidden); err != nil {
		return &farFailure{Verdict: f.Verdict}
	}
	return hidden
}

// data is the failure in the reply's words.
func (f *farFailure) data() *responses.Diagnosis {
	out := &responses.Diagnosis{
		Verdict: f.Verdict, Message: f.Message, Causes: f.Causes, ExitCode: f.ExitCode, Signal: f.Signal, Location: f.Location, Function: f.Function,
		Culprit: f.Culprit, Parts: f.Parts, Expected: f.Expected, Actual: f.Actual, Left: f.Left, Right: f.Right, Samples: f.Samples, Cycles: f.Cycles,
		Report: f.Report, Calls: f.Calls, Leftover: f.Leftover, Warnings: slices.Clone(f.Warnings),
	}
	if len(f.Lines) > 0 {
		out.Snapshot = &responses.Snapshot{First: f.First, Current: f.Current, Column: f.Column, Lines: f.Lines}
	}
	for _, frame := range f.Frames {
		shown := frame.UserFrame
		shown.Arguments = frame.With
		out.Frames = append(out.Frames, shown)
	}
	if f.Stdout != "" || f.Stderr != "" {
		out.Output = &responses.Output{Stdout: responses.Stream{Text: f.Stdout}, Stderr: responses.Stream{Text: f.Stderr}}
	}
	return out
}

package handlers

import (
	"encoding/json"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/repeated"
	"aidb-mcp/responses"
)

// farDiagnosis is the reply about a failure that fell on another machine only.
func farDiagnosis(r *diagnose.Result, far *farRuns) (*responses.Envelope, error) {
	var failure farFailure
	if err := json.Unmarshal(far.Failure.Details, &failure); err != nil {
		return nil, fault.New(fault.Internal, "reading what the machine %s tells of a failure: %w", far.At, err)
	}
	data := failure.data()
	data.Runs = &responses.Runs{Made: r.Runs.Made, Failed: r.Runs.Failed, How: far.howText()}
	data.FailsAs, data.Verdict = data.Verdict, string(judge.Flaky)
	return &responses.Envelope{Success: true, Data: data, Summary: fmt.Sprintf("%d of %d runs failed, on the machine %s, and none of %d here (no session stands): %s",
		r.Runs.Failed, r.Runs.Made, far.At, far.Here.Made, far.Failure.Brief)}, nil
}

// farFailure is a diagnosis as it travels: what replies write in a way that cannot be read back lies
// beside it.
type farFailure struct {
	Diagnosis responses.Diagnosis  `json:"diagnosis"`
	Code      *plainSnapshot       `json:"code,omitempty"`
	Arguments [][]responses.Member `json:"arguments,omitempty"` // of each frame
	Stdout    string               `json:"stdout,omitempty"`
	Stderr    string               `json:"stderr,omitempty"`
}

// plainSnapshot is a snapshot with its lines apart.
type plainSnapshot responses.Snapshot

// mostFarText is how much of a text travels.
const mostFarText = 4000

// teller tells another machine of runs here.
type teller struct{ h *Handlers }

func (t teller) Outcome(r *diagnose.Result) string {
	return (&diagnosisReply{h: t.h, r: r}).outcome()
}

// Failure is that of a run here. Values are what they are here, paths among them; places are below the
// workspace, and so the same for who has asked.
func (t teller) Failure(r *diagnose.Result) *repeated.Failure {
	d := &diagnosisReply{h: t.h, r: r}
	data := d.data()
	is := farFailure{Diagnosis: *data, Code: (*plainSnapshot)(data.Snapshot)}
	r.Runs.Made = 1 // of those before it, who has asked tells
	brief := d.summary()
	is.Diagnosis.Snapshot, is.Diagnosis.Output, is.Diagnosis.Frames = nil, nil, nil
	is.Diagnosis.Locals, is.Diagnosis.Waits, is.Diagnosis.Changed = nil, nil, nil // a session would show them
	for _, frame := range data.Frames {
		is.Arguments = append(is.Arguments, frame.Arguments)
		frame.Arguments = nil
		is.Diagnosis.Frames = append(is.Diagnosis.Frames, frame)
	}
	if o := data.Output; o != nil {
		is.Stdout, is.Stderr = lastText(o.Stdout.Text), lastText(o.Stderr.Text)
	}
	text, err := json.Marshal(is)
	if err != nil {
		text = []byte("{}") // a bug: it holds plain values only
	}
	return &repeated.Failure{Seed: r.Seed, Brief: t.h.Mask.Text(brief), Details: t.h.Mask.JSON(text)}
}

func lastText(text string) string { return text[max(0, len(text)-mostFarText):] }

// data is the diagnosis as the reply has it.
func (f *farFailure) data() *responses.Diagnosis {
	out := f.Diagnosis
	out.Snapshot = (*responses.Snapshot)(f.Code)
	for i := range min(len(out.Frames), len(f.Arguments)) {
		out.Frames[i].Arguments = f.Arguments[i]
	}
	if f.Stdout != "" || f.Stderr != "" {
		out.Output = &responses.Output{Stdout: responses.Stream{Text: f.Stdout}, Stderr: responses.Stream{Text: f.Stderr}}
	}
	return &out
}

package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// diagnose runs the program in a session of its own until it fails, and answers with
// what went wrong. The session that it was asked in has no part in it.
func (h *Handlers) diagnose() Tool[*tools.DiagnoseParams] {
	return Tool[*tools.DiagnoseParams]{
		Definition: tools.Diagnose(),
		Actions: Actions[*tools.DiagnoseParams]{
			"": {Rule: ownRun, Handle: orPart(h, h.runsPart, h.findFailure)},
		},
	}
}

func (h *Handlers) findFailure(ctx context.Context, c *Call, p *tools.DiagnoseParams) (*responses.Envelope, error) {
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	c.What = "diagnose"
	host := h.diagnosisHost(c)
	r, far, err := h.findFailureOn(ctx, c, host, diagnose.Question{
		Request: subject.StartRequest(), Over: time.Now().Add(p.Timeout()),
		Repeat: p.Repeat, Keep: p.Keep == nil || *p.Keep, Calls: true, Leftover: true, Strict: p.Strict,
		Check: adapters.Check(p.Check),
	})
	if err != nil {
		return nil, err
	}
	if far != nil && far.Found != nil && far.Failure != nil {
		return farDiagnosis(r, far)
	}
	d := &diagnosisReply{h: h, r: r, far: far, start: &p.Start, given: p.Timeout()}
	data := d.data()
	if p.Verbose {
		data.Evidence = d.evidence()
	}
	if p.Repeat > 1 && !r.Unrun {
		data.Runs = &responses.Runs{Made: r.Runs.Made, Failed: r.Runs.Failed, How: far.howText()}
	}
	env := &responses.Envelope{Success: true, Summary: d.summary(), Data: data, NextSteps: d.nextSteps()}
	if r.Verdict != judge.OK {
		h.recall(ctx, subject.StartRequest(), r, data, env.Summary)
	}
	if p.Explain && r.Verdict != judge.OK {
		if err := h.opinion(ctx, c, data, env.Summary); err != nil { // or the client is to be asked first
			host.End(ctx, r)
			return nil, err
		}
	}
	if r.SessionOpen {
		env.SessionID, c.shownEpoch = r.Session.ID(), r.View.Epoch
	}
	return env, nil
}

// diagnosisHost is a call as the host of a diagnosis.
func (h *Handlers) diagnosisHost(c *Call) diagnose.Host {
	return diagnose.Host{
		Sessions: h.Sessions, Workspace: h.Workspace, Log: h.Log, Adopt: c.Adopt, Abandon: c.Abandon,
		Started:  func(s *session.Session) { c.What = strings.TrimSpace("diagnose " + s.Target()) },
		Progress: func(doing string) { c.tell(doing, 0, 0) },
	}
}

// opinion adds what the client's own model makes of the diagnosis. Without a model there
// is a diagnosis all the same.
func (h *Handlers) opinion(ctx context.Context, c *Call, data *responses.Diagnosis, summary string) error {
	card, err := json.Marshal(data)
	if err != nil {
		return fault.New(fault.Internal, "%w", err)
	}
	said, err := askModel(ctx, c, "explain "+data.Verdict, summary+"\n"+string(card))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var f *fault.Error
	if errors.As(err, &f) {
		data.Warnings = append(data.Warnings, f.Message)
		return nil
	}
	data.Opinion = said
	return err
}

package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/diagnosis"
	"aidb-mcp/tools"
)

// diagnose runs the program in a session of its own until it fails, and answers with
// what went wrong. The session that it was asked in has no part in it.
func (h *Handlers) diagnose(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.DiagnoseParams)
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	c.What = "diagnose"
	x := examination{h: h, c: c, start: &p.Start, request: examined(subject.Again()), over: time.Now().Add(p.Timeout()), before: h.Sessions.Current()}
	for x.runs.Made < max(p.Repeat, 1) {
		if err := x.run(ctx); err != nil {
			x.end(ctx)
			return nil, err
		}
		if x.verdict != diagnosis.OK || !time.Now().Before(x.over) {
			break
		}
	}
	return x.answer(ctx, p)
}

// examined is a start as diagnose makes it: nothing but a failure stops it.
func examined(r session.StartRequest) session.StartRequest {
	r.ID, r.Break, r.Show, r.Exceptions = "", nil, nil, nil
	r.Program.StopOnEntry = false
	r.StdinOpen = r.StdinOpen || r.Stdin == nil && r.Program.Mode != adapters.Test && starts(r) // to see that it is wanted
	return r
}

// starts says that the program is started, and could be once more.
func starts(r session.StartRequest) bool {
	return !r.Program.Attaches() && r.Program.CoreFile == ""
}

// examination is one diagnosis under way.
type examination struct {
	h       *Handlers
	c       *Call
	start   *tools.Start // as it was asked for
	request session.StartRequest
	over    time.Time
	begun   time.Time // of the last run
	at      *tools.At // what is done to the running program, and where; nil: nothing
	hits    int       // of that place

	runs    responses.Runs
	s       *session.Session // of the last run; nil where it did not start
	v       *session.View    // where that has come to
	verdict diagnosis.Verdict
	seen    []diagnosis.Sample // of a program that does not end
	stop    diagnosis.Stop     // of one that a failure has stopped
	parts   []diagnosis.Part   // of its statement
	called  map[string]bool    // the functions that a recorded run was seen to call, by their last names
	before  *session.Session   // the current one, when it was asked
	data    responses.Diagnosis
}

// Of the time that there is, what is kept for watchTime a program that does not end.
const (
	watchTime   = 3 * time.Second
	shortestRun = time.Second
)

// run makes one run and judges it. What does not build is a verdict too; what cannot
// be started is an error.
func (x *examination) run(ctx context.Context) error {
	x.end(ctx)
	s, err := x.h.Sessions.Open(x.request)
	if err != nil {
		return err
	}
	if err := x.c.Adopt(ctx, s); err != nil {
		return err
	}
	x.s, x.data, x.seen, x.verdict, x.begun = s, responses.Diagnosis{}, nil, "", time.Now()
	x.stop, x.parts = diagnosis.Stop{}, nil
	x.runs.Made++
	st, err := x.await(ctx)
	x.c.What = strings.TrimSpace("diagnose " + s.Target())
	if err == nil && st.Status == session.Starting {
		st, err = s.WaitFirst(ctx, time.Until(x.over))
	}
	if err != nil {
		return x.unstarted(err)
	}
	if st.Status == session.Starting {
		return fault.New(fault.SessionStart, "the time was over before the program ran: it is still %s", cmp.Or(st.Doing, "starting")).
			WithField("timeout_ms").WithHint("raise timeout_ms: what was built until now is kept, so the next call is faster")
	}
	if x.at != nil {
		if st, err = x.intervene(ctx, st); err != nil {
			return err
		}
	}
	if running(st.Status) && !x.verdict.Hangs() && !s.AwaitsInput() {
		if err := x.watch(ctx); err != nil {
			return err
		}
	}
	if x.v, err = s.View(ctx); err != nil {
		return err
	}
	return x.judge(ctx)
}

// unstarted judges a start that failed.
func (x *examination) unstarted(err error) error {
	x.c.Abandon()
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	switch {
	case f.Code == fault.BuildFailed:
		x.verdict = diagnosis.BuildFailed
		x.unbuilt(f)
	case f.Code == fault.InvalidParam && f.Field == "test" && strings.HasPrefix(f.Message, "there is no test"):
		x.verdict = diagnosis.NoTestRan
		x.data.Message = f.Message
		if f.Hint != "" {
			x.data.Message += "; " + f.Hint
		}
	default:
		return err
	}
	x.s, x.v = nil, nil
	return nil
}

// unbuilt shows why a program cannot be built, and where.
func (x *examination) unbuilt(f *fault.Error) {
	d := &x.data
	d.Message, d.Errors = f.Message, f.Details
	var told struct {
		Errors []responses.BuildError `json:"errors"`
	}
	text, err := json.Marshal(f.Details)
	if err != nil || json.Unmarshal(text, &told) != nil || len(told.Errors) == 0 {
		return
	}
	first := told.Errors[0]
	d.Message, d.Location, d.Errors = first.Message, at(first.File, first.Line), nil
	others := slices.DeleteFunc(told.Errors[1:], func(e responses.BuildError) bool { return e.Message == first.Message })
	if len(others) > 0 {
		d.Errors = others[:min(len(others), mostErrors-1)]
	}
	x.snapshotAt(at(filepath.Join(x.h.Workspace, first.File), first.Line))
}

// mostErrors are shown of a build.
const mostErrors = 6

// judge is the verdict on where the run has come to, with what shows it.
func (x *examination) judge(ctx context.Context) error {
	if !x.verdict.Hangs() || !running(x.v.State.Status) && x.v.State.Status != session.Paused {
		x.verdict = ""
	}
	st := x.v.State
	switch {
	case st.Status == session.StoppedException:
		return x.stopped(ctx)
	case st.Status == session.Terminated:
		x.ended()
		return nil
	case x.v.AwaitsInput:
		x.verdict = diagnosis.Input
		return x.asks(ctx)
	case x.verdict == "":
		return fault.New(fault.Internal, "the program is %s, which no verdict is known for", st.Status)
	}
	return x.hanging(ctx)
}

// ended judges a program that has ended by itself.
func (x *examination) ended() {
	st := x.v.State
	x.verdict = diagnosis.End{ExitCode: st.ExitCode, Signal: st.Signal, NoTestRan: x.v.NoTestRan, TestFailed: x.v.TestFailed}.Verdict()
	x.data.ExitCode, x.data.Signal, x.data.Message = st.ExitCode, st.Signal, x.v.TestFailed
	switch x.verdict {
	case diagnosis.ExitCode:
		x.printedFailure()
	case diagnosis.Signal:
		x.data.Message = diagnosis.Fatal(x.v.Output.Stderr.Text)
	}
	if x.v.NoTestRan && len(x.v.NearTests) > 0 {
		x.data.Message = "did you mean " + strings.Join(x.v.NearTests, " or ") + "?"
	}
}

// end ends the session of a run, where there is one.
func (x *examination) end(ctx context.Context) {
	if x.s == nil {
		return
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortestRun+watchTime)
	defer cancel()
	if err := x.h.Sessions.Remove(ending, x.s.ID()); err != nil {
		x.h.Log.Debug("end the session of a diagnosis", "error", err)
	}
	if x.before != nil {
		if _, err := x.h.Sessions.Switch(x.before.ID()); err != nil {
			x.h.Log.Debug("go back to the session before a diagnosis", "error", err)
		}
	}
	x.c.Abandon()
	x.s, x.v = nil, nil
}

// answer is the diagnosis of the last run.
func (x *examination) answer(ctx context.Context, p *tools.DiagnoseParams) (*responses.Envelope, error) {
	d := &x.data
	if x.verdict != diagnosis.OK {
		x.runs.Failed = 1
	}
	d.Verdict = string(x.verdict)
	if x.runs.Made > 1 && x.runs.Failed > 0 {
		d.Verdict, d.FailsAs = string(diagnosis.Flaky), d.Verdict
	}
	if p.Repeat > 1 {
		d.Runs = &x.runs
	}
	env := &responses.Envelope{Success: true, Data: d}
	if x.s != nil {
		x.printed()
		if err := x.calls(ctx); err != nil {
			x.end(ctx)
			return nil, err
		}
	}
	env.Summary = x.summary()
	if x.verdict != diagnosis.OK {
		x.recall(ctx, env.Summary)
	}
	if p.Explain && x.verdict != diagnosis.OK {
		if err := x.opinion(ctx, env.Summary); err != nil { // or the client is to be asked first
			x.end(ctx)
			return nil, err
		}
	}
	keep := x.s != nil && x.verdict != diagnosis.OK && (p.Keep == nil || *p.Keep)
	env.NextSteps = x.nextSteps(keep)
	if !keep {
		x.end(ctx)
	} else {
		env.SessionID = x.s.ID()
		x.c.told = x.v.Epoch
	}
	return env, nil
}

// printedFailure reads the exception that the program has printed at its end, where the
// debugger did not stop at it.
func (x *examination) printedFailure() {
	d := &x.data
	p := diagnosis.PrintedIn(x.v.Output.Stderr.Text)
	if p.Message == "" {
		return
	}
	x.verdict, d.Message = diagnosis.Exception, p.Message
	if diagnosis.Unreadable(d.Message) {
		x.verdict = diagnosis.BuildFailed
	}
	x.v.Output.Stderr.Text = p.Before
	x.frames(p.Frames)
	if len(d.Frames) == 0 {
		return
	}
	d.Location, d.Function = d.Frames[0].At, d.Frames[0].Function
	for _, place := range p.Frames {
		if here := at(place.File, place.Line); x.s.RelAt(here) == d.Location {
			x.snapshotAt(here)
			return
		}
	}
}

// asks shows where the program waits for input.
func (x *examination) asks(ctx context.Context) error {
	x.data.Message = "it waits for input, and was given none: give it with stdin, which may be empty"
	if !x.s.ShowsRunning() {
		return nil
	}
	sample, err := x.sample(ctx)
	if err != nil {
		return nil //nolint:nilerr // the verdict stands without the place
	}
	for _, t := range sample {
		if t.File != "" {
			x.data.Location, x.data.Function = t.At, t.In
			x.snapshotAt(at(t.File, t.Line))
			return nil
		}
	}
	return nil
}

// opinion adds what the client's own model makes of the diagnosis. Without a model there
// is a diagnosis all the same.
func (x *examination) opinion(ctx context.Context, summary string) error {
	card, err := json.Marshal(x.data)
	if err != nil {
		return fault.New(fault.Internal, "%w", err)
	}
	said, err := x.h.asked(ctx, x.c, "explain "+string(x.verdict), summary+"\n"+string(card))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var f *fault.Error
	if errors.As(err, &f) {
		x.data.Warnings = append(x.data.Warnings, f.Message)
		return nil
	}
	x.data.Opinion = said
	return err
}

// summary is the verdict in a sentence.
func (x *examination) summary() string {
	d := &x.data
	said := strings.ReplaceAll(string(x.verdict), "_", " ")
	switch {
	case x.verdict == diagnosis.OK && x.runs.Made > 1:
		said = fmt.Sprintf("none of %d runs failed", x.runs.Made)
	case x.verdict == diagnosis.OK:
		said = "nothing went wrong: it ran to its end"
	case x.v != nil && x.v.State.Status == session.StoppedException && x.verdict != diagnosis.BuildFailed:
		said = x.h.show(x.s).outcome(x.v)
		if _, overflow, found := strings.Cut(d.Message, "; stack overflow"); found {
			said += "; stack overflow" + overflow
		}
	case x.verdict == diagnosis.ExitCode:
		said = fmt.Sprintf("exited with code %d", *d.ExitCode)
		if len(d.Causes) > 0 {
			said += "; before that " + responses.Theirs(d.Causes[0])
		}
	case x.verdict == diagnosis.Signal && d.Location == "":
		said = "ended by signal " + d.Signal
		if d.Message != "" {
			said += ": " + responses.Theirs(firstLine(d.Message))
		}
	case d.Message != "":
		said += ": " + responses.Theirs(firstLine(d.Message))
		if d.Location != "" && !strings.Contains(said, d.Location) {
			said += ", at " + responses.Theirs(d.Location)
		}
	}
	if d.Culprit != nil {
		said += "; " + blamed(d.Culprit)
	}
	if d.FailsAs != "" {
		said = fmt.Sprintf("run %d failed, %d did not: %s", x.runs.Made, x.runs.Made-1, said)
	}
	return said
}

// blamed is the culprit in words.
func blamed(c *responses.Culprit) string {
	said := c.Expression
	switch {
	case c.Value != "":
		said += " is " + responses.Theirs(responses.Shorten(c.Value, longestOperand))
		if c.Why != "" {
			said += ", " + c.Why
		}
	case c.Why != "":
		said += ": " + c.Why
	default:
		said += " is where it went wrong"
	}
	return said
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return responses.Shorten(text, longestReason)
}

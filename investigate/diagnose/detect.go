package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// Detector is what the runs were looked through by.
type Detector struct {
	By, Blind string
	Check     adapters.Check
	Looked    int      // runs
	Notes     []string // that are no faults
	Also      []string // the other faults of the run, each in a line
	Unread    int      // reports beyond those
	// Again says that the failure was looked at in a run of its own, without the detector.
	Again bool
}

// Access is one thing that was done, of those that a fault consists of.
type Access struct {
	Kind string
	Place
	Within string // what the place has called of a library, which did it; empty: it did so itself
	Code   string // the line
	Thread string
	Made   Place // where the thread was made
	Value  string
}

// A run under a detector has this share of the time, so that one which does not end can be
// looked at by a debugger; and less than that is no use for it.
const (
	detectorShare = 0.6
	leastLook     = 4 * time.Second
)

// detection is a diagnosis under a detector.
type detection struct {
	Host
	userCode
	question Question
	run      *session.DetectedRun // the last one
	looked   int                  // runs
	r        *Result
}

// detect runs the program under a detector until it reports a fault, or the program fails
// otherwise: that is looked at without it.
func detect(ctx context.Context, host Host, q Question) (*Result, error) {
	code, err := host.Sessions.Prospect(q.Request)
	if err != nil {
		return nil, err
	}
	d := &detection{
		Host: host, question: q, userCode: userCode{s: code, syntax: code.Failures()},
		r: &Result{Session: code, Workspace: code.Workspace()},
	}
	for d.looked < max(q.Repeat, 1) {
		run, err := host.Sessions.Detect(ctx, q.Request, q.Check, q.Over, detectorShare, host.Progress)
		if err != nil && (d.run == nil || ctx.Err() != nil || time.Until(q.Over) > shortestRun) {
			return d.failedStart(err)
		}
		if err != nil { // the time was over while one more was begun
			break
		}
		d.run = run
		d.looked++
		if len(run.Faults) > 0 || !d.endedWell() || !time.Now().Before(q.Over) {
			break
		}
	}
	if len(d.run.Faults) == 0 && !d.endedWell() && !d.run.NoTestRan {
		return d.withoutDetector(ctx)
	}
	d.conclude()
	if err := d.standAtFault(ctx); err != nil {
		return nil, err
	}
	return d.r, nil
}

// standAtFault makes the run again under the debugger, where that stops at the report: for the
// values of the line, and the session. A run that comes to another place tells nothing.
func (d *detection) standAtFault(ctx context.Context) error {
	r := d.r
	if !d.run.Stops || !r.Verdict.IsDetected() || r.Place.File == "" || time.Until(d.question.Over) < leastLook+2*d.run.Lasted {
		return nil
	}
	q := d.question
	q.Check, q.Repeat, q.Calls = "", 1, false
	q.Request.Program.Check = d.question.Check
	again, err := Run(ctx, d.Host, q)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		d.Log.Debug("make a detected run again under the debugger", "error", err)
		return nil
	}
	if again.View == nil || again.Verdict == judge.OK || again.Place.File != r.Place.File || again.Place.Line != r.Place.Line {
		d.End(ctx, again)
		return nil
	}
	r.Session, r.View, r.SessionOpen, r.before = again.Session, again.View, again.SessionOpen, again.before
	r.Parts, r.Locals, r.Output = again.Parts, again.Locals, again.Output
	if len(again.Frames) > 0 {
		r.Frames = again.Frames
	}
	r.warn("the values are those of a run made again under the debugger, which came to the same report")
	return nil
}

// endedWell says that the last run was one that nothing else went wrong in.
func (d *detection) endedWell() bool {
	return d.run.Exit != nil && d.run.Exit.Code == 0 && d.run.Exit.Signal == "" && !d.run.NoTestRan
}

// failedStart judges a program that could not be run under the detector.
func (d *detection) failedStart(err error) (*Result, error) {
	d.Abandon()
	if err := d.r.takeStartError(err, d.userCode, d.Workspace); err != nil {
		return nil, err
	}
	d.r.Runs = Runs{Made: d.looked + 1, Failed: 1}
	return d.r, nil
}

// withoutDetector looks at another failure of the program in a run of its own, under the
// debugger. One that does not come again there is told as the detector's run has shown it.
func (d *detection) withoutDetector(ctx context.Context) (*Result, error) {
	if time.Until(d.question.Over) < leastLook {
		d.conclude()
		return d.r, nil
	}
	q := d.question
	q.Check, q.Repeat = "", 1
	r, err := Run(ctx, d.Host, q)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || r.Verdict == judge.OK {
		d.conclude()
		if err == nil {
			d.r.warn("it failed so in the detector's run; run once more, under the debugger, it ended well")
		}
		return d.r, nil //nolint:nilerr // what the detector's run has shown is the answer then
	}
	r.Detector = d.detector()
	r.Detector.Again = true
	r.Runs = Runs{Made: d.looked, Failed: 1} // the other one was made to see more of it
	return r, nil
}

func (d *detection) detector() *Detector {
	return &Detector{By: d.run.By, Blind: d.run.Blind, Check: d.question.Check, Looked: d.looked, Notes: d.notes(), Unread: d.run.Unread}
}

// notes are what the detector says besides, with places as they are shown.
func (d *detection) notes() (list []string) {
	for _, note := range d.run.Notes {
		note = strings.ReplaceAll(note, d.s.Workspace()+"/", "")
		if !slices.Contains(list, note) {
			list = append(list, note)
		}
	}
	return list
}

// conclude makes the result of what the last run has shown.
func (d *detection) conclude() {
	r, run := d.r, d.run
	r.Target, r.Output, r.Warnings = run.Target, run.Output, append(r.Warnings, run.Warnings...)
	r.Detector, r.Runs = d.detector(), Runs{Made: d.looked}
	d.addEnd()
	if len(run.Faults) > 0 {
		d.addFault()
	}
	if r.Verdict != judge.OK {
		r.Runs.Failed = 1
	}
}

// addEnd tells how the program has ended.
func (d *detection) addEnd() {
	r, run := d.r, d.run
	if run.Exit == nil {
		r.Verdict = judge.Cut
		r.Message = fmt.Sprintf("it was still running after %s and was ended", run.Lasted.Round(100*time.Millisecond))
		return
	}
	code := run.Exit.Code
	end := judge.End{ExitCode: &code, Signal: run.Exit.Signal, NoTestRan: run.NoTestRan}
	r.Verdict, r.Signal = end.Verdict(), run.Exit.Signal
	if r.Signal == "" && code != 0 {
		r.ExitCode = &code
	}
	if run.NoTestRan && len(run.NearTests) > 0 {
		r.Message = "did you mean " + strings.Join(run.NearTests, " or ") + "?"
	}
}

// addFault makes the verdict of the first fault that has a place in the user's code, and names
// the others.
func (d *detection) addFault() {
	faults := d.run.Faults
	first := max(0, slices.IndexFunc(faults, func(f adapters.DetectedFault) bool {
		return slices.ContainsFunc(f.Accesses, func(a adapters.Access) bool { return d.ownFrame(a.Frames) >= 0 })
	}))
	f := faults[first]
	r := d.r
	r.Verdict, r.Message, r.Report = judge.Verdict(f.Kind), f.Message, f.Text
	for _, a := range f.Accesses {
		r.Accesses = append(r.Accesses, d.accessOf(a))
	}
	if at := slices.IndexFunc(r.Accesses, func(a Access) bool { return a.File != "" && !d.isInLibrary(a.File) }); at >= 0 {
		a := r.Accesses[at]
		r.showAt(d.userCode, a.Place, 0)
		if a.Code != "" {
			r.Culprit = evidence.On(Culprit{Expression: a.Code, Value: a.Value, Why: r.Message}, d.reportSeen(a))
		}
		d.addFrames(f.Accesses[at].Frames)
	}
	for i, other := range faults {
		if line := d.inALine(other); i != first && line != d.inALine(f) && !slices.Contains(r.Detector.Also, line) {
			r.Detector.Also = append(r.Detector.Also, line)
		}
	}
}

// reportSeen is an access as the detector has reported it.
func (d *detection) reportSeen(a Access) evidence.Observation {
	return evidence.Observation{Run: d.looked, At: placeText(a.File, a.Line), What: d.run.By, Value: d.r.Message}
}

func (d *detection) addFrames(frames []adapters.Thrown) {
	var list []judge.Place
	for _, f := range frames {
		if f.File != "" {
			list = append(list, judge.Place{File: f.File, Line: f.Line, Function: f.Function})
		}
	}
	if d.r.Frames = d.framesOf(list); len(d.r.Frames) == 1 {
		d.r.Frames = nil // it is the place itself
	}
}

// ownFrame is the nearest frame of the user's code; -1: there is none.
func (d *detection) ownFrame(frames []adapters.Thrown) int {
	return slices.IndexFunc(frames, func(f adapters.Thrown) bool {
		return f.File != "" && len(d.ownPlaces([]judge.Place{{File: f.File, Line: f.Line}})) > 0
	})
}

// accessOf is an access at the nearest frame of the user's code; in that of others it has no place.
func (d *detection) accessOf(a adapters.Access) Access {
	out := Access{Kind: a.Kind, Thread: a.Thread, Value: a.Value}
	at := d.ownFrame(a.Frames)
	if at > 0 {
		out.Within = a.Frames[at-1].Function
	}
	if at < 0 && len(a.Frames) > 0 {
		out.Function = a.Frames[0].Function
	}
	if at >= 0 {
		f := a.Frames[at]
		out.Place = Place{File: f.File, Line: f.Line, Function: f.Function}
		out.Code = d.lineAt(f.File, f.Line)
	}
	if made := d.ownFrame(a.Made); made >= 0 {
		f := a.Made[made]
		out.Made = Place{File: f.File, Line: f.Line, Function: f.Function}
	}
	return out
}

// inALine is a fault as a list names it.
func (d *detection) inALine(f adapters.DetectedFault) string {
	var places []string
	for _, a := range f.Accesses {
		if out := d.accessOf(a); out.File != "" {
			places = append(places, fmt.Sprintf("%s at %s:%d", out.Kind, d.s.Rel(out.File), out.Line))
		}
	}
	return strings.Join(append([]string{f.Message}, strings.Join(places, ", ")), ": ")
}

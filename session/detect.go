package session

import (
	"context"
	"errors"
	"math"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/output"
)

// DetectedRun is what came of a run under a detector.
type DetectedRun struct {
	adapters.Detection
	Target    string              // what ran, for people
	By, Blind string              // the detector, and what it cannot see
	Exit      *process.ExitStatus // nil: it was ended by us when its time was over
	Lasted    time.Duration
	Output    Output
	Warnings  []string
	Stops     bool // see [adapters.Detected]
	NoTestRan bool
	NearTests []string // when none ran: names of tests that are like those asked for
}

// detectedOutput is how much is kept of what the program printed last, in bytes.
const detectedOutput = 2000

// Detect runs a program once under its language's detector of a check's faults, until it ends, or
// until the time is over: it is ended then. No session and no debugger has to do with it. Share is
// how much of the time that is left once the program is ready it may take; 0 is all. Progress may
// be nil. Errors are *fault.Error.
func (m *Manager) Detect(ctx context.Context, r StartRequest, s adapters.Check, over time.Time, share float64, progress func(string)) (*DetectedRun, error) {
	adapter, err := m.admit(&r)
	if err != nil {
		return nil, err
	}
	defer r.Program.Debuggee.Line.Close()
	detect := adapter.Services().Detect
	if detect == nil {
		return nil, fault.New(fault.NotSupported, "there is no detector of %s for programs of %s here", s, adapter.Info().Language).WithField("check").
			WithHint("ask without check: a failure is told all the same")
	}
	after, err := m.beforeAlone(ctx, r, over, progress)
	if err != nil {
		return nil, err
	}
	defer after()
	detected, err := planAlone(ctx, m, over, func(ctx context.Context) (*adapters.Detected, error) {
		return detect(ctx, r.Program, s, progress)
	}, func(d *adapters.Detected) { d.Close() })
	if err != nil {
		return nil, m.withholdSource(err, r.Program.Workspace)
	}
	defer detected.Close()
	if err := m.admitAlone(r, detected.Spec); err != nil {
		return nil, err
	}
	if progress != nil {
		progress("running " + m.mask.Command(detected.Target) + " under " + detected.By)
	}
	if share > 0 {
		over = time.Now().Add(time.Duration(share * float64(time.Until(over))))
	}
	return m.detect(ctx, detected, r, over)
}

// asFault is an error with what it says as its message, where it is no fault yet.
func asFault(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	return fault.New(fault.SessionStart, "%w", err)
}

func (m *Manager) detect(ctx context.Context, detected *adapters.Detected, r StartRequest, over time.Time) (*DetectedRun, error) {
	run, err := runAlone(ctx, detected.Spec, r.Program.Stdin, until{over: over}, m.Limits(), beside{})
	if err != nil {
		return nil, err
	}
	d := &DetectedRun{
		Target: m.mask.Command(detected.Target), By: detected.By, Blind: detected.Blind, Warnings: detected.Warnings,
		Stops: detected.Stops, Exit: run.exit, Lasted: run.lasted,
	}
	if d.Detection, err = detected.Read(); err != nil {
		return nil, asFault(err)
	}
	if n := len(d.Faults) - adapters.MostFaults; n > 0 {
		d.Faults, d.Unread = d.Faults[:adapters.MostFaults], d.Unread+n
	}
	if printed := detected.Tests.Printed; printed != nil && run.exit != nil {
		tests, known := printed(func(stream, text string) []string {
			return run.out.Read(stream, output.Page{Filter: text, Count: math.MaxInt32}).Lines
		})
		d.NoTestRan, d.NearTests = known && tests.Ran == 0, tests.Near
	}
	d.Output.Stdout, d.Output.Stderr = run.out.Take("stdout", detectedOutput), run.out.Take("stderr", detectedOutput)
	if detected.Refused != nil && len(d.Faults) == 0 {
		if err := detected.Refused(d.Output.Stderr.Text); err != nil {
			return nil, asFault(err)
		}
	}
	return d, nil
}

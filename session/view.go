package session

import (
	"context"
	"math"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/session/output"
)

// View fetches the stop view. It takes the output (see TakeOutput) and moves
// the tracker of changed variables on. At a plain stop it asks for the stack,
// the scopes and the variables, and nothing else.
func (s *Session) View(ctx context.Context) (*View, error) {
	v, err := s.ViewWithoutOutput(ctx)
	if err == nil {
		v.Output = s.TakeOutput(s.limits.OutputReply)
	}
	return v, err
}

// ViewWithoutOutput is View that leaves the output to a later reply.
func (s *Session) ViewWithoutOutput(ctx context.Context) (*View, error) {
	v := &View{}
	s.mu.Lock()
	still := s.still
	s.mu.Unlock()
	looked := s.updateProcesses()
	if still != nil {
		if err := s.fillStop(ctx, still, v); err != nil && still.IsCurrent() {
			return nil, err
		}
		if crash := s.crashError(); crash != nil {
			return nil, crash
		}
	}
	if why := s.withheldReason(v.Frame); why != "" {
		v.Warnings = append(v.Warnings, why)
	}
	if why := s.outdatedSource(v.Stack); why != "" {
		v.Warnings = append(v.Warnings, why)
	}
	v.AwaitsInput = s.AwaitsInput()
	v.ServerReady = s.takeReadyAddress()
	<-looked
	s.mu.Lock()
	defer s.mu.Unlock()
	v.State, v.Epoch = s.snapshot(), s.now.epoch
	if s.run != nil {
		v.Warnings = append(v.Warnings, s.run.warnings...)
		s.run.warnings = nil
		v.Mappings, s.run.mappings = s.run.mappings, nil
	}
	if v.State.Status == Terminated {
		s.fillTests(v)
		v.WereHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits > 0 })
		v.NeverHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits == 0 && b.Enabled && s.isCountable(b) })
	}
	if s.run != nil {
		if v.State.Status != Terminated || len(v.NeverHit) > 0 { // else it only ended with the rest
			v.Warnings = append(v.Warnings, s.run.missed[:min(len(s.run.missed), 1)]...)
		}
		s.run.missed = nil
	}
	if v.State.Status == Terminated && s.run != nil {
		v.Warnings = append(v.Warnings, s.run.childProcessWarnings(len(v.NeverHit) > 0)...)
	}
	for _, b := range s.breakpoints.News() {
		if !slices.ContainsFunc(v.NeverHit, func(n Breakpoint) bool { return n.ID == b.ID }) {
			v.Breakpoints = append(v.Breakpoints, b)
		}
	}
	return v, nil
}

// crashError is how the adapter has died, nil when it has not.
func (s *Session) crashError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.crash == nil {
		return nil
	}
	return s.now.crash
}

// fillTests says of a run of tests that has ended that it had none to run, and
// which are like those that were asked for, or why it failed; mu is held.
func (s *Session) fillTests(v *View) {
	if s.run == nil || s.run.plan == nil || s.now.Signal != "" {
		return
	}
	var run adapters.TestRun
	known := false
	switch tests := s.run.plan.Capabilities.Tests; {
	case tests.Run != nil:
		run, known = tests.Run()
	case tests.Printed != nil:
		run, known = tests.Printed(func(stream, text string) []string {
			return s.out.Read(stream, output.Page{Filter: text, Count: math.MaxInt32}).Lines
		})
	}
	v.NoTestRan, v.NearTests, v.TestFailed = known && run.Ran == 0, run.Near, run.Why
}

// isCountable says that no hits means that it was never reached: log messages
// that the adapter prints itself are only counted where its output tells them
// from the program's; mu is held.
func (s *Session) isCountable(b Breakpoint) bool {
	return b.LogMessage == "" || b.Supplied || s.run.plan != nil && s.run.plan.Streams != nil
}

// fillStop fills in what a program that stands still shows.
func (s *Session) fillStop(ctx context.Context, still *stopPoint, v *View) (err error) {
	v.StopView, err = still.program.View(ctx)
	still.attribute()
	if v.Frame != nil && v.Frame.File != "" {
		s.mu.Lock()
		s.file = v.Frame.File
		s.mu.Unlock()
	}
	if _, known := still.program.KnownTop(); known && err == nil && v.Unread.What == "" {
		s.fillShown(ctx, still.program, v)
	}
	return err
}

// Seen lists the values of locals over the last stops, oldest first.
func (s *Session) Seen() []Value { return s.tracker.Seen() }

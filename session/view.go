package session

import (
	"context"
	"math"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/session/lifecycle"
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
	still, _ := s.currentPoint()
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
	s.change(func(m *lifecycle.Machine) { v.State, v.Epoch = s.snapshot(m), m.Epoch() })
	s.fillEnd(v)
	s.publishView(v)
	return v, nil
}

// HidesLibraries says that a stop without frames is one in library code, where the debugger
// shows no frames of that.
func (s *Session) HidesLibraries() bool {
	l, mine := s.currentRun(), s.request.Program.JustMyCode
	return l != nil && l.plan() != nil && l.plan().Capabilities.Stops.HidesLibraries && (mine == nil || *mine)
}

// fillEnd fills in what is said once, and of a program that has ended what it has not done.
func (s *Session) fillEnd(v *View) {
	if v.State.Status == Terminated {
		s.fillTests(v)
		v.WereHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits > 0 })
		if l := s.currentRun(); l != nil && l.plan() != nil {
			v.Children, v.Unfollowed = l.failedChildren(), l.unfollowedText()
		}
		v.NeverHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits == 0 && b.Enabled && isCountable(b, s.currentRun().plan()) })
		if l := s.currentRun(); l != nil && l.plan() != nil && l.plan().Capabilities.Stops.EntersLoops {
			for i := range v.NeverHit {
				v.NeverHit[i].Passable = exprsyntax.LoopHead(v.NeverHit[i].Text)
			}
		}
	}
	if l := s.currentRun(); l != nil {
		ended := v.State.Status == Terminated
		warnings, mappings := l.notices.take(!ended || len(v.NeverHit) > 0) // else the rest only ended with it
		v.Warnings, v.Mappings = append(v.Warnings, warnings...), mappings
		if ended {
			v.Warnings = append(v.Warnings, l.childProcessWarnings(len(v.NeverHit) > 0)...)
		}
	}
	for _, b := range s.breakpoints.News() {
		if !slices.ContainsFunc(v.NeverHit, func(n Breakpoint) bool { return n.ID == b.ID }) {
			v.Breakpoints = append(v.Breakpoints, b)
		}
	}
}

// fillTests says of a run of tests that has ended that it had none to run, and
// which are like those that were asked for, or why it failed.
func (s *Session) fillTests(v *View) {
	if s.currentRun() == nil || s.currentRun().plan() == nil || v.State.Signal != "" {
		return
	}
	var run adapters.TestRun
	known := false
	switch tests := s.currentRun().plan().Capabilities.Tests; {
	case tests.Run != nil:
		if counted := tests.Run(); counted != nil {
			run, known = *counted, true
		}
	case tests.Printed != nil:
		run, known = tests.Printed(func(stream, text string) []string {
			return s.out.Read(stream, output.Page{Filter: text, Count: math.MaxInt32}).Lines
		})
	}
	v.NoTestRan, v.NearTests, v.TestFailed, v.Unmet = known && run.Ran == 0, run.Near, run.Why, run.First
}

// isCountable says that no hits means that it was never reached: log messages
// that the adapter prints itself are only counted where its output tells them
// from the program's.
func isCountable(b Breakpoint, plan *adapters.Plan) bool {
	return b.LogMessage == "" || b.Supplied || plan != nil && plan.Streams != nil
}

// fillStop fills in what a program that stands still shows.
func (s *Session) fillStop(ctx context.Context, still *stopPoint, v *View) (err error) {
	v.StopView, err = still.program.View(ctx)
	still.attribute()
	if v.Frame != nil && v.Frame.File != "" {
		file := v.Frame.File
		s.file.Store(&file)
	}
	if _, known := still.program.KnownTop(); known && err == nil && v.Unread.What == "" {
		s.fillShown(ctx, still.program, v)
	}
	return err
}

// Seen lists the values of locals over the last stops, oldest first.
func (s *Session) Seen() []Value { return s.tracker.Seen() }

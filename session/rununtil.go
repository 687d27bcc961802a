package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
)

// RunUntil continues to one of the locations through temporary breakpoints,
// which are gone afterwards (also when the wait ended first and the program
// stops later); others are untouched. Reached is the location that was hit,
// empty when the program stopped elsewhere.
func (s *Session) RunUntil(ctx context.Context, locations []string, condition string, d time.Duration) (st State, reached string, err error) {
	if _, err := s.currentStop(); err != nil {
		return s.State(), "", err
	}
	return s.runUntil(ctx, locations, condition, func() (State, error) { return s.Wait(ctx, d) })
}

// ProvokeUntil is RunUntil with a trigger that is sent when the breakpoints stand. The
// program may run already.
func (s *Session) ProvokeUntil(ctx context.Context, locations []string, condition string, t *Trigger, d time.Duration) (st State, reached string, err error) {
	if st := s.state(); !st.Status.Stopped() && st.Status != Running {
		return s.State(), "", st.NotStoppedError()
	}
	return s.runUntil(ctx, locations, condition, func() (State, error) { return s.Provoke(ctx, t, d) })
}

// runUntil sets the temporary breakpoints, lets a program go on that stands still, and waits.
func (s *Session) runUntil(ctx context.Context, locations []string, condition string, wait func() (State, error)) (st State, reached string, err error) {
	specs, err := s.temporarySpecs(locations, condition)
	if err != nil {
		return s.State(), "", err
	}
	u, stands := &lifecycle.Until{}, s.status().Stopped()
	if !stands { // one of them may be hit as soon as it is set
		s.change(func(m *lifecycle.Machine) { m.RunUntil(u) })
	}
	ids, note, err := s.setTemporary(ctx, specs)
	if err != nil {
		return s.State(), "", err
	}
	if stands {
		s.change(func(m *lifecycle.Machine) { m.RunUntil(u) })
		if err := s.Continue(ctx, 0); err != nil {
			s.removeTemporary(ctx, ids)
			return s.State(), "", err
		}
	}
	st, err = wait()
	if note != "" && err == nil {
		st = s.addNote(st, lifecycle.JoinText(note, st.Note))
	}
	s.change(func(*lifecycle.Machine) { reached = u.Reached })
	return st, reached, err
}

func (pts *points) temporarySpecs(locations []string, condition string) ([]breakpoints.Spec, error) {
	if err := pts.session.checkEvaluate("condition", condition); err != nil {
		return nil, err
	}
	if len(locations) == 0 {
		return nil, fault.New(fault.MissingParam, "run_until needs a location").WithField("location")
	}
	specs := make([]breakpoints.Spec, 0, len(locations))
	for _, where := range locations {
		spec, err := pts.session.ResolveLocation(where)
		if err != nil {
			return nil, err
		}
		spec.Condition = condition
		w, err := pts.newSpec(spec)
		if err != nil {
			return nil, err
		}
		w.Temporary, w.Where = true, where
		specs = append(specs, w)
	}
	return specs, nil
}

// setTemporary sets the temporary breakpoints. None that binds is an error; some that
// do not are a remark.
func (pts *points) setTemporary(ctx context.Context, specs []breakpoints.Spec) (ids []int, note string, err error) {
	for _, w := range specs {
		ids = append(ids, pts.breakpoints.Add(w, pts.session.files))
	}
	if err := pts.sendBreakpoints(ctx, ids...); err != nil {
		pts.removeTemporary(ctx, ids)
		return nil, "", err
	}
	var unbound []string
	for _, id := range ids {
		if b := pts.breakpoint(id); !b.Verified && !pts.bindByLine(ctx, b) {
			unbound = append(unbound, pts.explainTemporary(ctx, id))
		}
	}
	switch {
	case len(unbound) == len(ids):
		pts.removeTemporary(ctx, ids)
		return nil, "", fault.New(fault.Breakpoint, "cannot run to %s", strings.Join(unbound, "; nor to ")).
			WithHint("choose a line that has code, or a function of the program")
	case len(unbound) > 0:
		return ids, "not waited for: " + strings.Join(unbound, "; "), nil
	}
	return ids, "", nil
}

// explainTemporary says why a temporary breakpoint does not bind.
func (pts *points) explainTemporary(ctx context.Context, id int) string {
	if l, root, err := pts.session.liveConnection(); err == nil {
		ctx, cancel := context.WithTimeout(ctx, explainLimit)
		defer cancel()
		pts.explain(ctx, l, root, id)
	}
	b := pts.breakpoint(id)
	text := b.Where
	if b.Message != "" {
		text += ": " + b.Message
	}
	if len(b.Nearest) > 0 {
		text += fmt.Sprintf(" (nearest lines with code: %s)", strings.Trim(fmt.Sprint(b.Nearest), "[]"))
	}
	if len(b.Similar) > 0 {
		text += fmt.Sprintf(" (similar: %s)", strings.Join(b.Similar, ", "))
	}
	return text
}

// removeTemporary takes temporary breakpoints away when the run did not begin.
func (pts *points) removeTemporary(ctx context.Context, ids []int) {
	pts.session.change(func(m *lifecycle.Machine) { m.RunUntil(nil) })
	homes := pts.breakpoints.Remove(ids...)
	if err := pts.sendHomes(ctx, homes, breakpoints.Trial{}); err != nil {
		pts.session.log.Debug("remove temporary breakpoints", "error", err)
	}
}

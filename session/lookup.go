package session

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
)

// targetDir is the directory that a target on disk is or lies in, else empty.
func targetDir(workspace, target string) string {
	if target == "" {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(workspace, target)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return target
	}
	return filepath.Dir(target)
}

// newSpec validates what is asked for as far as files tell.
func (pts *points) newSpec(spec BreakpointSpec) (breakpoints.Spec, error) {
	w := breakpoints.Spec{
		Kind:         LineBreakpoint,
		Column:       spec.Column,
		Condition:    breakpoints.ParseExpression(spec.Condition),
		HitCondition: strings.TrimSpace(spec.HitCondition),
		LogMessage:   spec.LogMessage,
	}
	for _, e := range spec.Show {
		w.Show = append(w.Show, breakpoints.ParseExpression(e))
	}
	if w.HitCondition != "" {
		if _, _, ok := breakpoints.ParseHit(w.HitCondition); !ok {
			return w, fault.New(fault.InvalidParam, "hit condition %q cannot be read", spec.HitCondition).
				WithHint(`use a count from 1, alone or after an operator: "5", ">5", ">=5", "<5", "<=5", "==5", "%%5"`).
				WithField("hit_condition")
		}
	}
	if err := pts.checkSpec(spec); err != nil {
		return w, err
	}
	if spec.ID != 0 {
		return pts.changedSpec(spec.ID, w)
	}
	var err error
	if spec.Function != "" {
		w.Kind, w.Function = FunctionBreakpoint, spec.Function
		if spec.File != "" {
			w.File, err = pts.session.resolveFile(spec.File)
		}
		return w, err
	}
	if w.File, err = pts.session.resolveFile(spec.File); err != nil {
		return w, err
	}
	w.Line = spec.Line
	if spec.Statement != "" {
		if w.Line, err = pts.session.statementLine(w.File, spec.Statement, spec.Line); err != nil {
			return w, err
		}
	}
	if w.Line < 1 {
		return w, fault.New(fault.InvalidLocation, "the breakpoint in %s has no line", pts.session.Rel(w.File)).
			WithHint("give line, statement or function").WithField("line")
	}
	return w, nil
}

// changedSpec is the spec of a breakpoint that is there, with what w asks for changed.
func (pts *points) changedSpec(id int, w breakpoints.Spec) (breakpoints.Spec, error) {
	b, known := pts.breakpoints.Get(id)
	if !known || b.Temporary {
		return w, pts.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
	}
	changed := b.Spec
	if w.Condition.Text != "" {
		changed.Condition = w.Condition
	}
	changed.HitCondition = cmp.Or(w.HitCondition, b.HitCondition)
	changed.LogMessage = cmp.Or(w.LogMessage, b.LogMessage)
	if len(w.Show) > 0 {
		changed.Show = w.Show
	}
	return changed, nil
}

// addStartBreakpoints takes in the breakpoints of a new session, before anything is started:
// each stands for itself, also where several share a place.
func (pts *points) addStartBreakpoints(r StartRequest) error {
	if err := pts.session.checkEvaluate("show", r.Show...); err != nil {
		return err
	}
	for _, spec := range r.Break {
		w, err := pts.newSpec(spec)
		if err != nil {
			return err
		}
		pts.breakpoints.Add(w, pts.session.files)
	}
	return nil
}

// explainUnbound says of breakpoints (of all when none are named) why they are
// not bound and what would bind instead.
func (pts *points) explainUnbound(ctx context.Context, l *run, k *connection, ids ...int) {
	unbound := pts.breakpoints.Unbound(ids...)
	for _, id := range unbound {
		pts.explain(ctx, l, k, id)
	}
}

func (pts *points) explain(ctx context.Context, l *run, k *connection, id int) {
	b := pts.breakpoint(id)
	can := l.plan().Capabilities.Breakpoints
	var nearest []int
	var similar []string
	message := pts.breakpoints.Reason(id)
	if why, ok := pts.breakpoints.Sendable(id, k.breakpointConnection()); !ok {
		message = why
	}
	message = l.plainReason(message)
	if l.isPending(message) {
		pts.breakpoints.Explain(id, message, nil, nil)
		return
	}
	if b.Kind == FunctionBreakpoint {
		similar = b.Similar
		if can.Functions != nil {
			similar, _ = can.Functions(ctx, k, b.Function, 5)
		}
		similar = slices.DeleteFunc(similar, func(name string) bool { return name == b.Function }) // it has just failed
	} else {
		if can.Lines != nil {
			line := b.Line
			if n, err := pts.session.files.Count(b.File); err == nil {
				line = min(line, n)
			}
			nearest, _ = can.Lines(ctx, k, b.File, line, 3)
		} else {
			nearest = pts.session.nearestCodeLines(b.File, b.Line)
		}
		message = pts.session.unboundReason(b.File, b.Line, message)
	}
	pts.breakpoints.Explain(id, message, nearest, similar)
}

// isPending says by an adapter's reason that a breakpoint waits for its file.
func (l *run) isPending(reason string) bool {
	pending := l.plan().Capabilities.Breakpoints.Pending
	return pending != nil && pending(reason)
}

package diagnose

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
)

// Intervention is what is done to the running program at each stop of a place, to see
// whether that mends it.
type Intervention struct {
	At   session.BreakpointSpec
	Set  map[string]string // variables and what they become
	Skip bool              // the statement that is about to run is not run
}

// intervene does at each stop of the place what is to be tried there, until the program
// stops elsewhere or ends.
func (n *run) intervene(ctx context.Context, change Intervention, st session.State) (session.State, error) {
	for st.Status == session.StoppedBreakpoint {
		n.hits++
		for _, name := range slices.Sorted(maps.Keys(change.Set)) {
			if _, _, err := n.s.Stopped().Assign(ctx, name, change.Set[name], 0, 0); err != nil {
				return st, err
			}
		}
		if change.Skip {
			if err := n.skipStatement(ctx); err != nil {
				return st, err
			}
		}
		if err := n.s.Continue(ctx, 0); err != nil {
			return st, err
		}
		var err error
		if st, err = n.s.Wait(ctx, max(time.Until(n.over)-watchTime, shortestRun)); err != nil {
			return st, err
		}
	}
	return st, nil
}

// skipStatement moves over the statement that is about to run.
func (n *run) skipStatement(ctx context.Context) error {
	frames, _, err := n.s.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil {
		return err
	}
	if len(frames) == 0 || frames[0].File == "" {
		return fault.New(fault.NotSupported, "the statement cannot be skipped: its place is not known").WithField("at.skip")
	}
	if n.s.CarriesRegisters() {
		return fault.New(fault.NotSupported, "a statement of %s cannot be skipped, for what follows it may read what it leaves in a register", n.s.Language()).WithField("at.skip").
			WithHint("set a variable so that the statement does nothing, or try an edit")
	}
	next := n.s.NextStatement(frames[0].File, frames[0].Line)
	if next == 0 {
		return fault.New(fault.NotSupported, "no statement of the same block follows line %d", frames[0].Line).WithField("at.skip").
			WithHint("set a variable so that the statement does nothing, or try an edit")
	}
	if err := n.s.Jump(ctx, fmt.Sprintf("%s:%d", frames[0].File, next), 0); err != nil {
		return err
	}
	_, err = n.s.Wait(ctx, watchTime) // some debuggers answer before it stands there
	return err
}

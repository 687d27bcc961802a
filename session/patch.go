package session

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// underWay is what new code cannot mend.
const underWay = "the exception was raised already: it still ends what it ends, and the new code serves the calls after it"

// Patch replaces code in the running program, as seen from a frame: the names in
// it mean what they mean there. Errors: CAPABILITY_NOT_SUPPORTED, PATCH_FAILED.
func (s *Session) Patch(ctx context.Context, p adapters.Patch, thread, frame int) (adapters.Patched, error) {
	still, err := s.stopFor(thread)
	if err != nil {
		return adapters.Patched{}, err
	}
	patch := s.capabilities().Machine.Patch
	if patch == nil {
		return adapters.Patched{}, s.unsupportedError("patch of a running program",
			"edit the source and session(action: restart), which keeps the breakpoints; or try values with variable(action: set)")
	}
	if p.File != "" {
		if p.File, err = s.resolveFile(p.File); err != nil {
			return adapters.Patched{}, err
		}
	}
	f, err := s.adapterFrame(ctx, thread, frame)
	if err != nil {
		return adapters.Patched{}, err
	}
	if thread == 0 {
		thread = s.currentThread(still)
	}
	done, err := patch(ctx, still.connection, still.connection.adapterThread(thread), f.Id, p)
	if err != nil {
		return adapters.Patched{}, s.refusalError(ctx, fault.Patch, "patch", err)
	}
	if still.stop.Reason == "exception" {
		done.Notes = append(done.Notes, underWay)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if still.isCurrent(s) { // replaced code may have replaced frames
		s.still.stacks = map[int]*inspect.Stack{}
	}
	return done, nil
}

package stopped

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// underWay is what new code cannot mend.
const underWay = "the exception was raised already: it still ends what it ends, and the new code serves the calls after it"

// Patch replaces code in the running program, as seen from a frame: the names in
// it mean what they mean there. Errors: CAPABILITY_NOT_SUPPORTED, PATCH_FAILED.
func (p *Program) Patch(ctx context.Context, code adapters.Patch, thread, frame int) (adapters.Patched, error) {
	p, err := p.at(thread)
	if err != nil {
		return adapters.Patched{}, err
	}
	patch := p.facts.Can.Machine.Patch
	if patch == nil {
		return adapters.Patched{}, p.unsupportedError("patch of a running program",
			"edit the source and session(action: restart), which keeps the breakpoints; or try values with variable(action: set)")
	}
	if code.File != "" {
		if code.File, err = p.session.FindFile(code.File); err != nil {
			return adapters.Patched{}, err
		}
	}
	f, err := p.Frame(ctx, thread, frame)
	if err != nil {
		return adapters.Patched{}, err
	}
	if thread == 0 {
		thread = p.Thread()
	}
	done, err := patch(ctx, p.connection, p.connection.AdapterThread(thread), f.Id, code)
	if err != nil {
		return adapters.Patched{}, p.session.Refusal(ctx, fault.Patch, "patch", err)
	}
	if p.event.Reason == "exception" {
		done.Notes = append(done.Notes, underWay)
	}
	p.forgetStacks() // replaced code may have replaced frames
	return done, nil
}

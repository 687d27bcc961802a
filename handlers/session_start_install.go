package handlers

import (
	"context"
	"errors"
	"fmt"

	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/mcp/client"
)

// install asks whether the component that a start lacked is to be installed, and
// does it. The error is the start's own where it is not.
func (h *Handlers) install(ctx context.Context, c *Call, failed error) error {
	var lacking *setup.Lacking
	if !errors.As(failed, &lacking) || !c.Client.Elicits() || h.Policy.Change(changesInstalled, "action") != nil || h.Setup.Store.Homeless() != nil {
		return failed
	}
	name, offer := lacking.Component.Name, lacking.Component.Offer()
	if offer == "" {
		return failed
	}
	said, err := c.elicit(ctx, client.Question{
		Key:     "install " + name,
		Message: fmt.Sprintf("aidb: %s. Install it now? (%s, kept in %s)", failed, offer, h.Setup.Store.Dir(name)),
	})
	switch {
	case err != nil:
		return err
	case !said.given:
		return withReason(failed, said.why)
	}
	steps, err := h.Setup.Install(ctx, []string{name}, setup.Options{}, installProgress(c))
	if err != nil {
		return err
	}
	h.journal.noteSteps(steps)
	for _, step := range steps { // one that others can do without was asked for here
		if step.Err != nil {
			return step.Err
		}
	}
	return nil
}

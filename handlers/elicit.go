package handlers

import (
	"context"
	"errors"
	"fmt"

	"aidb-mcp/internal/client"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/setup"
)

// answer is what a person said, or in words for the error that the call has
// without an answer why there is none.
type answer struct {
	given  bool
	choice string
	why    string
}

// elicit asks the person at the client, if there is one. The error ends the call.
func (c *Call) elicit(ctx context.Context, q client.Question) (answer, error) {
	c.tell("waiting for the user's answer", 0, 0)
	choice, err := c.Client.Elicit(ctx, q)
	switch {
	case err == nil:
		return answer{given: true, choice: choice}, nil
	case errors.Is(err, client.ErrUnsupported):
		return answer{}, nil
	case errors.Is(err, client.ErrDeclined):
		return answer{why: "the client was asked and declined"}, nil
	case errors.Is(err, client.ErrSilent):
		return answer{why: "the client was asked and did not answer"}, nil
	}
	return answer{}, err
}

// withReason adds to an error what became of a question.
func withReason(err error, why string) error {
	var f *fault.Error
	if why == "" || !errors.As(err, &f) {
		return err
	}
	told := *f
	told.Message += " (" + why + ")"
	return &told
}

// install asks whether the component that a start lacked is to be installed, and
// does it. The error is the start's own where it is not.
func (h *Handlers) install(ctx context.Context, c *Call, failed error) error {
	var lacking *setup.Lacking
	if !errors.As(failed, &lacking) || !c.Client.Elicits() || h.Policy.Change(changesInstalled, "action") != nil || h.Setup.Store.Homeless() != nil {
		return failed
	}
	offer := setup.Offer(lacking.Component)
	if offer == "" {
		return failed
	}
	said, err := c.elicit(ctx, client.Question{
		Key:     "install " + lacking.Component,
		Message: fmt.Sprintf("aidb: %s. Install it now? (%s, kept in %s)", failed, offer, h.Setup.Store.Dir(lacking.Component)),
	})
	switch {
	case err != nil:
		return err
	case !said.given:
		return withReason(failed, said.why)
	}
	steps, err := h.Setup.Install(ctx, []string{lacking.Component}, setup.Options{}, installProgress(c))
	if err != nil {
		return err
	}
	h.noteSteps(steps)
	for _, step := range steps { // one that others can do without was asked for here
		if step.Err != nil {
			return step.Err
		}
	}
	return nil
}

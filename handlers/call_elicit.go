package handlers

import (
	"context"
	"errors"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
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
	if why == "" {
		return err
	}
	return fault.Changed(err, func(f *fault.Error) { f.Message += " (" + why + ")" })
}

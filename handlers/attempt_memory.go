package handlers

import (
	"cmp"
	"context"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Attempts are those of a problem, for one who only looks; nil: there are none.
func (r *Registry) Attempts(ctx context.Context, problem string) (*responses.Envelope, error) {
	found, err := r.handlers.attempts.Remembered(ctx, problem)
	if err != nil {
		return responses.Failure(err), nil
	}
	if len(found.Rows) == 0 {
		return nil, fault.New(fault.InvalidParam, "nothing is remembered that was tried against %q, or no longer", problem)
	}
	return &responses.Envelope{Success: true, Summary: tally(found), Data: attemptsOf(found)}, nil
}

// triedFor is what was tried against the failure of a session, for one who takes it over;
// nil: nothing.
func (h *Handlers) triedFor(ctx context.Context, s *session.Session) *responses.Tried {
	return h.triedAgainst(ctx, h.problemOf(s.StartRequest()).ID)
}

func (h *Handlers) triedAgainst(ctx context.Context, problem string) *responses.Tried {
	if h.Memory == nil {
		return nil
	}
	found, err := h.attempts.Remembered(ctx, problem)
	if err != nil || len(found.Rows) == 0 { // attempt(list) says why
		return nil
	}
	tried := &responses.Tried{Problem: problem, Said: tally(found), Winner: attemptsOf(found).Winner}
	for _, row := range found.Rows[max(0, len(found.Rows)-mostTried):] {
		if row.Hypothesis != "" {
			tried.Last = append(tried.Last, fmt.Sprintf("%d %s: %s", row.N, row.Result, responses.Shorten(row.Hypothesis, summarized)))
		}
	}
	return tried
}

// mostTried is how many attempts context names.
const mostTried = 5

// recall adds to a diagnosis what was tried against it, or else what has mended the same
// failure elsewhere. What cannot be read is left out: attempt(list) says why.
func (h *Handlers) recall(ctx context.Context, request session.StartRequest, r *diagnose.Result, data *responses.Diagnosis, summary string) {
	if r.Session != nil {
		request = r.Session.StartRequest()
	}
	problem := h.problemOf(request)
	if data.Tried = h.triedAgainst(ctx, problem.ID); h.Memory == nil || data.Tried != nil && data.Tried.Winner != 0 {
		return
	}
	card := data.Card()
	card.Verdict, card.Message = string(r.Verdict), cmp.Or(card.Message, summary)
	data.Solved = solvedOf(h.attempts.Elsewhere(ctx, problem, failureOf(&card)))
}

package handlers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/pattern"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// list is what was tried, what came of it, and what once mended the same failure.
func (m *matter) list(ctx context.Context) (*responses.Envelope, error) {
	all, err := m.h.Memory.List(ctx, m.problem)
	if err != nil {
		return nil, unreadable(err)
	}
	env, data := listed(m.problem, all)
	if len(all) > 0 {
		m.solved(ctx, data, all[len(all)-1].Signature)
	}
	for i, a := range all {
		if given, err := keptIn(a); err == nil && m.written(given) {
			data.Candidates[i].Written = true
			env.Summary += fmt.Sprintf("; %d is written", a.N)
			env.NextSteps = []responses.NextStep{m.takeBack(a.N)}
			return env, nil
		}
	}
	m.offer(env, data)
	return env, nil
}

// listed are the attempts of a problem as rows.
func listed(problem string, all []attempts.Attempt) (*responses.Envelope, *responses.Attempts) {
	data := &responses.Attempts{Problem: problem, Candidates: []responses.Candidate{}}
	counts := map[string]int{}
	for _, a := range all {
		row := responses.Candidate{N: a.N, Hypothesis: a.Hypothesis, Result: a.Result, Failure: cardOf(a.Failure), Change: givenIn(a)}
		row.SameFailure = row.Failure != nil && signature(row.Failure) == a.Signature
		data.Candidates = append(data.Candidates, row)
		counts[a.Result]++
		if given, err := keptIn(a); a.Result == attempts.Passed {
			data.Win(a.N, err == nil && given.At != nil)
		}
	}
	return &responses.Envelope{Success: true, Summary: tally(len(all), counts), Data: data}, data
}

// Attempts are those of a problem, for one who only looks; nil: there are none.
func (r *Registry) Attempts(ctx context.Context, problem string) (*responses.Envelope, error) {
	all, err := r.own.Memory.List(ctx, problem)
	if err != nil {
		return responses.Failure(unreadable(err)), nil
	}
	if len(all) == 0 {
		return nil, fault.New(fault.InvalidParam, "nothing is remembered that was tried against %q, or no longer", problem)
	}
	env, _ := listed(problem, all)
	return env, nil
}

// triedFor is what was tried against the failure of a session, for one who takes it over;
// nil: nothing.
func (h *Handlers) triedFor(ctx context.Context, s *session.Session) *responses.Tried {
	return h.triedAgainst(ctx, h.problem(s.Again()))
}

func (h *Handlers) triedAgainst(ctx context.Context, problem string) *responses.Tried {
	if h.Memory == nil {
		return nil
	}
	all, err := h.Memory.List(ctx, problem)
	if err != nil || len(all) == 0 { // attempt(list) says why
		return nil
	}
	env, data := listed(problem, all)
	told := &responses.Tried{Problem: problem, Said: env.Summary, Winner: data.Winner}
	for _, row := range data.Candidates[max(0, len(all)-mostTried):] {
		if row.Hypothesis != "" {
			told.Last = append(told.Last, fmt.Sprintf("%d %s: %s", row.N, row.Result, responses.Shorten(row.Hypothesis, summarized)))
		}
	}
	return told
}

// mostTried is how many attempts context names.
const mostTried = 5

// tally is "5 attempts: 1 passed, 3 failed, 1 does not build".
func tally(all int, counts map[string]int) string {
	if all == 0 {
		return "nothing was tried yet"
	}
	var parts []string
	for _, r := range []struct{ result, words string }{
		{attempts.Passed, "passed"}, {attempts.Failed, "failed"}, {attempts.BuildFailed, "did not build"},
		{attempts.TimedOut, "timed out"}, {attempts.SameAs, "tried before"}, {attempts.Refused, "could not be tried"},
	} {
		if n := counts[r.result]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, r.words))
		}
	}
	return responses.Plural(all, "attempt") + ": " + strings.Join(parts, ", ")
}

// solved adds what has mended the same failure elsewhere.
func (m *matter) solved(ctx context.Context, data *responses.Attempts, signature string) {
	if signature == "" || data.Winner > 0 {
		return
	}
	found, err := m.h.Memory.Solved(ctx, signature, m.problem)
	if err != nil || found == nil {
		return
	}
	data.Solved = solvedBy(found)
}

func solvedBy(a *attempts.Attempt) *responses.Solved {
	return &responses.Solved{Problem: a.Problem, N: a.N, Hypothesis: a.Hypothesis, Change: givenIn(*a)}
}

// recall adds to a diagnosis what was tried against it, or else what has mended the same
// failure elsewhere. What cannot be read is left out: attempt(list) says why.
func (h *Handlers) recall(ctx context.Context, request session.StartRequest, r *diagnose.Result, data *responses.Diagnosis, summary string) {
	if r.Session != nil {
		request = r.Session.Again()
	}
	problem := h.problem(request)
	if data.Tried = h.triedAgainst(ctx, problem); h.Memory == nil || data.Tried != nil && data.Tried.Winner != 0 {
		return
	}
	card := data.Card()
	card.Verdict, card.Message = string(r.Verdict), cmp.Or(card.Message, summary)
	if found, err := h.Memory.Solved(ctx, signature(&card), problem); err == nil && found != nil {
		data.Solved = solvedBy(found)
	}
}

// told is the answer of a try.
func (m *matter) told(ctx context.Context, data *responses.Attempts) *responses.Envelope {
	counts := map[string]int{}
	for _, row := range data.Candidates {
		counts[row.Result]++
	}
	env := &responses.Envelope{Success: true, Summary: tally(len(data.Candidates), counts), Data: data}
	if data.Before != nil && data.Before.Verdict == "ok" { // whoever passes proves nothing
		env.Summary += "; the check passes without any change"
		data.Winner = 0
		return env
	}
	if data.Before != nil {
		m.solved(ctx, data, signature(data.Before))
	}
	m.offer(env, data)
	return env
}

// offer names the call that writes the winner.
func (m *matter) offer(env *responses.Envelope, data *responses.Attempts) {
	if env.Summary += data.Won(); !data.Writable() {
		return
	}
	call := responses.NewCall("attempt", "action", "apply", "n", data.Winner, "check", m.start)
	env.NextSteps = []responses.NextStep{call.Why("write it into the workspace")}
}

func (m *matter) forget(ctx context.Context) (*responses.Envelope, error) {
	n, err := m.h.Memory.Forget(ctx, m.problem)
	if err != nil {
		return nil, unreadable(err)
	}
	m.h.baselines.forget(m.problem)
	return &responses.Envelope{Success: true, Summary: responses.Plural(n, "attempt") + " forgotten"}, nil
}

var remote = pattern.New(`(?m)^\s*url\s*=\s*(\S+)\s*$`)

// identity names a workspace on every machine that has it: by where its repository comes
// from and its place in that, else by its path here.
func identity(workspace string) string {
	for dir, rest := workspace, "."; ; {
		text, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
		if m := remote.FindStringSubmatch(string(text)); err == nil && m != nil {
			url := m[1]
			if at := strings.LastIndexByte(url, '@'); at >= 0 { // a name, or a token
				url = url[at+1:]
			}
			return strings.TrimSuffix(url, ".git") + " " + filepath.ToSlash(rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return workspace
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}

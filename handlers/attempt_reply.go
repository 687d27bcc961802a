package handlers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/investigate/attempt"
	"aidb-mcp/responses"
)

// onceOnly is what a pass says of a check that may fail only sometimes.
const onceOnly = "if it fails only sometimes, one pass proves nothing: diagnose with repeat runs it until it fails"

// someRuns is how often a check is offered to be made that fails only sometimes.
const someRuns = 50

// attemptReply is the reply that tells a result.
func attemptReply(p attempt.Problem, r *attempt.Result, err error) (*responses.Envelope, error) {
	if err != nil {
		return nil, err
	}
	data := attemptsOf(r)
	nameCheck(data, p)
	env := &responses.Envelope{Success: true, Summary: tally(r), Data: data}
	switch {
	case r.Prompt != "":
		env.Summary = "this client gives servers no model to ask (sampling): answer the prompt yourself, and try it"
		call := responses.NewCall("attempt", "action", "try", "check", p.Start, "candidates", []attempt.Candidate{*r.Suspect})
		env.NextSteps = []responses.NextStep{call.Why("with your change as new, in place of the text that is old")}
		return env, nil
	case r.Passes(): // whoever passes proves nothing
		env.Summary += "; the check passes without any change; " + onceOnly
	case r.Unsteady != "":
		env.Summary += "; " + r.Unsteady + ", which proves no candidate right"
		env.NextSteps = []responses.NextStep{responses.Repeat("diagnose", p.Start, "repeat", someRuns).Why("how often it fails, and how")}
	case writtenOf(r) != 0:
		env.Summary += fmt.Sprintf("; %d is written", writtenOf(r))
		env.NextSteps = []responses.NextStep{takeBack(p, writtenOf(r))}
	default:
		offer(p, env, data)
	}
	if i := slices.IndexFunc(r.Rows, func(row attempt.Row) bool { return row.Unproven != "" }); i >= 0 && data.Winner == 0 && r.Unsteady == "" {
		env.Summary += "; " + r.Rows[i].Unproven + "; " + onceOnly
	}
	if r.Ended != "" {
		env.Summary += "; " + r.Ended
	}
	return env, nil
}

// nameCheck tells which check it is, where the call has not said it.
func nameCheck(data *responses.Attempts, p attempt.Problem) {
	if len(p.Latest) > 0 {
		data.Check = p.Latest
	}
}

// offer names the call that writes the winner.
func offer(p attempt.Problem, env *responses.Envelope, data *responses.Attempts) {
	if env.Summary += data.Won(); !data.Writable() {
		return
	}
	call := responses.NewCall("attempt", withCheck(p, "action", "apply", "n", data.Winner)...)
	env.NextSteps = []responses.NextStep{call.Why("write it into the workspace")}
}

// applyReply is the reply that tells what was written, or taken back.
func applyReply(p attempt.Problem, w *attempt.Written, err error) (*responses.Envelope, error) {
	if err != nil {
		return nil, err
	}
	data := &responses.Attempts{Problem: w.Problem, Changed: w.Changed}
	nameCheck(data, p)
	env := &responses.Envelope{Success: true, Summary: fmt.Sprintf("attempt %d is written", w.N), Data: data}
	switch {
	case w.Undone:
		env.Summary = fmt.Sprintf("attempt %d is taken back", w.N)
	case w.Lost != nil:
		data.Warnings = append(data.Warnings, "undo will not know it: "+w.Lost.Error())
	default:
		env.NextSteps = []responses.NextStep{takeBack(p, w.N)}
	}
	return env, nil
}

// takeBack is the call that takes a written attempt back.
func takeBack(p attempt.Problem, n int) responses.NextStep {
	return responses.NewCall("attempt", withCheck(p, "action", "apply", "n", n, "undo", true)...).Why("take it back")
}

// withCheck are arguments with the check, where the memory has it whole: what was worked on
// last needs none.
func withCheck(p attempt.Problem, args ...any) []any {
	if len(p.Start) == 0 {
		return args
	}
	return append(args, "check", p.Start)
}

// writtenOf is the number of the attempt that stands in the workspace; 0: none.
func writtenOf(r *attempt.Result) int {
	for _, row := range r.Rows {
		if row.Written {
			return row.N
		}
	}
	return 0
}

// attemptsOf is a result as a reply has it.
func attemptsOf(r *attempt.Result) *responses.Attempts {
	data := &responses.Attempts{
		Problem: r.Problem, Before: cardOf(r.Before), Workspace: r.Copied, Solved: solvedOf(r.Solved),
		Prompt: r.Prompt, Warnings: r.Warnings, How: strings.Join(helpedText(r), "; "),
	}
	if len(r.Rows) > 0 && r.Spent == nil && !r.Passes() && !slices.ContainsFunc(r.Rows, func(row attempt.Row) bool { return row.SameAs == 0 }) {
		data.Before = nil // all was tried before, against the failure that was told then
	}
	if r.Spent != nil {
		data.Spent = &responses.Spent{Rounds: r.Spent.Rounds, Tokens: r.Spent.Tokens, MS: r.Spent.MS}
	}
	if r.Rows != nil {
		data.Candidates = []responses.Candidate{}
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		data.Candidates = append(data.Candidates, candidateOf(row))
		if row.Won() && !r.Passes() {
			data.Win(row.N, row.Running, row.Runs)
		}
	}
	return data
}

func candidateOf(row *attempt.Row) responses.Candidate {
	return responses.Candidate{
		N: row.N, Hypothesis: row.Hypothesis, Result: row.Result, Written: row.Written, SameAs: row.SameAs, Was: row.Was, Why: cmp.Or(row.Unproven, row.Why),
		Passed: row.TestsPassed, Failed: row.TestsFailed, Hits: row.Hits, MS: row.MS,
		SameFailure: row.SameFailure, SamePlace: row.SamePlace, Failure: cardOf(row.Failure), Change: row.Change, On: row.Machine,
	}
}

func cardOf(f *attempt.Failure) *responses.FailureCard {
	if f == nil {
		return nil
	}
	return &responses.FailureCard{
		Verdict: f.Verdict, Message: f.Message, Location: f.Location, Function: f.Function, Culprit: (*responses.Culprit)(f.Culprit),
		Expected: f.Expected, Actual: f.Actual, Left: f.Left, Right: f.Right, Places: f.Places, Values: f.Values, Unread: f.Unread,
	}
}

// failureOf is a card as the engine of attempts has it.
func failureOf(c *responses.FailureCard) *attempt.Failure {
	return &attempt.Failure{
		Verdict: c.Verdict, Message: c.Message, Location: c.Location, Function: c.Function, Culprit: (*attempt.Culprit)(c.Culprit),
		Expected: c.Expected, Actual: c.Actual, Left: c.Left, Right: c.Right, Places: c.Places, Values: c.Values, Unread: c.Unread,
	}
}

func solvedOf(s *attempt.Solved) *responses.Solved {
	if s == nil {
		return nil
	}
	return &responses.Solved{Problem: s.Problem, N: s.N, Hypothesis: s.Hypothesis, Change: s.Change}
}

// tally is "5 attempts: 1 passed, 3 failed, 1 does not build".
func tally(r *attempt.Result) string {
	if len(r.Rows) == 0 {
		return "nothing was tried yet"
	}
	counts := map[string]int{}
	for _, row := range r.Rows {
		counts[row.Result]++
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
	return responses.Plural(len(r.Rows), "attempt") + ": " + strings.Join(parts, ", ")
}

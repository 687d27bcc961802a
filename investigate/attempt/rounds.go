package attempt

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"aidb-mcp/internal/mcp/client"
)

// proposalRun is a call of attempt(propose) between two of its rounds.
type proposalRun struct {
	id               string // that of nothing else: an answer to another call is none to this
	problem, sources string // what it was about, and how the workspace was then
	result           *Result

	over  time.Time     // while it works: when it must end
	left  time.Duration // while it waits: how long it may work still
	begun time.Time     // to work anew
	took  time.Duration // until then
	put   time.Time     // when it began to wait
}

// beginProposals begins such a call: the check is made without any change.
func (w *work) beginProposals(ctx context.Context, limit time.Duration) (*proposalRun, error) {
	pr := &proposalRun{
		id: rand.Text(), problem: w.ID, sources: w.sources.Sum, left: limit,
		result: &Result{Problem: w.ID, Rows: []Row{}, Spent: &Spent{}},
	}
	w.calls = true
	pr.resume()
	if err := w.runBaseline(ctx, pr.result, limit); err != nil {
		return nil, err
	}
	pr.pause()
	return pr, nil
}

// key names the question of this round, whenever the call is made.
func (pr *proposalRun) key() string {
	return fmt.Sprintf("propose %s %d", pr.id, pr.result.Spent.Rounds+1)
}

func (pr *proposalRun) resume() {
	pr.begun = time.Now()
	pr.over = pr.begun.Add(pr.left)
}

// pause stops its clock: what the model takes is not its time.
func (pr *proposalRun) pause() { pr.left, pr.took = time.Until(pr.over), pr.workedTime() }

func (pr *proposalRun) workedTime() time.Duration { return pr.took + time.Since(pr.begun) }

// spentText says what of the budget is used up; empty where another round can be made.
func (pr *proposalRun) spentText(q *Question, prompt string) string {
	spent := pr.result.Spent
	switch {
	case spent.Rounds >= q.Rounds:
		return roundsText(q.Rounds) + " made"
	case spent.Tokens+len(prompt)/bytesPerToken > q.Tokens:
		return fmt.Sprintf("the budget of %d tokens is spent", q.Tokens)
	case time.Until(pr.over) < shortestRun:
		return "the time is over"
	}
	return ""
}

func roundsText(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// pendingProposals are the calls that wait for an answer, which comes with the next
// call.
type pendingProposals struct {
	mu  sync.Mutex // guards all
	all []*proposalRun
}

// How many wait, and for how long.
const (
	mostProposals   = 16
	longestProposal = 10 * time.Minute
)

func (ps *pendingProposals) put(pr *proposalRun) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	pr.put = time.Now()
	ps.all = append(ps.all, pr)
	ps.all = ps.all[max(0, len(ps.all)-mostProposals):]
}

// take is the proposal that the call answers, once; nil where it begins one, or the
// workspace was edited meanwhile.
func (ps *pendingProposals) take(by client.Client, problem, sources string) *proposalRun {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var found *proposalRun
	var rest []*proposalRun
	for _, pr := range ps.all {
		switch {
		case time.Since(pr.put) > longestProposal:
		case pr.problem == problem && by.Answered(pr.key()):
			found = pr
		default:
			rest = append(rest, pr)
		}
	}
	ps.all = rest
	if found != nil && found.sources != sources {
		return nil
	}
	return found
}

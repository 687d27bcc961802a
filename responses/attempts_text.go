package responses

import (
	"cmp"
	"fmt"
	"strings"
)

func (a *Attempts) write(p *page) {
	p.fact("problem", a.Problem)
	p.fact("tried in", a.Workspace)
	p.under("before", func() { a.Before.write(p) })
	p.under("candidates", func() {
		for i := range a.Candidates {
			a.Candidates[i].write(p)
		}
	})
	if a.Winner != 0 && !p.says(fmt.Sprintf("%d is the first that passes", a.Winner)) {
		p.line("winner: %d", a.Winner)
	}
	p.list("changed", a.Changed)
	if a.Solved != nil {
		p.under("solved before", func() {
			p.line("%d of problem %s: %s", a.Solved.N, a.Solved.Problem, a.Solved.Hypothesis)
			p.within(inward, func() { p.walk("change", a.Solved.Change) })
		})
	}
	p.under("prompt", func() { p.text(a.Prompt) })
	if a.Spent != nil {
		p.line("spent: %d rounds, %d tokens, %d ms", a.Spent.Rounds, a.Spent.Tokens, a.Spent.MS)
	}
	p.rows("warnings", a.Warnings)
}

// write writes "2 failed, the same failure: wrong start (tests 3 passed, 1 failed; 850 ms)".
func (c *Candidate) write(p *page) {
	said := c.Result
	if c.N != 0 {
		said = fmt.Sprintf("%d %s", c.N, said)
	}
	if c.SameAs != 0 {
		said += fmt.Sprintf(" %d, which %s", c.SameAs, cmp.Or(c.Was, "was tried"))
	}
	if c.SameFailure {
		said += ", the same failure"
	}
	if c.Hypothesis != "" {
		said += ": " + c.Hypothesis
	}
	var counts []string
	if c.Passed+c.Failed > 0 {
		counts = append(counts, fmt.Sprintf("tests %d passed, %d failed", c.Passed, c.Failed))
	}
	if c.Hits != 0 {
		counts = append(counts, fmt.Sprintf("%d hits", c.Hits))
	}
	if c.MS != 0 {
		counts = append(counts, fmt.Sprintf("%d ms", c.MS))
	}
	if len(counts) > 0 {
		said += " (" + strings.Join(counts, "; ") + ")"
	}
	p.line("%s", said)
	p.within(inward, func() {
		p.fact("why", c.Why)
		c.Failure.write(p)
		p.walk("change", c.Change)
	})
}

// write writes "test_failure at test_shop.py:6 in test_total", the message and what was
// bad.
func (f *FailureCard) write(p *page) {
	if f == nil {
		return
	}
	said := f.Verdict
	if f.Location != "" {
		said += " at " + f.Location
	}
	if f.Function != "" {
		said += " in " + inline(f.Function)
	}
	p.line("%s", said)
	p.within(inward, func() {
		p.text(f.Message)
		if f.Culprit != nil {
			culprit := f.Culprit.Expression
			if f.Culprit.Value != "" {
				culprit += " = " + f.Culprit.Value
			}
			if f.Culprit.Why != "" {
				culprit += "  (" + f.Culprit.Why + ")"
			}
			p.fact("culprit", culprit)
		}
		p.fact("expected", f.Expected)
		p.fact("actual", f.Actual)
		p.fact("left", f.Left)
		p.fact("right", f.Right)
		p.list("places", f.Places)
	})
}

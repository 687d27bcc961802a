package responses

import (
	"fmt"
	"strings"
)

func (a *Attempts) write(p *page) {
	p.fact("problem", a.Problem)
	if a.Check != nil {
		p.walk("check", a.Check)
	}
	if a.Workspace != "" {
		p.line("workspace: a copy at %s", a.Workspace)
	}
	p.fact("how", a.How)
	p.under("before", func() { a.Before.write(p) })
	p.under("candidates", func() {
		for i := range a.Candidates {
			a.Candidates[i].write(p)
		}
	})
	if a.Winner != 0 && !p.says(strings.TrimPrefix(a.Won(), "; ")) {
		p.line("winner: %d", a.Winner)
	}
	p.list("changed", a.Changed)
	a.Solved.write(p)
	p.under("prompt", func() { p.text(a.Prompt) })
	if a.Spent != nil {
		p.line("spent: rounds %d, tokens %d, %d ms", a.Spent.Rounds, a.Spent.Tokens, a.Spent.MS)
	}
	p.rows("warnings", a.Warnings)
}

// write writes what was changed, and why.
func (s *Solved) write(p *page) {
	if s == nil {
		return
	}
	p.under("solved before", func() {
		p.line("%d of problem %s: %s", s.N, s.Problem, s.Hypothesis)
		p.within(inward, func() { p.walk("change", s.Change) })
	})
}

// write writes "2 failed, the same failure (tests 3 passed, 1 failed; 850 ms): wrong start".
func (c *Candidate) write(p *page) {
	said := c.Result
	switch {
	case c.SameAs != 0:
		said = fmt.Sprintf("%d same as before", c.N)
		if c.SameAs != c.N {
			said = fmt.Sprintf("%d same as %d before", c.N, c.SameAs)
		}
		if c.Was != "" {
			said += ", " + c.Was
		}
	case c.N != 0:
		said = fmt.Sprintf("%d %s", c.N, c.Result)
	}
	switch {
	case c.SameFailure:
		said += ", the same failure"
	case c.SamePlace:
		said += ", fails at the same place"
	}
	if counts := c.counts(); len(counts) > 0 {
		said += " (" + strings.Join(counts, "; ") + ")"
	}
	if c.Hypothesis != "" {
		said += ": " + c.Hypothesis
	}
	p.line("%s", said)
	p.within(inward, func() {
		if c.Written {
			p.line("written")
		}
		p.fact("why", c.Why)
		c.Failure.write(p)
		p.walk("change", c.Change)
	})
}

// counts are what a run has counted.
func (c *Candidate) counts() []string {
	var tests, counts []string
	if c.Passed > 0 {
		tests = append(tests, fmt.Sprintf("%d passed", c.Passed))
	}
	if c.Failed > 0 {
		tests = append(tests, fmt.Sprintf("%d failed", c.Failed))
	}
	if len(tests) > 0 {
		counts = append(counts, "tests "+strings.Join(tests, ", "))
	}
	if c.Hits > 0 {
		counts = append(counts, Plural(c.Hits, "hit"))
	}
	if c.MS > 0 {
		counts = append(counts, fmt.Sprintf("%d ms", c.MS))
	}
	if c.On != "" {
		counts = append(counts, "on "+c.On)
	}
	return counts
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
		p.list("values", f.Values)
		if f.Unread {
			p.line("not all that it compares was read")
		}
		p.list("places", f.Places)
	})
}

package trace

import (
	"fmt"
	"slices"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/investigate/trace/table"
)

// led is how many rows are shown that led to where two runs part.
const led = 10

// comparisonResult is the result of two runs: where they part, and what led there.
func (q Question) comparisonResult(first, second run) *Result {
	crowd := max(first.Log.Children(), second.Log.Children()) > 1
	if crowd {
		first, second = first.withoutChildren(), second.withoutChildren()
	}
	whole := first.Log.IsWhole() && second.Log.IsWhole()
	ours, lost := q.comparableTable(first, whole)
	theirs, _ := q.comparableTable(second, whole)
	compared := table.Compare(ours, theirs, min(led, q.Limit))
	pair := &Pair{
		Second: second.Recording, Endings: [2]recorded.Ending{recorded.EndingOf(first.Recording), recorded.EndingOf(second.Recording)},
		Compared: compared.Rows, Gaps: comparisonGaps(first, second, compared),
	}
	if crowd {
		pair.Gaps = append(pair.Gaps, "what the processes or threads did that the program has started: which of them does what differs from run to run")
	}
	pair.conclude(compared)
	ours.Cut(q.Limit, lost)
	return &Result{Table: ours, Run: first.Recording, Against: pair}
}

// withoutChildren is the run without what processes and threads did that it has started.
func (r run) withoutChildren() run {
	kept := *r.Recording
	kept.Log.Events = slices.DeleteFunc(slices.Clone(kept.Log.Events), func(e recording.Event) bool { return e.Child > 0 && e.Kind != recording.Apart })
	r.Recording = &kept
	return r
}

// conclude says whether the runs are the same, as far as what was compared allows it.
func (p *Pair) conclude(c table.Comparison) {
	ended := []evidence.Observation{p.Endings[0].Seen(1), p.Endings[1].Seen(2)}
	if c.First != nil {
		p.Parts = evidence.On(*c.First, rowObservation(1, c.First.Row, c.First.Ours), rowObservation(2, c.First.Row, c.First.Theirs))
	}
	otherwise := !p.Endings[0].Cut && !p.Endings[1].Cut && !p.Endings[0].Alike(p.Endings[1])
	p.Differs = p.Parts.Is() || otherwise
	if !p.Differs && c.Same() && len(p.Gaps) == 0 && p.Endings[0].Alike(p.Endings[1]) {
		p.Same = evidence.On(c.Rows, wholeRunObservation(1, c.Rows), append(ended, wholeRunObservation(2, c.Rows))...)
	}
}

// rowObservation is that a run had a row, or ended before it.
func rowObservation(run, row int, cells []string) evidence.Observation {
	o := evidence.Observation{Run: run, What: fmt.Sprintf("row %d", row+1), Value: "none: the run ended before it"}
	if len(cells) > 0 {
		o.At, o.Value = cells[0], fmt.Sprint(cells[1:])
	}
	return o
}

func wholeRunObservation(run, rows int) evidence.Observation {
	return evidence.Observation{Run: run, What: "rows, none dropped", Value: fmt.Sprint(rows)}
}

// comparisonGaps are what was not compared of two runs, and why.
func comparisonGaps(first, second run, c table.Comparison) []string {
	var list []string
	for i, r := range []run{first, second} {
		if why := unseenReason(r); why != "" {
			list = append(list, runs[i]+": "+why)
		}
	}
	if c.Unsure > 0 {
		list = append(list, fmt.Sprintf("values that are cut, in %d rows: what is shown of them is the same", c.Unsure))
	}
	return list
}

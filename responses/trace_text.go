package responses

import (
	"fmt"
	"strconv"
	"strings"
)

func (t *Trace) write(p *page) {
	if t.Judged != nil {
		t.writeMoments(p)
	} else if !p.says(fmt.Sprintf("%d hits", t.Hits)) && !p.says(fmt.Sprintf("%d hit", t.Hits)) {
		p.line("hits: %d", t.Hits)
	}
	if t.First != nil {
		t.First.write(p, t.Columns)
	}
	if t.Judged == nil || t.Hits > 1 && t.JudgedSecond == nil {
		t.writeRows(p)
	}
	if !t.hasGap() {
		p.number("dropped", t.Dropped)
	}
	if !p.says(t.Ended) {
		p.fact("ended", t.Ended)
	}
	if t.Running != nil {
		p.fact("id", t.ID)
		p.line("running: %t", *t.Running)
		p.number("waiting", int64(t.Waiting))
	}
	t.Trigger.write(p)
	t.Output.write(p)
	if t.Same != "" {
		p.line("same: %s", t.Same)
	}
	endings := make([]string, len(t.Endings))
	for i, e := range t.Endings {
		endings[i] = e.line()
	}
	p.rows("endings", endings)
	p.fact("how", t.How)
	p.rows("warnings", t.Notes)
	writeEvidence(p, t.Evidence)
}

// dropped is how many rows are missing where the rest are not counted either.
func (t *Trace) dropped() string {
	if t.Dropped == 0 {
		return "some"
	}
	return strconv.FormatInt(t.Dropped, 10)
}

// hasGap says that rows are missing between two of those that are there.
func (t *Trace) hasGap() bool { return t.Gap > 0 && t.Gap <= len(t.Rows) }

// writeRows writes the rows as a table, which says where some are missing. What is
// the same in all of them is said once, above.
func (t *Trace) writeRows(p *page) {
	columns, rows, same := takeCommon(t.Columns, t.Rows)
	if t.hasGap() {
		gap := []string{fmt.Sprintf("… after row %d: %s dropped", t.Gap, t.dropped())}
		rows = append(append(rows[:t.Gap:t.Gap], gap), rows[t.Gap:]...)
	}
	header := "rows"
	if len(same) > 0 {
		header += ", each with " + strings.Join(same, ", ")
	}
	p.under(header, func() {
		if len(rows) > 0 {
			p.table(columns, rows)
		}
	})
}

// write writes the row in which two runs part, as each has it.
func (f *Parting) write(p *page, columns []string) {
	p.under("first difference", func() {
		if !p.says(fmt.Sprintf("row %d", f.Row)) {
			p.line("row: %d", f.Row)
		}
		var rows [][]string
		for _, side := range []struct {
			whose string
			row   []string
		}{{"ours", f.Ours}, {"theirs", f.Theirs}} {
			if side.row == nil {
				rows = append(rows, []string{side.whose, "ended before"})
				continue
			}
			rows = append(rows, append([]string{side.whose}, side.row...))
		}
		p.table(append([]string{"run"}, columns...), rows)
	})
}

// writeMoments writes the first moment, and how often was judged.
func (t *Trace) writeMoments(p *page) {
	if t.JudgedSecond != nil {
		t.writeParted(p)
		return
	}
	if t.Moment != nil {
		t.Moment.write(p, "first")
	}
	if !p.says(fmt.Sprintf("%d judgement", *t.Judged)) && !p.says(fmt.Sprintf("judgement %d", *t.Judged)) {
		p.line("judged: %d", *t.Judged)
	}
	p.number("judged in vain", t.Failed)
	p.line("hits: %d", t.Hits)
}

// writeParted writes where two runs part, as each has it, and how often was judged.
func (t *Trace) writeParted(p *page) {
	if t.Moment != nil {
		t.Moment.write(p, "first")
	}
	if t.Second != nil {
		t.Second.write(p, "second")
	}
	if text := fmt.Sprintf("%d in the first run, %d in the second", *t.Judged, *t.JudgedSecond); *t.Judged != *t.JudgedSecond || t.Moment != nil || t.Second != nil {
		p.fact("judged", text)
	}
	if !p.says(fmt.Sprintf("%d values", t.Hits)) {
		p.line("hits: %d", t.Hits)
	}
}

func (m *Moment) write(p *page, name string) {
	p.under(name, func() {
		if !p.says(m.At) {
			p.place(m.At, m.Function)
		}
		p.fact("code", m.Code)
		for _, part := range []struct {
			name   string
			values []PartValue
		}{{"before", m.Before}, {"after", m.After}, {"values", m.Values}} {
			texts := make([]string, len(part.values))
			for i, v := range part.values {
				texts[i] = v.Expression + " = " + v.Value
			}
			p.fact(part.name, strings.Join(texts, ", "))
		}
		if m.Instance > 0 && !p.says(fmt.Sprintf("instance %d, with %d", m.Instance, m.Among)) {
			p.line("instance: %d, with %d that were there", m.Instance, m.Among)
		}
		p.fact("judged before", m.Seen)
		p.number("event", m.Event)
		p.fact("thread", m.Thread)
		p.rows("stack", m.Stack)
	})
}

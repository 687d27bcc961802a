package responses

import "fmt"

func (t *Trace) write(p *page) {
	if !p.says(fmt.Sprintf("%d hits", t.Hits)) && !p.says(fmt.Sprintf("%d hit", t.Hits)) {
		p.line("hits: %d", t.Hits)
	}
	if t.First != nil {
		t.First.write(p, t.Columns)
	}
	p.under("rows", func() { t.writeRows(p) })
	p.number("dropped", t.Dropped)
	p.fact("ended", t.Ended)
	t.Output.write(p)
	p.fact("how", t.How)
	p.rows("warnings", t.Notes)
}

// writeRows writes the rows as a table, which says where some are missing.
func (t *Trace) writeRows(p *page) {
	if len(t.Rows) == 0 {
		return
	}
	rows := t.Rows
	if t.Gap > 0 && t.Gap <= len(rows) {
		gap := []string{fmt.Sprintf("… after row %d: %d dropped", t.Gap, t.Dropped)}
		rows = append(append(append([][]string{}, rows[:t.Gap]...), gap), rows[t.Gap:]...)
	}
	p.table(t.Columns, rows)
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

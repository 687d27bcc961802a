package responses

import "strconv"

func (d *Profile) write(p *page) {
	if d.kind == ofMemory {
		d.writeMemory(p)
	} else {
		d.writeShares(p, "rows", d.Rows)
		d.writeShares(p, "functions", d.Functions)
		p.rows("hottest", d.Hottest)
		if d.Samples != nil && !p.says(Plural(int(*d.Samples), "sample")) {
			p.line("samples: %d", *d.Samples)
		}
	}
	p.rows("holder", d.Holder)
	for _, way := range d.Holders {
		p.rows("other holder", way)
	}
	p.line("seconds: %s", decimal(d.Seconds))
	p.number("cpu ms", d.CPU)
	if d.Compared > 0 {
		p.line("since: %s", decimal(d.Compared))
	}
	if s := d.Second; s != nil {
		p.under("second", func() {
			if s.Samples != nil {
				p.line("samples: %d", *s.Samples)
			}
			p.line("seconds: %s", decimal(s.Seconds))
			p.number("cpu ms", s.CPU)
			p.number("bytes", s.Bytes)
			p.fact("ended", s.Ended)
		})
	}
	if !p.says(d.Ended) {
		p.fact("ended", d.Ended)
	}
	d.Output.write(p)
	p.fact("file", d.File)
	p.fact("how", d.How)
	p.fact("cost", d.Cost)
	p.rows("warnings", d.Notes)
}

// decimal is a number with a digit behind the point, where that is not 0.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func share(f *float64) string {
	if f == nil {
		return ""
	}
	return decimal(*f) + "%"
}

func whole(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// writeShares writes rows that have shares.
func (d *Profile) writeShares(p *page, header string, rows []ProfileRow) {
	columns := []string{"self", "total", "self ms", "total ms", "self 2", "total 2", "self ms 2", "total ms 2", "at", "function", "waits for", "library", "code"}
	var table [][]string
	for _, r := range rows {
		line := []string{share(r.Self), share(r.Total), whole(r.SelfMS), whole(r.TotalMS), "", "", "", "", r.At, r.Function, r.WaitsFor, r.Library, r.Code}
		if s := r.Second; s != nil {
			line[4], line[5], line[6], line[7] = decimal(s.Self)+"%", decimal(s.Total)+"%", whole(s.SelfMS), whole(s.TotalMS)
		}
		table = append(table, line)
	}
	writeTable(p, header, columns, table)
}

func writeTable(p *page, header string, columns []string, table [][]string) {
	columns, table = filledColumns(columns, table)
	p.under(header, func() {
		if len(table) > 0 {
			p.table(columns, table)
		}
	})
}

// writeMemory writes rows of what is held.
func (d *Profile) writeMemory(p *page) {
	for _, part := range []struct {
		header string
		rows   []ProfileRow
	}{{"rows", d.Rows}, {"lines", d.Lines}} {
		var table [][]string
		for _, r := range part.rows {
			line := []string{whole(r.Grown), whole(r.GrownBy), whole(r.Count), whole(r.Bytes), "", r.Type, r.At, r.Function, r.Library, r.Code}
			if r.Second != nil {
				line[4] = whole(r.Second.Bytes)
			}
			table = append(table, line)
		}
		writeTable(p, part.header, []string{"grown", "grown count", "count", "bytes", "bytes 2", "type", "at", "function", "library", "code"}, table)
	}
	for _, n := range []struct {
		name  string
		value int64
	}{{"count", d.Count}, {"bytes", d.Bytes}, {"grown", d.Grown}} {
		p.number(n.name, n.value)
	}
}

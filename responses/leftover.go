package responses

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Left is one thing that a program has left running at its end, or several that are alike.
type Left struct {
	Kind     string `json:"kind"`
	Name     string `json:"name,omitempty"`
	MadeAt   string `json:"made_at,omitempty"` // where the user's code has made it; empty: not known
	MadeIn   string `json:"made_in,omitempty"` // the function there
	Test     string `json:"test,omitempty"`    // that has made it; empty: not known
	WaitsFor string `json:"waits_for,omitempty"`
	At       string `json:"at,omitempty"`
	Function string `json:"function,omitempty"`
	Count    int    `json:"count"`
}

// Counted is "1 goroutine", "2 processes".
func Counted(n int, kind string) string {
	switch {
	case n == 1:
		return "1 " + kind
	case strings.HasSuffix(kind, "s"):
		return fmt.Sprintf("%d %ses", n, kind)
	}
	return fmt.Sprintf("%d %ss", n, kind)
}

// leftColumns are those of the table of what was left, each with what it holds.
var leftColumns = []struct {
	name string
	cell func(l Left) string
}{
	{"count", func(l Left) string { return strconv.Itoa(l.Count) }},
	{"kind", func(l Left) string { return l.Kind }},
	{"name", func(l Left) string { return l.Name }},
	{"made_at", func(l Left) string { return l.MadeAt }},
	{"made_in", func(l Left) string { return l.MadeIn }},
	{"test", func(l Left) string { return l.Test }},
	{"waits_for", func(l Left) string { return l.WaitsFor }},
	{"at", func(l Left) string { return l.At }},
	{"function", func(l Left) string { return l.Function }},
}

// writeLeftover writes what was left as a table, without the columns that say nothing.
func (d *Diagnosis) writeLeftover(p *page) {
	if len(d.Leftover) == 0 {
		return
	}
	var columns []string
	rows := make([][]string, len(d.Leftover))
	for _, c := range leftColumns {
		if !slices.ContainsFunc(d.Leftover, func(l Left) bool { return c.cell(l) != "" }) {
			continue
		}
		columns = append(columns, c.name)
		for i, l := range d.Leftover {
			rows[i] = append(rows[i], cmp.Or(c.cell(l), "-"))
		}
	}
	p.table(columns, rows)
}

// trimLeftover keeps the first rows.
func (d *Diagnosis) trimLeftover(keep int) trim {
	return func(over int) bool {
		if len(d.Leftover) <= keep {
			return false
		}
		d.leftTotal = max(d.leftTotal, len(d.Leftover))
		d.Leftover = d.Leftover[:cutRows(d.Leftover, over, keep)]
		return true
	}
}

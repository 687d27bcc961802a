package table

import (
	"strings"
	"testing"
)

// Rows that begin alike show where they differ, and the first all that they share.
func TestRowsThatBeginAlike(t *testing.T) {
	long := "deal(season={" + strings.Repeat("lent: 0, ", 10)
	for name, c := range map[string]struct {
		cells, want []string
		shares      bool
	}{
		"a long beginning":   {[]string{long + "n=1)", long + "n=2)", long + "n=13)"}, []string{long + "n=1)", "…2)", "…13)"}, true},
		"a short one":        {[]string{"deal(n=1)", "deal(n=2)"}, []string{"deal(n=1)", "deal(n=2)"}, false},
		"all the same":       {[]string{long, long}, []string{long, long}, false},
		"one row":            {[]string{long}, []string{long}, false},
		"nothing in common":  {[]string{long, "x"}, []string{long, "x"}, false},
		"one is a beginning": {[]string{long + "n=1)", long}, []string{long + "n=1)", "…"}, true},
	} {
		table := &Table{Columns: []string{"at", "call"}}
		for _, cell := range c.cells {
			table.Rows = append(table.Rows, []string{"a:1", cell})
			table.weights = append(table.weights, 1)
		}
		table.Cut(50, 0)
		var got []string
		for _, cells := range table.Rows {
			got = append(got, cells[1])
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") || table.Shares != c.shares {
			t.Errorf("%s: got %q, %v", name, got, table.Shares)
		}
	}
}

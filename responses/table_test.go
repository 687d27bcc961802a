package responses

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What all rows have is said once; where rows are missing the table says so; a cell
// stays in its line.
func TestTablesOfTraces(t *testing.T) {
	for want, data := range map[string]*Trace{
		`3 hits of values
rows, each with at a.go:1
 x      y
 1      one\n\ttwo
 -      2
 … after row 2: 7 dropped
 three  3`: {
			Columns: []string{"at", "x", "y"}, Gap: 2, Dropped: 7, Hits: 3,
			Rows: [][]string{{"a.go:1", "1", "one\n\ttwo"}, {"a.go:1", "", "2"}, {"a.go:1", "three", "3"}},
		},
		`3 hits of values
rows
 at      x
 a.go:1  1`: {Columns: []string{"at", "x"}, Rows: [][]string{{"a.go:1", "1"}}, Hits: 3},
		`3 hits of values
rows, each with at a.go:1
 x
 1
 1`: {Columns: []string{"at", "x"}, Rows: [][]string{{"a.go:1", "1"}, {"a.go:1", "1"}}, Hits: 3},
		`3 hits of values
dropped: 3
ended: signal SIGKILL`: {Columns: []string{"at", "x"}, Hits: 3, Dropped: 3, Ended: "signal SIGKILL"},
	} {
		got := string(Fit(&Envelope{Success: true, Summary: "3 hits of values", Data: data}, 8000, Text).Text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFilledColumns(t *testing.T) {
	columns, rows := filledColumns([]string{"a", "b", "c"}, [][]string{{"1", "", "2"}, {"", "", "3"}})
	if diff := cmp.Diff([]string{"a", "c"}, columns) + cmp.Diff([][]string{{"1", "2"}, {"", "3"}}, rows); diff != "" {
		t.Error(diff)
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		text, fact string
		want       bool
	}{
		{"stopped at calc.go:7 in f", "calc.go:7", true}, {"stopped at calc.go:70 in f", "calc.go:7", false},
		{"exited with code 13", "code 1", false}, {"a code 13 and a code 1", "code 1", true}, {"anything", "", true}, {"", "x", false},
	} {
		if got := containsWord(c.text, c.fact); got != c.want {
			t.Errorf("%q in %q: %v", c.fact, c.text, got)
		}
	}
}

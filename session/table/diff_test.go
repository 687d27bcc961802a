package table

import (
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	table := func(rows ...[]string) *Table { return &Table{Columns: []string{"at", "x", "thread"}, Rows: rows} }
	ours := table([]string{"a:1", "1", ""}, []string{"a:1", "T at 0x10", "w"}, []string{"a:1", "2", ""}, []string{"a:2", "5", ""})
	same := table([]string{"a:1", "T at 0x20", "w"}, []string{"a:1", "1", ""}, []string{"a:1", "2", ""}, []string{"a:2", "5", ""})
	if d := Compare(ours, same, 3); d != nil {
		t.Errorf("only the order of threads and addresses differ: %+v", d)
	}
	parted := table([]string{"a:1", "1", ""}, []string{"a:1", "3", ""}, []string{"a:2", "5", ""}, []string{"a:1", "T at 0x10", "w"})
	d := Compare(ours, parted, 3)
	if d == nil || d.Row != 1 || !slices.Equal(d.Ours, []string{"a:1", "2", ""}) || !slices.Equal(d.Theirs, []string{"a:1", "3", ""}) || len(d.Before) != 1 {
		t.Errorf("they part at the second row: %+v", d)
	}
	shorter := table([]string{"a:1", "1", ""}, []string{"a:1", "T at 0x10", "w"}, []string{"a:1", "2", ""})
	if d := Compare(ours, shorter, 3); d == nil || d.Theirs != nil || d.Ours == nil || d.Row != 2 {
		t.Errorf("theirs ends first: %+v", d)
	}
}

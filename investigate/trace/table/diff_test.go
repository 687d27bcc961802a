package table

import (
	"slices"
	"strconv"
	"testing"

	"aidb-mcp/internal/recording"
)

func hit(at, x, thread string) row { return row{at: at, thread: thread, cells: []string{x}} }

func TestCompare(t *testing.T) {
	table := func(rows ...row) *Table { return newTable([]string{"x"}, rows) }
	ours := table(hit("a:1", "1", ""), hit("a:1", "T at 0x10", "w"), hit("a:1", "2", ""), hit("a:2", "5", ""))
	same := table(hit("a:1", "T at 0x20", "w"), hit("a:1", "1", ""), hit("a:1", "2", ""), hit("a:2", "5", ""))
	if d := Compare(ours, same, 3).First; d != nil {
		t.Errorf("only the order of threads and addresses differ: %+v", d)
	}
	parted := table(hit("a:1", "1", ""), hit("a:1", "3", ""), hit("a:2", "5", ""), hit("a:1", "T at 0x10", "w"))
	d := Compare(ours, parted, 3).First
	if d == nil || d.Row != 1 || !slices.Equal(d.Ours, []string{"a:1", "2", ""}) || !slices.Equal(d.Theirs, []string{"a:1", "3", ""}) || len(d.Before) != 1 {
		t.Errorf("they part at the second row: %+v", d)
	}
	shorter := table(hit("a:1", "1", ""), hit("a:1", "T at 0x10", "w"), hit("a:1", "2", ""))
	if d := Compare(ours, shorter, 3).First; d == nil || d.Theirs != nil || d.Ours == nil || d.Row != 2 {
		t.Errorf("theirs ends first: %+v", d)
	}
	if d := Compare(table(hit("a:1", "1", ""), hit("a:1", "1", "")), table(hit("a:1", "1", ""), hit("a:1", "2", "")), 3).First; d == nil ||
		!slices.Equal(d.Columns, []string{"at", "x"}) || d.Row != 1 || !slices.Equal(d.Theirs, []string{"a:1", "2"}) {
		t.Errorf("rows that are folded are compared each: %+v", d)
	}
}

// The numbers of goroutines differ from run to run.
func TestCompareNumberedThreads(t *testing.T) {
	table := func(rows ...row) *Table { return newTable([]string{"x"}, rows) }
	ours := table(hit("a:1", "1", "7"), hit("a:1", "2", "9"))
	if d := Compare(ours, table(hit("a:1", "2", "20"), hit("a:1", "1", "31")), 3).First; d != nil {
		t.Errorf("they did the same: %+v", d)
	}
	if d := Compare(ours, table(hit("a:1", "3", "20"), hit("a:1", "1", "31")), 3).First; d == nil || !slices.Equal(d.Ours, []string{"a:1", "2", "9"}) || d.Theirs[1] != "3" {
		t.Errorf("one of them did another thing: %+v", d)
	}
	unnamed := table(hit("a:1", "1", ""), hit("a:1", "2", "9"), hit("a:1", "3", "10"))
	if d := Compare(unnamed, table(hit("a:1", "2", ""), hit("a:1", "3", "20"), hit("a:1", "1", "31")), 3).First; d != nil {
		t.Errorf("another one of them goes without a number: %+v", d)
	}
	if d := Compare(unnamed, table(hit("a:1", "2", ""), hit("a:1", "4", "20"), hit("a:1", "1", "31")), 3).First; d == nil || d.Threads != [2]string{"10", "20"} {
		t.Errorf("and one of the others did another thing: %+v", d)
	}
	if d := Compare(ours, table(hit("a:1", "2", "20")), 3).First; d == nil || d.Theirs != nil || d.Ours[1] != "1" {
		t.Errorf("one of them is missing: %+v", d)
	}
}

// Rows that only the end was kept of are cut from the beginning, where the others are
// missing.
func TestCutOfARunWhoseBeginningIsLost(t *testing.T) {
	log := recording.Log{Dropped: 90}
	for i := range 10 {
		log.Events = append(log.Events, recording.Event{Kind: recording.Hit, Seq: int64(91 + i), Values: []recording.Value{{Text: strconv.Itoa(90 + i)}}})
	}
	table := Values(log, []string{"i"}, func(at string) string { return at })
	table.Truncated = true
	table.Cut(4, log.Dropped)
	if table.Gap != 0 || table.Hits != 100 || table.Dropped != 96 || table.Rows[0][1] != "96" || table.Rows[3][1] != "99" {
		t.Errorf("%+v", table)
	}
}

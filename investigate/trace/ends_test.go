package trace

import (
	"slices"
	"strconv"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// Of very many writes the table is made of the first and the last ones alone, and is what it would be
// of all: what lies between is counted, and no row is said to have come more often than was looked at.
func TestTableOfVeryManyWrites(t *testing.T) {
	const made = 20_000
	for name, c := range map[string]struct {
		value     func(i int) int // that the i-th write puts there
		missing   [2]int          // from and to, of the writes that were not kept
		first     string
		trimmed   bool
		elsewhere bool
	}{
		"each another":             {func(i int) int { return i }, [2]int{}, "1", true, false},
		"all alike":                {func(int) int { return 7 }, [2]int{}, "7", true, false},
		"some of them not kept":    {func(i int) int { return i }, [2]int{8000, 9000}, "1", true, false},
		"not kept among the first": {func(i int) int { return i }, [2]int{100, 200}, "1", false, false},
		"one of them to another":   {func(i int) int { return i }, [2]int{}, "1", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := recording.Log{Total: made}
			for i := 1; i <= made; i++ {
				if i >= c.missing[0] && i < c.missing[1] {
					log.Dropped++
					continue
				}
				log.Events = append(log.Events, recording.Event{
					Kind: recording.Write, Seq: int64(i), At: "a:1", Place: "o1.x", Among: int64(i),
					Values: []recording.Value{{Text: "0"}, {Text: strconv.Itoa(c.value(i))}},
				})
			}
			if c.elsewhere {
				log.Events[5000].Place = "o2.x"
			}
			of, left := endsOf(log)
			if (left > 0) != c.trimmed || len(of.Events)+int(left) != len(log.Events) {
				t.Errorf("%d events, and %d left out", len(of.Events), left)
			}
			r := run{Recording: &session.Recording{Log: log}, rel: func(at string) string { return at }}
			got := Question{What: Writes, Limit: 4}.shownTable(r)
			if got.Hits != made || got.Dropped+rowHits(got.Columns, got.Rows) != made {
				t.Errorf("%d hits, %d dropped, rows %q", got.Hits, got.Dropped, got.Rows)
			}
			if value := got.Rows[0][3]; value != c.first || got.Rows[len(got.Rows)-1][3] != strconv.Itoa(c.value(made)) {
				t.Errorf("rows %q", got.Rows)
			}
		})
	}
}

// rowHits is how many hits the rows stand for.
func rowHits(columns []string, rows [][]string) (n int64) {
	at := slices.Index(columns, "times")
	for _, row := range rows {
		times := 1
		if at >= 0 {
			times, _ = strconv.Atoi(row[at])
		}
		n += int64(times)
	}
	return n
}

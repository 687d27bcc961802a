package inside

import (
	"encoding/json"
	"fmt"
	"time"

	"aidb-mcp/internal/recording/live"
)

// Report is what a recorder in a program reports at once.
type Report struct {
	Rows  []live.Row
	Notes []string // what else is to be known of the rows
	Out   string   // it was taken out, and why
	More  int      // rows that wait still
	End   bool     // it was taken out as it was asked

	isCounted                            bool // it has counts
	hits, matched, unread, dropped, read int64
}

// Into enters the counts, where they were told: the word that it has ended need not have any.
func (t *Report) Into(s *live.State) {
	if !t.isCounted {
		return
	}
	s.Hits, s.Matched, s.Unread, s.Dropped, s.Rows, s.Out, s.Notes = t.hits, t.matched, t.unread, t.dropped, t.read, t.Out, t.Notes
}

// message is what is sent.
type message struct {
	Rows    []toldRow `json:"rows"`
	Hits    *int64    `json:"hits"`
	Matched int64     `json:"matched"`
	Unread  int64     `json:"unread"`
	Dropped int64     `json:"dropped"`
	Read    int64     `json:"read"`
	Out     string    `json:"out"`
	Notes   []string  `json:"notes"`
	More    int       `json:"more"`
	End     bool      `json:"end"`
}

// Read reads a message of a program's.
func Read(text []byte) (*Report, error) {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("reading what the program tells: %w", err)
	}
	t := &Report{Notes: m.Notes, Out: m.Out, More: m.More, End: m.End, matched: m.Matched, unread: m.Unread, dropped: m.Dropped, read: m.Read}
	if m.Hits != nil {
		t.isCounted, t.hits = true, *m.Hits
	}
	for _, r := range m.Rows {
		t.Rows = append(t.Rows, live.Row(r))
	}
	return t, nil
}

// toldRow is a row as a program tells it: its number, nanoseconds since it was armed, the kind,
// the thread's number and name, the function, the file, the line, the call, the values; and, where
// there are such, the number of the task.
type toldRow live.Row

// MarshalJSON writes a list of these.
func (r toldRow) MarshalJSON() ([]byte, error) {
	values := make([]value, len(r.Values))
	for i, v := range r.Values {
		values[i] = value(v)
	}
	return json.Marshal([]any{r.N, int64(r.At), int(r.Kind), r.Thread, r.Who, r.Function, r.File, r.Line, r.Call, values, r.Task})
}

// UnmarshalJSON reads a list of these.
func (r *toldRow) UnmarshalJSON(text []byte) error {
	var (
		at     int64
		kind   int
		values []value
	)
	fields := []any{&r.N, &at, &kind, &r.Thread, &r.Who, &r.Function, &r.File, &r.Line, &r.Call, &values, &r.Task}
	most := len(fields)
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if n := len(fields); n != most && n != most-1 || kind < int(live.Pass) || kind > int(live.Written) {
		return fmt.Errorf("a row of %d fields, of kind %d", len(fields), kind)
	}
	r.At, r.Kind = time.Duration(at), live.Kind(kind)
	for _, v := range values {
		r.Values = append(r.Values, live.Value(v))
	}
	return nil
}

// value is told as its name, its text, why there is none, and whether it is cut.
type value live.Value

// MarshalJSON writes a list of these.
func (v value) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{v.Name, v.Text, v.Missing, v.Cut})
}

// UnmarshalJSON reads a list of these.
func (v *value) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&v.Name, &v.Text, &v.Missing, &v.Cut})
}

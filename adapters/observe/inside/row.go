package inside

import (
	"encoding/json"
	"fmt"
	"time"

	"aidb-mcp/internal/recording/live"
)

// toldRow is a row as a program tells it: its number, nanoseconds since it was armed, the kind,
// the thread's number and name, the function, the file, the line, the call, the values.
type toldRow live.Row

// UnmarshalJSON reads a list of these.
func (r *toldRow) UnmarshalJSON(text []byte) error {
	var (
		at     int64
		kind   int
		values []value
	)
	fields := []any{&r.N, &at, &kind, &r.Thread, &r.Who, &r.Function, &r.File, &r.Line, &r.Call, &values}
	n := len(fields)
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if len(fields) != n || kind < int(live.Pass) || kind > int(live.Written) {
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

// UnmarshalJSON reads a list of these.
func (v *value) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&v.Name, &v.Text, &v.Missing, &v.Cut})
}

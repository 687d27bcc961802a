package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/store"
)

func newUsageCommand(a *app) *cobra.Command {
	o := usageOptions{by: "tool"}
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Show what was used: calls, time, bytes and tokens",
		Long: "Adds up the calls of all servers of this user, or of all that share a database (--store): how many, how many failed, how long they took,\n" +
			"how large questions and answers were, and how many tokens that comes to (estimated, four bytes each).\n" +
			"What was asked and answered is not in the account.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.asJSON && o.asCSV {
				return errors.New("give --json or --csv, not both")
			}
			place, err := a.storePlace()
			if err != nil {
				return err
			}
			list, err := store.Read(cmd.Context(), place, time.Time(o.since), string(o.by))
			if err != nil {
				return err
			}
			return o.print(a.stdout, list)
		},
	}
	cmd.Flags().Var(&o.since, "since", "add up the calls since then: `time` ago such as 7d, 24h or 90m, or a date such as 2026-11-01 (default: all that are kept, 90 days)")
	cmd.Flags().Var(&o.by, "by", "`key` to add up by: "+strings.Join(store.Keys, ", ")+" (default tool)")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print a list of objects as JSON")
	cmd.Flags().BoolVar(&o.asCSV, "csv", false, "print CSV with a line of names")
	return cmd
}

type usageOptions struct {
	since         moment
	by            usageKey
	asJSON, asCSV bool
}

func (o usageOptions) print(w io.Writer, list []store.Usage) error {
	switch {
	case o.asJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(append([]store.Usage{}, list...)) // an empty list is none at all otherwise
	case o.asCSV:
		return usageCSV(w, string(o.by), list)
	case len(list) == 0 && time.Time(o.since).IsZero():
		_, err := fmt.Fprintln(w, "no calls yet")
		return err
	case len(list) == 0:
		_, err := fmt.Fprintln(w, "no calls since", time.Time(o.since).Format(shownTime))
		return err
	}
	return usageTable(w, string(o.by), list)
}

// shownTime is how a time is shown to people.
const shownTime = "2006-01-02 15:04"

// usageCSV has the names and numbers of the JSON.
func usageCSV(w io.Writer, by string, list []store.Usage) error {
	out := csv.NewWriter(w)
	names := []string{by, "calls", "failed", "ms", "bytes_in", "bytes_out", "tokens_in", "tokens_out"}
	if by == "session" {
		names = slices.Insert(names, 1, "began")
	}
	_ = out.Write(names) // errors come with Flush
	for _, u := range list {
		line := append([]string{u.Value}, usageNumbers(u)...)
		line[3] = strconv.FormatFloat(u.Ms, 'f', -1, 64)
		if by == "session" {
			began := ""
			if !u.Began.IsZero() {
				began = u.Began.Format(time.RFC3339Nano)
			}
			line = slices.Insert(line, 1, began)
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// usageNumbers are the columns after the key.
func usageNumbers(u store.Usage) []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		number(u.Calls), number(u.Failed), seconds(u.Ms),
		number(u.BytesIn), number(u.BytesOut), number(u.TokensIn), number(u.TokensOut),
	}
}

// seconds is a time as people read it.
func seconds(ms float64) string {
	return strconv.FormatFloat(math.Round(ms)/1000, 'f', 3, 64)
}

// usageTable has the key on the left and the numbers on the right of their
// columns, and the sum of all below.
func usageTable(w io.Writer, by string, list []store.Usage) error {
	rows := [][]string{{strings.ToUpper(by), "CALLS", "FAILED", "SECONDS", "BYTES IN", "BYTES OUT", "TOKENS IN", "TOKENS OUT"}}
	total := store.Usage{}
	for _, u := range list {
		rows = append(rows, append([]string{usageName(u)}, usageNumbers(u)...))
		total.Calls, total.Failed, total.Ms = total.Calls+u.Calls, total.Failed+u.Failed, total.Ms+u.Ms
		total.BytesIn, total.BytesOut = total.BytesIn+u.BytesIn, total.BytesOut+u.BytesOut
		total.TokensIn, total.TokensOut = total.TokensIn+u.TokensIn, total.TokensOut+u.TokensOut
	}
	if len(list) > 1 {
		rows = append(rows, append([]string{"(all)"}, usageNumbers(total)...))
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := row[0] + strings.Repeat(" ", widths[0]-utf8.RuneCountInString(row[0]))
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// usageName is the value of the key; a session's has its beginning, for its name
// may be that of many.
func usageName(u store.Usage) string {
	switch {
	case u.Value == "":
		return "(none)"
	case !u.Began.IsZero():
		return u.Value + ", " + u.Began.Local().Format(shownTime)
	}
	return u.Value
}

// usageKey is a flag that is one of the keys of usage.
type usageKey string

func (k *usageKey) Set(text string) error {
	if !slices.Contains(store.Keys, text) {
		return errors.New(meant(text, store.Keys, "want "+strings.Join(store.Keys, ", ")))
	}
	*k = usageKey(text)
	return nil
}

func (k *usageKey) String() string { return "" } // its help names the default

func (k *usageKey) Type() string { return "key" }

// moment is a flag that is a time in the past: so long ago, or a date.
type moment time.Time

func (m *moment) Set(text string) error {
	at, ok := parseMoment(text, time.Now())
	if !ok {
		return errors.New(`want a time ago such as "7d", "24h" or "90m", or a date such as "2026-11-01"`)
	}
	*m = moment(at)
	return nil
}

func parseMoment(text string, now time.Time) (time.Time, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return now.AddDate(0, 0, -int(n)), err == nil && n > 0
	}
	if ago, err := time.ParseDuration(text); err == nil {
		return now.Add(-ago), ago > 0
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, at.Before(now)
		}
	}
	return time.Time{}, false
}

func (m *moment) String() string { return "" }

func (m *moment) Type() string { return "time" }

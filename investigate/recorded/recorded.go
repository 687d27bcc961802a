// Package recorded makes the runs under a recorder which questions are answered from,
// and reads what such a run says of itself.
package recorded

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// LongestText is how much of a value a recorder notes, in bytes.
const LongestText = 200

// Runs makes runs for one question.
type Runs struct {
	Sessions *session.Manager
	Tell     func(doing string) // what is being done, for who waits
}

// Make makes one run, which is ended when its time is over. Errors are *fault.Error; a
// recorder that refuses the spec is one.
func (r Runs) Make(ctx context.Context, start session.StartRequest, w recording.Spec, over time.Time) (*session.Recording, error) {
	run, err := r.Sessions.Record(ctx, start, w, over, r.Tell)
	if err != nil {
		return nil, err
	}
	return run, refusal(run)
}

// refusal is why a recorder has not let the program run, or that a run of which all was noted has nothing
// of what was asked about; else nil.
func refusal(run *session.Recording) error {
	for _, e := range run.Log.Events {
		if e.Kind == recording.Refused || e.Kind == recording.Missing && Unseen(run) == "" {
			if slices.Equal(e.Names, []string{"location"}) {
				return fault.New(fault.InvalidLocation, "%s", e.Text).WithField("location").WithHint("give a line on which a statement begins")
			}
			err := fault.New(fault.InvalidParam, "%s", e.Text).WithHint("write it as the program's source would at that place")
			if len(e.Names) > 0 {
				err = err.WithField(e.Names[0])
			}
			if slices.Contains(e.Names, recording.OfPart) {
				err = err.WithHint("name a part of it, such as a field or an element; trace(values) shows all of it at each pass of a line")
			}
			return err
		}
	}
	return nil
}

// Passes are the hits of a run that have values.
func Passes(log recording.Log) []*recording.Event {
	var list []*recording.Event
	for i := range log.Events {
		if e := &log.Events[i]; e.Kind == recording.Hit && len(e.Values) > 0 {
			list = append(list, e)
		}
	}
	return list
}

// Remarks are what a recorder has to say of itself.
func Remarks(log recording.Log) []string {
	var texts []string
	for _, e := range log.Events {
		if (e.Kind == recording.Remark || e.Kind == recording.Apart) && !slices.Contains(texts, e.Text) { // several processes may say it
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// Ended says how a run ended, where that is not a plain end.
func Ended(run *session.Recording) string {
	if e := EndingOf(run); !e.Plain() {
		return e.String()
	}
	return ""
}

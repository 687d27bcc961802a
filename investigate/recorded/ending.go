package recorded

import (
	"fmt"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// Ending is how a run ended.
type Ending struct {
	Cut    bool // by us, when its time was over
	Lasted time.Duration
	Code   int
	Signal string
}

// EndingOf is how a run ended.
func EndingOf(run *session.Recording) Ending {
	e := Ending{Cut: run.Exit == nil, Lasted: run.Lasted}
	if run.Exit != nil {
		e.Code, e.Signal = run.Exit.Code, run.Exit.Signal
	}
	return e
}

// Plain says that the program ended as it meant to.
func (e Ending) Plain() bool { return !e.Cut && e.Signal == "" && e.Code == 0 }

// Alike says that two runs have ended, and in the same way.
func (e Ending) Alike(o Ending) bool {
	return !e.Cut && !o.Cut && e.Signal == o.Signal && e.Code == o.Code
}

// String is the ending in words.
func (e Ending) String() string {
	switch {
	case e.Cut:
		return fmt.Sprintf("it was still running and was ended after %s", e.Lasted.Round(100*time.Millisecond))
	case e.Signal != "":
		return "signal " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// Seen is that the n-th run of a question was seen to end so.
func (e Ending) Seen(n int) evidence.Observation {
	return evidence.Observation{Run: n, What: "how the run ended", Value: e.String()}
}

// TornWords say that the last events of a run are missing.
const TornWords = "the program was ended before the last of what was noted was written: what it did last is missing"

// Unseen is why it cannot be said of a run that something never happened in it: empty
// where all of it was noted, until it ended by itself.
func Unseen(run *session.Recording) string {
	switch e := EndingOf(run); {
	case e.Cut: // whatever else there is: with more time there would have been more
		return e.String()
	case run.Log.Silent:
		return "the recorder has failed before it began, or the program has left it out: nothing of the run was noted"
	case run.Log.Thinned:
		return "not all calls of functions that were called often were noted"
	case run.Log.Dropped > 0:
		return fmt.Sprintf("%d events of the run were not kept", run.Log.Dropped)
	case run.Log.Torn:
		return TornWords
	}
	for _, e := range run.Log.Events {
		if e.Kind == recording.Apart {
			return e.Text
		}
	}
	if e := EndingOf(run); e.Signal != "" && run.Parent {
		return "the program was ended by " + e.String() + ": what the processes did then that it has started is not noted"
	}
	if run.Parent && (!run.Log.Follows || run.Log.Started == 0) { // by what a recorder does not see, too, as native code
		return "the program has started child processes, which are not followed: what they did is not noted"
	}
	return ""
}

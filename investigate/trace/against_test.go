package trace

import (
	"testing"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session"
)

func made(exit *process.ExitStatus, values ...recording.Value) run {
	r := run{Recording: &session.Recording{Exit: exit, Lasted: 20 * time.Second}, rel: func(at string) string { return at }}
	for i, v := range values {
		r.Log.Events = append(r.Log.Events, recording.Event{Kind: recording.Hit, Seq: int64(i + 1), At: "a:1", Values: []recording.Value{v}})
	}
	r.Log.Total = int64(len(values))
	return r
}

// Two runs are the same only where their rows are, nothing was dropped, and both have
// ended by themselves in the same way. Each of these taken away leaves no finding.
func TestSameNeedsAllOfBoth(t *testing.T) {
	text := func(s string) recording.Value { return recording.Value{Text: s} }
	ok, failed := &process.ExitStatus{}, &process.ExitStatus{Code: 1}
	dropping := func(r run) run { r.Log.Total, r.Log.Dropped = r.Log.Total+5, 5; return r }
	blind := func(r run) run { r.blind = "there is no place to watch"; return r }
	for name, c := range map[string]struct {
		ours, theirs         run
		same, differs, parts bool
		gaps                 int
	}{
		"the same":                        {ours: made(ok, text("1")), theirs: made(ok, text("1")), same: true},
		"the same, and both fail":         {ours: made(failed, text("1")), theirs: made(failed, text("1")), same: true},
		"another row":                     {ours: made(ok, text("1")), theirs: made(ok, text("2")), differs: true, parts: true},
		"another ending":                  {ours: made(failed, text("1")), theirs: made(ok, text("1")), differs: true},
		"one of another signal":           {ours: made(&process.ExitStatus{Signal: "SIGSEGV"}, text("1")), theirs: made(&process.ExitStatus{Signal: "SIGABRT"}, text("1")), differs: true},
		"the second was cut":              {ours: made(ok, text("1"), text("2")), theirs: made(nil, text("1")), gaps: 1},
		"both were cut":                   {ours: made(nil), theirs: made(nil), gaps: 2},
		"the second was cut, and differs": {ours: made(ok, text("1"), text("2")), theirs: made(nil, text("3")), differs: true, parts: true, gaps: 1},
		"something was dropped":           {ours: dropping(made(ok, text("1"))), theirs: made(ok, text("1")), gaps: 1},
		"nothing could be watched":        {ours: blind(made(ok)), theirs: made(ok), gaps: 1},
		"not all of a value is known":     {ours: made(ok, recording.Value{Text: "{…", Cut: true}), theirs: made(ok, recording.Value{Text: "{…", Cut: true}), gaps: 1},
	} {
		p := Question{What: Values, Expressions: []string{"x"}, Limit: 50}.comparisonResult(c.ours, c.theirs).Against
		if p.Same.Is() != c.same || p.Differs != c.differs || p.Parts.Is() != c.parts || len(p.Gaps) != c.gaps {
			t.Errorf("%s: same %v, differs %v, parts %v, gaps %q", name, p.Same.Is(), p.Differs, p.Parts.Is(), p.Gaps)
		}
		if p.Same.Is() && len(p.Same.Stands()) != 4 {
			t.Errorf("%s: it stands on %v", name, p.Same.Stands())
		}
	}
}

// That nothing happened is said only of a run of which all was noted.
func TestNeverNeedsAWholeRun(t *testing.T) {
	dropped := made(&process.ExitStatus{})
	dropped.Log.Dropped = 3
	for name, c := range map[string]struct {
		run   run
		whole bool
	}{
		"it ended":            {made(&process.ExitStatus{}), true},
		"it failed":           {made(&process.ExitStatus{Code: 2}), true},
		"it was cut":          {made(nil), false},
		"events were dropped": {dropped, false},
	} {
		if unseen := unseenReason(c.run); (unseen == "") != c.whole {
			t.Errorf("%s: unseen %q", name, unseen)
		}
	}
}

package diagnose

import (
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// ranAs is a recorded run in which step was called so often, and counted, within a call of
// work, until it failed with a message.
func ranAs(c *callSearch, number int, calls int64, message string) *witness {
	log := recording.Log{Thinned: true, Events: []recording.Event{
		{Kind: recording.Enter, Seq: 1, Function: "work", Call: 1},
		{Kind: recording.Enter, Seq: 2, Function: "step", Call: 2}, {Kind: recording.Leave, Seq: 3, Function: "step", Call: 2},
		{Kind: recording.Counted, Seq: 4, Function: "step", Place: "step", Hit: calls}, {Kind: recording.Leave, Seq: 5, Function: "work", Call: 1},
		{Kind: recording.Failed, Seq: 6, Function: "main", Text: recording.Uncaught, Values: []recording.Value{{Text: message}}},
	}}
	w := &witness{Recording: &session.Recording{Log: log, Exit: &process.ExitStatus{Code: 1}}, number: number}
	w.leaveOut(nil, c.failed.failure())
	return w
}

// Where the last calls of a function that is called often are not to be had, the run that has
// counted it tells the calls of the others.
func TestLastCallsThatAreNotToBeHad(t *testing.T) {
	c := brokenRun()
	counted := ranAs(c, 1, 5000, "broken")
	often := counted.thinnedCalls()
	if !counted.fails || len(often) != 1 {
		t.Fatalf("it fails alike: %t, called often: %v", counted.fails, often)
	}
	for name, way := range map[string]struct {
		last  *witness
		shown int
		note  string
		calls string
	}{
		"the same":       {ranAs(c, 2, 5000, "broken"), 2, "the last 32 of each are looked at of step (5000 calls)", "work step"},
		"no time":        {nil, 1, "there was no time", "work"},
		"another way":    {ranAs(c, 2, 5001, "broken"), 1, "step was called 5000 and 5001 times", "work"},
		"another reason": {ranAs(c, 2, 5000, "torn"), 1, "it failed in another way", "work"},
	} {
		run, note := c.chooseWitness(often, ranAs(c, 1, 5000, "broken"), way.last)
		var calls []string
		for _, e := range run.Log.Events {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Function)
			}
		}
		if run.number != way.shown || !strings.Contains(note, way.note) || strings.Join(calls, " ") != way.calls {
			t.Errorf("%s: run %d with calls of %v: %s", name, run.number, calls, note)
		}
	}
}

// brokenRun is what looks for the calls of a run that has failed.
func brokenRun() *callSearch {
	n := &run{userCode: userCode{s: &session.Session{}}}
	return &callSearch{recorder: recorder{run: n}, failed: &outcome{
		userCode: n.userCode, run: n, v: &session.View{}, r: &Result{Verdict: judge.Exception, Message: "broken"},
		statement: failedStatement{stop: judge.Stop{Type: "broken"}},
	}}
}

// leftSpinAlone is brokenRun with what it has noted itself, where a function was left alone.
func leftSpinAlone() (*callSearch, *witness) {
	c := brokenRun()
	own := ranAs(c, 0, 5000, "broken")
	own.left = judge.Thinned{"spin": {Function: "spin", Calls: 50_000}}
	return c, own
}

// What left functions alone tells the calls of the others, and names those.
func TestCallsOfTheRunThatLeftSomeAlone(t *testing.T) {
	c, own := leftSpinAlone()
	c.addPartialCalls(own, "timeout_ms leaves no time")
	want := "timeout_ms leaves no time; those of spin, step are not shown, of which there are more than 200"
	if len(c.failed.r.Warnings) != 1 || c.failed.r.Warnings[0] != want {
		t.Errorf("it warns of %q, want %q", c.failed.r.Warnings, want)
	}
	if rows := c.failed.r.Calls.Rows; len(rows) != 1 || !strings.Contains(strings.Join(rows[0], " "), "work") {
		t.Errorf("the calls are %v", rows)
	}
}

// What ran long is not run once more only to count the calls of the functions that it left alone.
func TestNoOtherRunThatOnlyCounts(t *testing.T) {
	c, own := leftSpinAlone()
	n := c.failed.run
	c.recorder.hot, n.number, n.lasted = true, 1, lastLongest
	if c.onlyCountsMore(own) {
		t.Error("there is time for the last calls, and no run for them")
	}
	n.lasted = lastLongest + 1
	if !c.onlyCountsMore(own) {
		t.Error("a run would only count, and is made")
	}
	if err := c.recordCalls(t.Context(), own); err != nil || len(c.failed.r.Unnoted) == 0 || !strings.Contains(strings.Join(c.failed.r.Warnings, ""), "was not run a second time") {
		t.Errorf("%v: %v are offered, and it warns of %q", err, c.failed.r.Unnoted, c.failed.r.Warnings)
	}
	n.number = 2
	if c.onlyCountsMore(own) {
		t.Error("one of several runs failed, and whether another fails alike is not looked at")
	}
}

// What a run has waited for a processor is none of its own time: on a busy machine its calls are asked for
// as on an idle one.
func TestTimeWithoutAProcessor(t *testing.T) {
	c, own := leftSpinAlone()
	n := c.failed.run
	c.recorder.hot, n.number = true, 1
	n.lasted, n.queued = 10*lastLongest, 9*lastLongest
	if c.onlyCountsMore(own) {
		t.Error("a run that worked for a tenth of its time is taken for a long one")
	}
	if got := c.recorder.longestRun(); got != hotLeast {
		t.Errorf("the next one may take %s, want %s", got, hotLeast)
	}
	if n.over = time.Now().Add(5 * lastLongest); n.hasTime() {
		t.Error("the time that it has waited will not be needed again")
	}
}

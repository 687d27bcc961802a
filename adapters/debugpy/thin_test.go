package debugpy

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

func TestCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	dir, file := program(t, "import threading", "def half(n): return n // 2", "def up(to): yield from range(to)", "def once(name): return name + '!'",
		"def fold(n): return 0 if n == 0 else fold(n - 1)",
		"for i in up(5000): half(i)", "fold(300)", "t = threading.Thread(target=lambda: [half(1) for _ in range(100)])", "t.start()", "t.join()", "raise ValueError(once('over'))")
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
	noted := func() (calls map[string][]recording.Event, counts map[string]recording.Event) {
		log, _ := recordedRun(t, "script", file, spec, dir)
		return recordingtest.Entered(log), recordingtest.Counted(log)
	}
	calls, counts := noted()
	if len(calls["half"]) != 10 || len(calls["once"]) != 1 || counts["half"].Hit != 5100 || counts["fold"].Hit != 301 || len(counts) != 2 {
		t.Fatalf("noted %+v, counted %+v", calls, counts)
	}
	spec.Calls.Thin.After = recordingtest.After(counts, 4)
	calls, again := noted()
	if last := calls["half"]; len(last) != 4 || last[3].Values[0].Text != "1" || again["half"].Hit != 5100 || len(calls["once"]) != 1 || len(calls["fold"]) != 4 {
		t.Errorf("noted %+v, counted %+v", calls, again)
	}
}

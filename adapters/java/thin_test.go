package java

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const oftenJava = `public class Main {
    static long total;
    static long half(int n) { total += n; return n / 2; }
    static String once(String name) { return name + "!"; }
    static int down(int n) { return n == 0 ? 0 : down(n - 1); }
    public static void main(String[] args) {
        for (int i = 0; i < 50000; i++) half(i);
        down(500);
        throw new IllegalStateException(once("over"));
    }
}
`

func TestJavaCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	agent := agentArchive(t)
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
	noted := func() (calls map[string][]recording.Event, counts map[string]recording.Event) {
		log := recordJava(t, agent, oftenJava, spec)
		return recordingtest.Entered(log), recordingtest.Counted(log)
	}
	calls, counts := noted()
	if len(calls["Main.half"]) != 10 || len(calls["Main.once"]) != 1 || counts["Main.half"].Hit != 50_000 || counts["Main.down"].Hit != 501 || len(counts) != 2 {
		t.Fatalf("noted %+v, counted %+v", calls, counts)
	}
	spec.Calls.Thin.After = recordingtest.After(counts, 4)
	calls, again := noted()
	last, deep := calls["Main.half"], calls["Main.down"]
	if len(last) != 4 || last[3].Values[0].Text != "49999" || again["Main.half"].Hit != 50_000 || len(calls["Main.once"]) != 1 {
		t.Errorf("noted %+v, counted %+v", calls, again)
	}
	if len(deep) != 4 || deep[3].Depth != 500 {
		t.Errorf("the innermost calls are %+v", deep)
	}
}

//go:build linux

package jsdebug

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const oftenScript = `
let total = 0;
const half = (n) => n >> 1;
function add(n) { total += n; return total; }
const counter = { *up(to) { for (let i = 0; i < to; i++) yield i; } };
async function once(name) { await null; return name + '!'; }
once('over').then((text) => {
  for (const i of counter.up(50000)) add(half(i));
  throw new Error(text);
});
`

func TestCallsOfWhatIsCalledOftenAreCounted(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"often.cjs", "often.mjs"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, name), []byte(oftenScript), 0o600); err != nil {
			t.Fatal(err)
		}
		wish := recording.Wish{Roots: []string{home}, Text: 100, Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Last: 4}}}
		noted := func() (calls map[string][]recording.Event, counts map[string]recording.Event) {
			dir, m := t.TempDir(), manner{Modules: true}
			if err := unpackRecorder(dir, wish, m); err != nil {
				t.Fatal(err)
			}
			run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), name)...)
			log, err := recording.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			return recordingtest.Entered(log), recordingtest.Counted(log)
		}
		calls, counts := noted()
		if len(calls["half"]) != 10 || len(calls["once"]) != 1 || counts["half"].Hit != 50_000 || counts["add"].Hit != 50_000 || len(counts) != 2 {
			t.Fatalf("%s: noted %+v, counted %+v", name, calls, counts)
		}
		wish.Calls.Thin.After = recordingtest.After(counts, 4)
		calls, again := noted()
		if last := calls["half"]; len(last) != 4 || last[3].Values[0].Text != "49999" || again["half"].Hit != 50_000 || len(calls["once"]) != 1 {
			t.Errorf("%s: noted %+v, counted %+v", name, calls, again)
		}
	}
}

//go:build linux

package jsdebug

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// recordedHits runs a program of which the passes of its first line that says "noted" are noted.
func recordedHits(t *testing.T, source string) recording.Log {
	t.Helper()
	node, home := nodeIn(t)
	file, dir, m := filepath.Join(home, "app.cjs"), t.TempDir(), recorderOptions{}
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(source, "// noted")
	w := recording.Spec{Text: 100, Roots: []string{home}, Values: []recording.Values{{File: file, Line: 1 + strings.Count(before, "\n"), Expressions: []string{"i"}}}}
	if err := unpackRecorder(dir, w, m); err != nil {
		t.Fatal(err)
	}
	run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), "app.cjs")...)
	log, err := recording.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

const batchedLoop = `let total = 0;
function loop(to) {
  for (let i = 0; i < to; i++) {
    total += i; // noted
  }
}
`

// More events than files hold are noted in batches: of a program that ends, whichever way it
// does that itself, none of the last is missing, and what is kept has one gap.
func TestLastEventsOfManyAreThere(t *testing.T) {
	const passes = 150_000
	for name, end := range map[string]string{
		"it comes to its end": "loop(150000);",
		"it ends itself":      "loop(150000); process.exit(3);",
		"it fails":            "loop(150000); null.x;",
		"at its very end":     "process.on('exit', () => loop(75000)); loop(75000);",
		"it rests, then is killed": `loop(150000);
const { kill, pid } = process, { readdirSync } = require('fs');
(function wait() { readdirSync(records).includes('pending') ? setImmediate(wait) : kill(pid, 'SIGKILL'); })();`,
	} {
		t.Run(name, func(t *testing.T) {
			log := recordedHits(t, "const records = process.env.AIDB_RECORD || require('path').dirname(require('path').dirname(process.execArgv.find((a) => a.endsWith('hook.cjs'))));\n"+batchedLoop+end)
			if log.Torn {
				t.Error("its end is said to be missing")
			}
			hits := slices.DeleteFunc(log.Events, func(e recording.Event) bool { return e.Kind != recording.Hit })
			if len(hits) == 0 || log.Total < passes {
				t.Fatalf("%d hits were kept of %d events", len(hits), log.Total)
			}
			last, gaps := hits[len(hits)-1], 0
			if want := strconv.Itoa(passes - 1); !strings.Contains(name, "very") && last.Values[0].Text != want {
				t.Errorf("the last pass has %s, not %s", last.Values[0].Text, want)
			}
			for i := 1; i < len(hits); i++ {
				if hits[i].Seq != hits[i-1].Seq+1 {
					gaps++
				}
			}
			if gaps > 1 {
				t.Errorf("what was kept has %d gaps", gaps)
			}
		})
	}
}

// Of a program that is killed while it notes very many the last may be missing, which is told.
func TestEndThatIsMissingIsTold(t *testing.T) {
	log := recordedHits(t, batchedLoop+"loop(150000); process.kill(process.pid, 'SIGKILL');")
	last := log.Events[len(log.Events)-1]
	if whole := last.Values[0].Text == "149999"; whole == log.Torn {
		t.Errorf("the last pass that was kept has %s, and that the end is missing is told: %t", last.Values[0].Text, log.Torn)
	}
	if log.IsWhole() {
		t.Error("it is said to be whole")
	}
}

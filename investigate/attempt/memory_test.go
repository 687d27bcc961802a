package attempt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/investigate/attempt/box"
	"aidb-mcp/investigate/attempt/trial"
)

// bench tries one edit of a workspace with trials that answer as the test says.
type bench struct {
	t         *testing.T
	mu        sync.Mutex // guards ran
	workspace string
	outside   string // a file that every run reads
	before    Checked
	after     Checked
	reads     func(files []string) *box.Reads
	took      time.Duration                     // each run
	ran       []string                          // what was run: before, after
	turns     func(name string, n int) *Checked // what the n-th run of these shows; nil: as the others
	memory    *attempts.InMemory
	engine    *Engine
}

func newBench(t *testing.T) *bench {
	b := &bench{
		t: t, workspace: t.TempDir(), outside: filepath.Join(t.TempDir(), "dep.py"), memory: &attempts.InMemory{},
		before: Checked{Failure: Failure{Verdict: "test_failure", Message: "11 is not 12", Function: "test"}}, after: Checked{Failure: Failure{Verdict: "ok"}},
		reads: func(files []string) *box.Reads { return &box.Reads{Files: files} },
	}
	b.write(filepath.Join(b.workspace, "a.py"), "x = 1\n")
	b.write(b.outside, "y = 1\n")
	b.engine = New(Deps{Trials: b, Memory: b.memory, Known: workspace.Languages{{Name: "python", Sources: map[string]string{".py": "python"}}}})
	return b
}

func (b *bench) write(path, text string) {
	b.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Run is that of Trials.
func (b *bench) Run(_ context.Context, _ trial.Place, made *change.Change, _ any, _ time.Duration) (*trial.Result, error) {
	name, checked := "before", b.before
	if made != nil {
		name, checked = "after", b.after
	}
	b.mu.Lock()
	b.ran = append(b.ran, name)
	n := len(slices.DeleteFunc(slices.Clone(b.ran), func(other string) bool { return other != name }))
	b.mu.Unlock()
	if turn := b.turns; turn != nil && turn(name, n) != nil {
		checked = *turn(name, n)
	}
	text, err := json.Marshal(checked)
	return &trial.Result{Answer: trial.Answer{Checked: text}, Took: b.took, Reads: b.reads([]string{b.outside})}, err
}

func (b *bench) problem() Problem {
	start := `{"test":"test"}`
	return Problem{ID: ProblemID(b.workspace, start), Workspace: b.workspace, Start: json.RawMessage(start)}
}

// try tries the edit in a server that has just started, and says what was run.
func (b *bench) try() (*Result, string) {
	b.t.Helper()
	b.ran, b.engine = nil, New(b.engine.Deps)
	r, err := b.engine.Try(b.t.Context(), Question{
		Problem: b.problem(), Limit: time.Minute, Parallel: 1,
		Candidates: []Candidate{{Edits: []Edit{{File: "a.py", Old: "x = 1", New: "x = 2"}}}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return r, strings.Join(b.ran, " ")
}

// confirmed is what is run where a candidate passes: each once, and again.
const confirmed = "before after before after after"

// A verdict is offered again where all is the same on which it depends: the check without
// the change shows that.
func TestOfferedAgain(t *testing.T) {
	b := newBench(t)
	if r, ran := b.try(); ran != confirmed || !r.Won() {
		t.Fatalf("first it ran %q: %+v", ran, r)
	}
	if r, ran := b.try(); ran != "before" || r.Rows[0].SameAs != 1 || r.Rows[0].Was != attempts.Passed || !r.Won() {
		t.Errorf("then it ran %q: %+v", ran, r)
	}
}

// Where any of what a verdict depends on is another, or not known, the change is tried anew.
func TestNotOfferedAgain(t *testing.T) {
	for name, change := range map[string]func(b *bench){
		"a source":            func(b *bench) { b.write(filepath.Join(b.workspace, "b.py"), "z = 1\n") },
		"a file outside":      func(b *bench) { b.write(b.outside, "y = 5\n") },
		"a file that is gone": func(b *bench) { _ = os.Remove(b.outside) },
		"the environment":     func(b *bench) { b.t.Setenv("LIMIT", "5") },
		"the failure":         func(b *bench) { b.before.Message = "KeyError: 'a'" },
		"that it fails":       func(b *bench) { b.before.Failure = Failure{Verdict: "ok"} },
		"nothing":             nil,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.try()
			want := confirmed
			switch {
			case change == nil:
				want = "before"
			case name == "that it fails":
				want = "before after"
				change(b)
			default:
				change(b)
			}
			if _, ran := b.try(); ran != want {
				t.Errorf("it ran %q", ran)
			}
		})
	}
	for name, reads := range map[string]func([]string) *box.Reads{
		"unsettled": func(files []string) *box.Reads { return &box.Reads{Files: files, Unsettled: true} },
		"too many": func(files []string) *box.Reads {
			for range 5000 {
				files = append(files, "/"+rand.Text()+rand.Text())
			}
			return &box.Reads{Files: files}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.reads = reads
			b.try()
			if _, ran := b.try(); ran != confirmed {
				t.Errorf("it ran %q", ran)
			}
		})
	}
}

// Where nobody can see what is read, the check without the change has to show that all is as
// it was: it is made in every call.
func TestBlind(t *testing.T) {
	b := newBench(t)
	b.reads = func([]string) *box.Reads { return nil }
	b.try()
	if _, ran := b.try(); ran != "before" {
		t.Errorf("it ran %q", ran)
	}
}

// How the check failed a while ago it fails still, but not where a file has changed that it
// reads, wherever that is.
func TestBaselineOfAWhileAgo(t *testing.T) {
	b := newBench(t)
	b.try()
	again := func() string {
		b.ran = nil
		if _, err := b.engine.Try(t.Context(), Question{Problem: b.problem(), Limit: time.Minute, Parallel: 1, Candidates: []Candidate{{Edits: []Edit{{File: "a.py", Old: "x = 1", New: "x = 2"}}}}}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(b.ran, " ")
	}
	if ran := again(); ran != "" {
		t.Errorf("it ran %q", ran)
	}
	b.write(b.outside, "y = 5\n")
	if ran := again(); !strings.Contains(ran, "before") {
		t.Errorf("it ran %q", ran)
	}
}

// That the check passes without any change is told each time, and whoever passes then has
// won nothing: not in the next call, not in a list, and apply does not choose it.
func TestPassesWithoutChange(t *testing.T) {
	b := newBench(t)
	b.before.Failure = Failure{Verdict: "ok"}
	for range 2 {
		if r, ran := b.try(); !r.Passes() || r.Won() {
			t.Errorf("after %q: %+v", ran, r)
		}
	}
	list, err := b.engine.List(t.Context(), b.problem())
	if err != nil || list.Won() || list.Rows[0].Unproven == "" {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if _, err := b.engine.Apply(t.Context(), b.problem(), 0, false); err == nil {
		t.Error("it is written")
	}
}

// A check that was cut is cut: not busy, not the same as another one, and nothing is held
// against it. Who waits for each other was seen to.
func TestCutBaseline(t *testing.T) {
	b := newBench(t)
	b.before = Checked{Failure: Failure{Verdict: "busy_loop", Message: "busy", Function: "f"}, Late: true}
	b.after = b.before
	r, _ := b.try()
	if r.Before.Verdict != "timed_out" || !strings.Contains(r.Before.Message, "cut after") || r.Before.Function != "" || len(r.Warnings) == 0 {
		t.Errorf("without a change: %+v, %q", r.Before, r.Warnings)
	}
	if row := r.Rows[0]; row.Result != attempts.TimedOut || row.SameFailure || row.Failure.Verdict != "timed_out" {
		t.Errorf("with one: %+v", row)
	}
	b.before.Verdict = "deadlock"
	if r, _ := b.try(); r.Before.Verdict != "deadlock" {
		t.Errorf("a deadlock: %+v", r.Before)
	}
}

// What has mended a failure is offered for the same one of another check of the project; how
// a program ended is no failure that another one has as well.
func TestSolvedElsewhere(t *testing.T) {
	for _, c := range []struct {
		name    string
		failure Failure
		project bool // the other check is one of the same project
		want    bool
	}{
		{"the same failure", Failure{Verdict: "test_failure", Message: "m", Function: "f"}, true, true},
		{"another project", Failure{Verdict: "test_failure", Message: "m", Function: "f"}, false, false},
		{"an exit code", Failure{Verdict: "exit_code", Message: "exited with code 1"}, true, false},
		{"an exit code of another project", Failure{Verdict: "exit_code", Message: "exited with code 1"}, false, false},
	} {
		b := newBench(t)
		b.before.Failure = c.failure
		b.try()
		other := Problem{ID: "other", Workspace: t.TempDir()}
		if c.project {
			other.Workspace = b.workspace
		}
		if found := b.engine.Elsewhere(t.Context(), other, &c.failure); (found != nil) != c.want {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
}

// Trials that end at once are worked out beside each other.
func TestTrialsAtOnce(t *testing.T) {
	b := newBench(t)
	var candidates []Candidate
	for i := range 8 {
		candidates = append(candidates, Candidate{Edits: []Edit{{File: "a.py", Old: "x = 1", New: fmt.Sprint("x = ", i+2)}}})
	}
	many := func(files []string) *box.Reads {
		for i := range 200 {
			files = append(files, fmt.Sprint("/none/", i))
		}
		return &box.Reads{Files: files}
	}
	b.reads = many
	q := Question{Problem: b.problem(), Limit: time.Minute, Parallel: 16, Candidates: candidates}
	r, err := b.engine.Try(t.Context(), q)
	if err != nil || len(r.Rows) != 8 || len(b.ran) != 12 {
		t.Errorf("%+v, %v, ran %q", r, err, b.ran)
	}
}

// The latest problem of a workspace is known without its check, and another workspace's is not.
func TestLatest(t *testing.T) {
	b := newBench(t)
	if p, err := b.engine.Latest(t.Context(), b.workspace); p != nil || err != nil {
		t.Errorf("before anything: %+v, %v", p, err)
	}
	b.try()
	p, err := b.engine.Latest(t.Context(), b.workspace)
	if err != nil || p == nil || p.ID != b.problem().ID || string(p.Latest) != `{"test":"test"}` {
		t.Fatalf("it is %+v, %v", p, err)
	}
	if p, err := b.engine.Latest(t.Context(), t.TempDir()); p != nil || err != nil {
		t.Errorf("of another: %+v, %v", p, err)
	}
	if w, err := b.engine.Apply(t.Context(), *p, 0, false); err != nil || w.N != 1 {
		t.Errorf("written: %+v, %v", w, err)
	}
}

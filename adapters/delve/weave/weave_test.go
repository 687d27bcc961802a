package weave

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit/filetree"
)

// A program with statements of all forms prints the same whatever is woven into it.
func TestMeaningStays(t *testing.T) {
	plain := runForms(t)
	for name, spec := range map[string]recording.Spec{
		"calls":  {Calls: &recording.Calls{Names: []string{"*"}}},
		"writes": {Writes: &recording.Writes{All: true}},
		"named":  {Writes: &recording.Writes{Expression: "out"}},
		"fields": {Writes: &recording.Writes{Expression: "p.x"}},
		"first":  {First: &recording.First{Condition: "out != out", Limit: 1}},
		"lines":  {Lines: &recording.Lines{Function: "main.*"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			made, err := Weave(t.Context(), Program{Dir: "testdata/forms", Args: []string{"."}, Env: os.Environ(), Spec: spec}, dir)
			if err != nil || len(made.Remarks) > 0 {
				t.Fatal(err, made)
			}
			if woven := runForms(t, "-overlay="+made.Overlay); woven != plain {
				t.Errorf("it prints\n%s\nand without the recorder\n%s", woven, plain)
			}
		})
	}
}

// What imports nothing has the Go installation in none of its packages.
func TestAProgramThatImportsNothing(t *testing.T) {
	dir := t.TempDir()
	filetree.Write(t, dir, map[string]string{"go.mod": "module none\n\ngo 1.25\n", "main.go": "package main\n\nfunc main() { println(1) }\n"})
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"main.*"}}}
	if made, err := Weave(t.Context(), Program{Dir: dir, Args: []string{"."}, Env: os.Environ(), Spec: spec}, t.TempDir()); err != nil || len(made.Remarks) > 0 {
		t.Fatal(err, made)
	}
}

func runForms(t *testing.T, flags ...string) string {
	dir := t.TempDir()
	build := exec.Command("go", append(append([]string{"build", "-o", filepath.Join(dir, "forms")}, flags...), ".")...)
	build.Dir = "testdata/forms"
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	run := exec.Command(filepath.Join(dir, "forms"))
	run.Env = append(os.Environ(), recording.Variable+"="+dir)
	text, err := run.CombinedOutput()
	if run.ProcessState.ExitCode() != 3 {
		t.Fatalf("%v\n%s", err, text)
	}
	if log, err := recording.Read(dir); err != nil || len(flags) > 0 && len(log.Events) == 0 || log.Dropped > 0 {
		t.Errorf("noted %d, dropped %d: %v", len(log.Events), log.Dropped, err)
	}
	return string(text)
}

// AIDB_WEAVE names directories of modules, parted by colons: everything is woven into
// all of their packages, and their own tests must come out as without.
func TestOthersProgramsStayAsTheyAre(t *testing.T) {
	for _, dir := range filepath.SplitList(os.Getenv("AIDB_WEAVE")) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			for _, spec := range []recording.Spec{{Calls: &recording.Calls{Names: []string{"*"}}}, {Writes: &recording.Writes{All: true}}} {
				compareTests(t, dir, spec)
			}
		})
	}
}

func compareTests(t *testing.T, dir string, spec recording.Spec) {
	t.Helper()
	made, err := Weave(t.Context(), Program{Dir: dir, Args: []string{"./..."}, Env: os.Environ(), Tests: true, Spec: spec}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(made.Remarks)
	plain, woven := outcomes(t, dir), outcomes(t, dir, "-overlay="+made.Overlay)
	for name, outcome := range plain {
		if woven[name] != outcome {
			t.Errorf("%s: %s without the recorder, %q with it", name, outcome, woven[name])
		}
	}
	t.Logf("%d tests", len(plain))
}

func outcomes(t *testing.T, dir string, flags ...string) map[string]string {
	c := exec.Command("go", append(append([]string{"test", "-v", "-count=1", "-vet=off"}, flags...), "./...")...)
	c.Dir = dir
	c.Env = append(os.Environ(), recording.Variable+"="+t.TempDir())
	text, _ := c.CombinedOutput()
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		outcome, name, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && strings.HasPrefix(outcome, "--- ") {
			name, _, _ = strings.Cut(name, " ")
			found[name] = outcome
		}
	}
	if out := os.Getenv("AIDB_WEAVE_OUT"); out != "" {
		_ = os.WriteFile(filepath.Join(out, filepath.Base(dir)+"."+map[bool]string{true: "woven", false: "plain"}[len(flags) > 0]), text, 0o600)
	}
	return found
}

// BenchmarkValues says how many passes of a line with two variables are noted a second.
func BenchmarkValues(b *testing.B) {
	dir, err := filepath.Abs("testdata/rate")
	if err != nil {
		b.Fatal(err)
	}
	const passes = 200_000
	spec := recording.Spec{Values: []recording.Values{{File: filepath.Join(dir, "main.go"), Line: 8, Expressions: []string{"i", "total"}}}}
	made, err := Weave(b.Context(), Program{Dir: dir, Args: []string{"."}, Env: os.Environ(), Spec: spec}, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(b.TempDir(), "rate")
	build := exec.Command("go", "build", "-overlay="+made.Overlay, "-o", program, ".")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%s", text)
	}
	for b.Loop() {
		records := b.TempDir()
		run := exec.Command(program)
		run.Env = append(os.Environ(), recording.Variable+"="+records)
		if err := run.Run(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if log, err := recording.Read(records); err != nil || log.Total != passes {
			b.Fatal(log.Total, err)
		}
		b.StartTimer()
	}
	b.ReportMetric(passes*float64(b.N)/b.Elapsed().Seconds(), "hits/s")
}

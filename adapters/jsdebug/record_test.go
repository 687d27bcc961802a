//go:build linux

package jsdebug

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// A program does the same whatever of it is recorded: it prints the same, its own text
// included, and ends the same.
func TestRecordedProgramsDoTheSame(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.Abs(filepath.Join("testdata", "recorded"))
	if err != nil {
		t.Fatal(err)
	}
	const alone, few, moments, results = "calls and nothing else", "the first calls and nothing else", "moments", "moments of results"
	only := []string{alone, few, moments, results}
	specs := map[string]recording.Spec{
		"all":    {Writes: &recording.Writes{All: true}, Calls: &recording.Calls{Names: []string{"*"}}},
		"calls":  {Calls: &recording.Calls{Names: []string{"*"}}},
		few:      {Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 1}}},
		alone:    {Calls: &recording.Calls{Names: []string{"*"}}},
		"lines":  {Lines: &recording.Lines{Function: "*"}},
		"writes": {Writes: &recording.Writes{Expression: "a[b]"}},
		moments:  {First: &recording.First{Condition: "out.length % 2 === 1", Expressions: []string{"this", "x"}, Limit: 1e6}},
		results:  {First: &recording.First{Condition: "typeof result !== 'number'", Expressions: []string{"arguments"}, Limit: 1e6}},
	}
	for _, file := range []string{"sloppy.cjs", "modern.mjs"} {
		plain, code := run(t, home, "", node, file)
		calls := map[string][]string{}
		for name, w := range specs {
			t.Run(file+" "+name, func(t *testing.T) {
				w.Text, w.Roots = 100, []string{home}
				for line := 1; line < 200 && !slices.Contains(only, name); line++ {
					w.Values = append(w.Values, recording.Values{File: filepath.Join(home, file), Line: line, Expressions: []string{"1"}})
				}
				dir, m := t.TempDir(), recorderOptions{Modules: true}
				if err := unpackRecorder(dir, w, m); err != nil {
					t.Fatal(err)
				}
				recorded, ended := run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), file)...)
				if recorded != plain || ended != code {
					t.Errorf("it ended with %d and printed\n%s\nnot with %d and\n%s", ended, recorded, code, plain)
				}
				log, err := recording.Read(dir)
				if err != nil || len(log.Events) < 40 {
					t.Errorf("%d events were noted, with %v", len(log.Events), err)
				}
				for _, e := range log.Events {
					if e.Kind == "enter" || e.Kind == "leave" {
						calls[name] = append(calls[name], fmt.Sprint(e.Kind, e.At, e.Function, e.Names, e.Stack))
					}
					if strings.Contains(e.Text, "failed") || strings.Contains(e.Text, "not recorded") {
						t.Error(e.Text)
					}
				}
			})
		}
		if !slices.Equal(calls["calls"], calls[alone]) {
			t.Errorf("%s: with lines these calls were noted\n%s\nand without\n%s", file, strings.Join(calls["calls"], "\n"), strings.Join(calls[alone], "\n"))
		}
	}
}

// run answers what a command prints, and its exit code.
func run(t *testing.T, dir, variable, path string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(path, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(os.Environ(), variable)
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

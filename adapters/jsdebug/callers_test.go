//go:build linux

package jsdebug

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// allWrites runs a program of which all writes are noted, as where it is asked what a value
// came from.
func allWrites(t *testing.T, name, source string) (recording.Log, string) {
	t.Helper()
	return noteWrites(t, name, source, recording.Writes{All: true})
}

// noteWrites runs one of which some are noted.
func noteWrites(t *testing.T, name, source string, writes recording.Writes) (recording.Log, string) {
	t.Helper()
	node, home := nodeIn(t)
	if err := os.WriteFile(filepath.Join(home, name), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, m := t.TempDir(), recorderOptions{}
	w := recording.Spec{Text: 100, Roots: []string{home}, Writes: &writes}
	if err := unpackRecorder(dir, w, m); err != nil {
		t.Fatal(err)
	}
	printed, code := run(t, home, recording.Variable+"="+dir, node, append(m.load(dir, nil), name)...)
	log, err := recording.Read(dir)
	if err != nil || code != 0 {
		t.Fatalf("it ended with %d, %v, and printed %s", code, err, printed)
	}
	return log, printed
}

// Who has called a function is told as the program says it itself, whatever has called it, and
// in a hot loop without a look at the stack at each call.
func TestCallersAreThoseThatCall(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "recorded", "callers.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "@'", strconv.Itoa(i+1)+"'")
	}
	log, printed := allWrites(t, "callers.cjs", strings.Join(lines, "\n"))
	if !strings.Contains(printed, "captured for 5000 calls: true") {
		t.Errorf("it printed %s", printed)
	}
	seen := map[string]int{}
	for _, e := range log.Events {
		if e.Kind != recording.Enter || e.Function != "g" {
			continue
		}
		want := strings.Trim(e.Values[0].Text, "'")
		name, at := recording.Caller(e.Stack[0])
		if got := fmt.Sprintf("%s %s", name, at[strings.LastIndex(at, ":")+1:]); got != want {
			t.Errorf("a call from %s is told as one from %s", want, e.Stack[0])
		}
		seen[want]++
	}
	for _, line := range lines {
		for _, call := range strings.Split(line, "g('")[1:] {
			if want, _, _ := strings.Cut(call, "'"); seen[want] == 0 {
				t.Errorf("no call from %s was noted", want)
			}
		}
	}
}

// Of millions of events the last ones are kept without a gap, and tell what the program has done.
func TestLastEventsOfMillionsHaveNoGap(t *testing.T) {
	log, printed := allWrites(t, "many.cjs", `'use strict';
function mix(a, b) { return (a * 31 + b) % 1000003; }
let sum = 1;
function work() { for (let i = 0; i < 60000; i++) sum = mix(sum, i); }
work();
console.log('sum', sum);
`)
	before, after := 0, 1
	for i := range 60000 {
		before, after = after, (after*31+i)%1000003
	}
	if want := fmt.Sprintf("sum %d\n", after); printed != want {
		t.Fatalf("it printed %q, not %q", printed, want)
	}
	if log.Torn || log.Dropped == 0 {
		t.Errorf("torn: %t, dropped: %d of %d", log.Torn, log.Dropped, log.Total)
	}
	gaps, kept, told := 0, 0, false
	for i, e := range log.Events {
		if i > 0 && e.Seq != log.Events[i-1].Seq+1 {
			gaps, kept = gaps+1, 0
		}
		kept++
		if e.Kind == recording.Write && strings.HasSuffix(e.Place, "#sum") && e.Values[1].Text == strconv.Itoa(after) {
			told = e.Values[0].Text == strconv.Itoa(before) && strings.HasPrefix(e.Stack[0], "(module) ")
		}
	}
	if gaps > 1 || kept < 40_000 {
		t.Errorf("%d gaps, %d events behind the last of them", gaps, kept)
	}
	if !told {
		t.Errorf("the last write, of %d in place of %d, is not there", after, before)
	}
}

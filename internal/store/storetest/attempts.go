package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"aidb-mcp/internal/changes/attempts"
)

// Attempts holds memories, one for each test, to what every memory of attempts must
// do, whether or not a store keeps it.
func Attempts(t *testing.T, open func(t *testing.T) attempts.Memory) {
	for name, test := range map[string]func(*testing.T, attempts.Memory){
		"listed": listed, "repeated": repeated, "forgotten": forgotten, "solved": solved, "most": most, "latest": latest,
		"long texts": longTexts, "odd texts": oddTexts, "at once": atOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func add(t *testing.T, m attempts.Memory, a attempts.Attempt) attempts.Attempt {
	t.Helper()
	if err := m.Add(t.Context(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func list(t *testing.T, m attempts.Memory, problem string) []attempts.Attempt {
	t.Helper()
	found, err := m.List(t.Context(), problem)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What was tried comes back as it was given, counted by problem.
func listed(t *testing.T, m attempts.Memory) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	var want []attempts.Attempt
	for i := range 3 {
		a := add(t, m, attempts.Attempt{Problem: "p", Key: fmt.Sprint("k", i), At: at.Add(time.Duration(-i) * time.Hour), Hypothesis: "off by one: 1 < 2 & \"grüße\"",
			Change: json.RawMessage(`{"patch": "--- a\n+++ b"}`), Result: attempts.Failed, Failure: json.RawMessage(`{"message":"1 < 2 \u0000"}`), Signature: "s"})
		if a.N != i+1 {
			t.Errorf("the number is %d", a.N)
		}
		want = append(want, a)
	}
	if a := add(t, m, attempts.Attempt{Problem: "q", Key: "k1", Result: attempts.Passed}); a.N != 1 {
		t.Errorf("of another problem the number is %d", a.N)
	}
	if got := list(t, m, "p"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := list(t, m, "q"); len(got) != 1 || time.Since(got[0].At) > limit || got[0].Change != nil || got[0].Failure != nil {
		t.Errorf("without a time: %+v", got)
	}
	if got := list(t, m, "r"); len(got) != 0 {
		t.Errorf("of a problem that nobody has: %+v", got)
	}
}

// What is written once more, because nobody knows whether it was, counts once.
func repeated(t *testing.T, m attempts.Memory) {
	first := attempts.Attempt{Problem: "p", Key: "k", At: time.Now().Add(-time.Hour), Result: attempts.TimedOut, Hypothesis: "first"}
	add(t, m, first)
	add(t, m, first)
	add(t, m, attempts.Attempt{Problem: "p", Key: "other"})
	first.Result, first.Hypothesis = attempts.Passed, "again"
	if again := add(t, m, first); again.N != 1 {
		t.Errorf("the number is %d", again.N)
	}
	if got := list(t, m, "p"); len(got) != 2 || got[0].Result != attempts.Passed || got[0].Hypothesis != "again" || got[1].Key != "other" || got[1].N != 2 {
		t.Errorf("%+v", got)
	}
}

func forgotten(t *testing.T, m attempts.Memory) {
	for i := range 3 {
		add(t, m, attempts.Attempt{Problem: "p", Key: strconv.Itoa(i)})
	}
	add(t, m, attempts.Attempt{Problem: "q", Key: "1"})
	for _, want := range []int{3, 0} {
		if n, err := m.Forget(t.Context(), "p"); n != want || err != nil {
			t.Errorf("%d are forgotten, %v", n, err)
		}
	}
	if p, q := list(t, m, "p"), list(t, m, "q"); len(p) != 0 || len(q) != 1 {
		t.Errorf("%+v, %+v", p, q)
	}
	if a := add(t, m, attempts.Attempt{Problem: "p", Key: "2"}); a.N != 1 {
		t.Errorf("the next number is %d", a.N)
	}
}

// What solved a failure is the newest that passed, of another problem.
func solved(t *testing.T, m attempts.Memory) {
	now := time.Now()
	for i, a := range []attempts.Attempt{
		{Problem: "p", Result: attempts.Passed, Signature: "s", At: now},
		{Problem: "q", Result: attempts.Passed, Signature: "s", At: now.Add(-time.Hour)},
		{Problem: "r", Result: attempts.Passed, Signature: "s", At: now.Add(-2 * time.Hour)},
		{Problem: "q", Result: attempts.Failed, Signature: "s", At: now},
		{Problem: "q", Result: attempts.Passed, Signature: "other", At: now},
		{Problem: "q", Result: attempts.Passed, At: now},
	} {
		a.Key = strconv.Itoa(i)
		add(t, m, a)
	}
	for _, test := range []struct{ signature, except, want string }{
		{"s", "p", "1"}, {"s", "q", "0"}, {"other", "p", "4"}, {"other", "q", ""}, {"none", "p", ""}, {"", "p", ""},
	} {
		got, err := m.Solved(t.Context(), test.signature, test.except)
		if err != nil || got == nil && test.want != "" || got != nil && got.Key != test.want {
			t.Errorf("%s except of %s: %+v, %v", test.signature, test.except, got, err)
		}
	}
}

// The latest problem of a workspace is the one that was begun last, until it is forgotten.
func latest(t *testing.T, m attempts.Memory) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	begin := func(id, workspace string, ago time.Duration, check string) {
		t.Helper()
		if err := m.Begin(t.Context(), attempts.Problem{ID: id, Workspace: workspace, At: at.Add(-ago), Check: json.RawMessage(check)}); err != nil {
			t.Fatal(err)
		}
	}
	is := func(workspace, want, check string) {
		t.Helper()
		p, err := m.Latest(t.Context(), workspace)
		if err != nil || (p == nil) != (want == "") || p != nil && (p.ID != want || string(p.Check) != check || p.Workspace != workspace) {
			t.Errorf("of %s it is %+v, %v", workspace, p, err)
		}
	}
	is("w", "", "")
	begin("p", "w", 3*time.Hour, `{"test":"a"}`)
	begin("q", "w", 2*time.Hour, `{"test":"b"}`)
	begin("r", "v", time.Hour, "")
	is("w", "q", `{"test":"b"}`)
	is("v", "r", "")
	begin("p", "w", time.Hour, `{"test":"c"}`)
	is("w", "p", `{"test":"c"}`)
	add(t, m, attempts.Attempt{Problem: "p", Key: "k"})
	if _, err := m.Forget(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	is("w", "q", `{"test":"b"}`)
}

// Of a problem the last are kept, and go on being counted.
func most(t *testing.T, m attempts.Memory) {
	const more, writers = 12, 8
	add(t, m, attempts.Attempt{Problem: "q", Key: "old"})
	addAtOnce(t, m, writers, (attempts.MostOfProblem+more)/writers)
	got := list(t, m, "p")
	if len(got) != attempts.MostOfProblem || got[0].N != more+1 || got[len(got)-1].N != attempts.MostOfProblem+more {
		t.Errorf("%d, from %+v to %+v", len(got), got[0], got[len(got)-1])
	}
	if got := list(t, m, "q"); len(got) != 1 {
		t.Errorf("of another problem: %+v", got)
	}
}

// Texts that are too long are cut, and what was JSON is JSON.
func longTexts(t *testing.T, m attempts.Memory) {
	long := func(of string) string { return strings.Repeat(of, 100_000) }
	object := func(of string) json.RawMessage { return json.RawMessage(`{"patch":"` + long(of) + `"}`) }
	for i, of := range []string{"a", "é", `\"`, "<", "世"} {
		add(t, m, attempts.Attempt{Problem: "p", Key: strconv.Itoa(i), Hypothesis: long(of), Change: object(of), Failure: object(of), Result: attempts.Failed})
	}
	for _, a := range list(t, m, "p") {
		var change, failure string
		if json.Unmarshal(a.Change, &change) != nil || json.Unmarshal(a.Failure, &failure) != nil {
			t.Fatalf("%d: they are no texts: %.50s, %.50s", a.N, a.Change, a.Failure)
		}
		for name, text := range map[string]struct {
			is          string
			bytes, most int
			begins      string
		}{
			"hypothesis": {a.Hypothesis, len(a.Hypothesis), attempts.LongestHypothesis, ""},
			"change":     {change, len(a.Change), attempts.LongestChange, `{"patch":"`},
			"failure":    {failure, len(a.Failure), attempts.LongestFailure, `{"patch":"`},
		} {
			if text.bytes > text.most || text.bytes < text.most/3 || !strings.HasSuffix(text.is, "…") || !strings.HasPrefix(text.is, text.begins) || !utf8.ValidString(text.is) || strings.ContainsRune(text.is, utf8.RuneError) {
				t.Errorf("%d: the %s has %d bytes: %.30s", a.N, name, text.bytes, text.is)
			}
		}
	}
	whole := json.RawMessage(`"` + strings.Repeat("a", attempts.LongestChange-2) + `"`)
	add(t, m, attempts.Attempt{Problem: "q", Key: "1", Change: whole})
	if got := list(t, m, "q"); string(got[0].Change) != string(whole) {
		t.Error("a change that just has room is not what was given")
	}
}

// Any text can be kept, and asked for.
func oddTexts(t *testing.T, m attempts.Memory) {
	odd := "'; DROP TABLE aidb_attempts; --\x00\xff\x1b" + strings.Repeat("long", 1000)
	for range 2 {
		add(t, m, attempts.Attempt{Problem: odd, Key: odd, Hypothesis: "a\x00b\xff", Change: json.RawMessage("no JSON\x00\xff"), Failure: json.RawMessage("\"\xff\""), Result: attempts.Passed, Signature: odd})
	}
	got := list(t, m, odd)
	if len(got) != 1 || got[0].Hypothesis != "a?b?" || string(got[0].Change) != `"no JSON??"` || !json.Valid(got[0].Failure) || !utf8.Valid(got[0].Failure) {
		t.Errorf("%+v", got)
	}
	if a, err := m.Solved(t.Context(), odd, odd+"other"); a == nil || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if n, err := m.Forget(t.Context(), odd); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func atOnce(t *testing.T, m attempts.Memory) {
	const writers, each = 8, 10
	addAtOnce(t, m, writers, each)
	inOrder(t, list(t, m, "p"), writers*each)
}

// addAtOnce has writers who add so many each, of problem p.
func addAtOnce(t *testing.T, m attempts.Memory, writers, each int) {
	t.Helper()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				a := attempts.Attempt{Problem: "p", Key: fmt.Sprint(w, "/", i)}
				if err := m.Add(t.Context(), &a); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// inOrder: each number is there once.
func inOrder(t *testing.T, got []attempts.Attempt, n int) {
	t.Helper()
	if len(got) != n {
		t.Errorf("there are %d, want %d", len(got), n)
	}
	for i, a := range got {
		if a.N != i+1 {
			t.Fatalf("number %d is %+v", i+1, a)
		}
	}
}

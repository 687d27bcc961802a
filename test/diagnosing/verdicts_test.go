//go:build linux

package diagnosing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Each failure of each language is told with its verdict, its culprit and its place,
// and leaves nothing behind.
func TestFailures(t *testing.T) {
	for _, l := range tongues {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			s := open(t, l)
			names := slices.Sorted(maps.Keys(l.Failures))
			slices.SortStableFunc(names, func(a, b string) int { return l.Failures[a].patience() - l.Failures[b].patience() })
			together := sync.OnceValue(s.together) // when all has been built
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					l.again(t, name)
					f := l.Failures[name]
					r := testkit.Reply{}
					switch {
					case f.Verdict == "busy_loop":
						r = s.computing(f)
					case f.patience() > 0:
						if r = <-together()[name]; r.IsError || r.JSON == "" {
							t.Fatal(r.Text)
						}
					default:
						r = s.OK("diagnose", s.with(f.Start))
					}
					if size := len(r.Text); size > max(f.Most, plain) {
						t.Errorf("the reply has %d bytes", size)
					}
					s.holds(t, r, f)
					if t.Failed() {
						t.Logf("in\n%s", r)
					}
				})
			}
		})
	}
}

// through leaves to the long run what a language does again through a compiler.
func (l tongue) through(t *testing.T) {
	t.Helper()
	if l.Again != "" {
		testkit.Long(t, "again with "+l.Again+", through a compiler")
	}
}

// again leaves a failure to the long run that another language has already, or this one by
// another name.
func (l tongue) again(t *testing.T, name string) {
	t.Helper()
	if l.late(name) {
		testkit.Long(t, "it fails as others do")
	}
}

// late says that a failure is one of the long run.
func (l tongue) late(name string) bool {
	return l.Again != "" && !slices.Contains(essential, name) || slices.Contains(l.Long, name)
}

// patience is how long a program that does not end is waited for.
func (f failure) patience() int {
	if ms, _ := f.Start["timeout_ms"].(int); ms < 60_000 {
		return ms
	}
	return 0
}

// together asks of all programs that do not end at once: each is only waited for.
func (s *shop) together() map[string]chan testkit.Reply {
	replies := map[string]chan testkit.Reply{}
	for name, f := range s.Failures {
		if f.patience() == 0 || s.late(name) && !testkit.IsLong() {
			continue
		}
		reply := make(chan testkit.Reply, 1)
		replies[name] = reply
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), testkit.CallLimit)
			defer cancel()
			r, err := s.CallContext(ctx, "diagnose", s.with(f.Start))
			if err != nil {
				r.Text = err.Error()
			}
			reply <- r
		}()
	}
	return replies
}

// computing asks of a program that computes without end, with little time first: what it
// computes until that is over, others lack. On a busy machine it may be over before the
// program has run for long enough, or before its steps are made.
func (s *shop) computing(f failure) (r testkit.Reply) {
	for _, limit := range []int{10_000, 16_000, 25_000, 60_000} {
		r = s.Call("diagnose", s.with(f.Start, A{"timeout_ms": limit}))
		isShort := slices.ContainsFunc(f.Has, func(want string) bool { return !strings.Contains(r.JSON, want) })
		if !r.IsError && r.At("data", "verdict") == f.Verdict && !isShort {
			break
		}
	}
	return r
}

// A language has each of the usual failures, or says why not.
func TestUsualFailures(t *testing.T) {
	t.Parallel()
	for _, l := range tongues {
		for _, name := range usual {
			if _, has := l.Failures[name]; has == (l.Not[name] != "") {
				t.Errorf("%s has %s: %v, and why not: %q", l.Name, name, has, l.Not[name])
			}
		}
	}
}

// holds compares a reply with what it must say.
func (s *shop) holds(t *testing.T, r testkit.Reply, f failure) {
	t.Helper()
	equal := func(want string, path ...string) {
		t.Helper()
		if got := r.At(append([]string{"data"}, path...)...); got != want {
			t.Errorf("%v is %q, want %q", path, got, want)
		}
	}
	equal(f.Verdict, "verdict")
	equal(f.Culprit, "culprit", "expression")
	equal(f.Value, "culprit", "value")
	if f.At != "" && !s.here(r.At("data", "location"), f.At) {
		t.Errorf("the location is %q, want %q", r.At("data", "location"), f.At)
	}
	has := func(want string, path ...string) {
		t.Helper()
		if got := r.At(append([]string{"data"}, path...)...); !strings.Contains(got, want) {
			t.Errorf("no %q in %v, which is %q", want, path, got)
		}
	}
	has(f.Why, "culprit", "why")
	has(f.Message, "message")
	s.list(t, r, f)
	if f.Left != "" {
		got := r.At("data", "actual") + r.At("data", "left") + " beside " + r.At("data", "expected") + r.At("data", "right")
		if want := f.Left + " beside " + f.Right; got != want {
			t.Errorf("the sides are %q, want %q", got, want)
		}
	}
	for _, part := range f.Has {
		if !strings.Contains(r.Text, part) && !strings.Contains(r.JSON, part) {
			t.Errorf("no %q", part)
		}
	}
	for _, part := range f.Lacks {
		if strings.Contains(r.Text, part) || strings.Contains(r.JSON, part) {
			t.Errorf("unwanted %q", part)
		}
	}
}

// list compares what comes as lists.
func (s *shop) list(t *testing.T, r testkit.Reply, f failure) {
	t.Helper()
	if got := parts(r); f.Parts != nil && !slices.Equal(got, f.Parts) {
		t.Errorf("the parts are %q, want %q", got, f.Parts)
	}
	var locals map[string]any
	r.Decode(&locals, "data", "locals")
	if got := slices.Sorted(maps.Keys(locals)); f.Locals != nil && !slices.Equal(got, f.Locals) {
		t.Errorf("the locals are %q, want %q", got, f.Locals)
	}
	got := frames(r)
	for i, want := range f.Frames {
		where, rest, _ := strings.Cut(want, " ")
		if want := s.at(where) + " " + rest; i >= len(got) || got[i] != want {
			t.Errorf("frame %d of %q is not %q", i, got, want)
		}
	}
	calls := rows(r)
	for _, want := range f.Calls {
		if !slices.ContainsFunc(calls, func(row string) bool { return strings.Contains(row, want) }) {
			t.Errorf("no call %q in %q", want, calls)
		}
	}
}

func parts(r testkit.Reply) []string {
	var all []struct{ Expression, Value string }
	r.Decode(&all, "data", "parts")
	list := []string{}
	for _, p := range all {
		list = append(list, p.Expression+" = "+p.Value)
	}
	return list
}

func frames(r testkit.Reply) []string {
	var all []struct {
		At, Function string
		Arguments    map[string]string
	}
	r.Decode(&all, "data", "frames")
	var list []string
	for _, f := range all {
		line := f.At + " " + f.Function
		for _, name := range slices.Sorted(maps.Keys(f.Arguments)) {
			line += fmt.Sprintf(" %s=%s", name, f.Arguments[name])
		}
		list = append(list, line)
	}
	return list
}

// rows are the calls that led to the failure, each with spaces between its columns.
func rows(r testkit.Reply) []string {
	var all [][]string
	r.Decode(&all, "data", "calls", "rows")
	var list []string
	for _, row := range all {
		list = append(list, strings.Join(row, " "))
	}
	return list
}

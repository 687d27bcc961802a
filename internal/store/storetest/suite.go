// Package storetest holds every kind of store to the same: Run is one suite, for
// a file and for a database of several machines.
package storetest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/store"
)

// limit is for what takes a moment.
const limit = time.Minute

// writerVariable makes a writer of a test binary; see Main.
const writerVariable = "STORETEST_WRITER"

// Main plays a writer where one was started, and returns otherwise. TestMain
// calls it first.
func Main() {
	if name := os.Getenv(writerVariable); name != "" {
		if place := os.Getenv("STORETEST_PLACE"); strings.HasPrefix(name, "attempts") {
			writeAttempts(name, place)
		} else {
			write(name, place)
		}
		os.Exit(0)
	}
}

// rowsOfWriter is how many calls each writer notes.
const rowsOfWriter = 400

// write notes calls, each in a session of its own, and says after each few how
// many are safe. The last are left to Close.
func write(name, place string) {
	s := store.New(store.Options{Place: place, Batch: 5 * time.Millisecond, Busy: 9 * time.Second})
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for i := 1; i <= rowsOfWriter; i++ {
		s.Record(store.Call{At: time.Now(), Client: name, Session: name + "/" + strconv.Itoa(i), Tool: "step"})
		if i%25 == 0 && i < rowsOfWriter {
			for err := s.Flush(ctx); err != nil; err = s.Flush(ctx) { // twenty want the same file, and a machine may be busy
				if ctx.Err() != nil {
					fmt.Fprintln(os.Stdout, "error", err)
					os.Exit(1)
				}
			}
			fmt.Fprintln(os.Stdout, i)
		}
	}
	s.Close(ctx)
	fmt.Fprintln(os.Stdout, rowsOfWriter)
}

// Run holds the stores that place names, one for each test, to what every store must do.
func Run(t *testing.T, place func(t *testing.T) string) {
	for name, test := range map[string]func(*testing.T, string){
		"sums": sums, "since": since, "pruned": pruned, "sessions": sessions, "texts": texts,
		"lateness": lateness, "nothing to read": nothing, "many writers": manyWriters, "two at once": twoAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, place(t)) })
	}
	t.Run("attempts", func(t *testing.T) { remembering(t, place) })
}

func open(t *testing.T, place string) *store.Store {
	s := store.New(store.Options{Place: place, Batch: 5 * time.Millisecond})
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}

func usage(t *testing.T, place, by string, since time.Time) []store.Usage {
	t.Helper()
	list, err := store.Read(t.Context(), place, since, by)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func flush(t *testing.T, s *store.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := s.Flush(ctx); err != nil {
		t.Fatal(err)
	}
}

// Sums are told by each key, the most called first.
func sums(t *testing.T, place string) {
	s := open(t, place)
	now := time.Now()
	for range 3 {
		s.Record(store.Call{At: now, Server: "1", Client: "claude", Principal: "ada", Session: "go-1", Language: "go", Tool: "step",
			Took: 1500 * time.Microsecond, BytesIn: 40, BytesOut: 400, TokensIn: 10, TokensOut: 100})
	}
	s.Record(store.Call{At: now, Client: "zed", Principal: "bob", Tool: "init", Code: "AIDB_INVALID_PARAM", Took: time.Second, BytesIn: 2, BytesOut: 8, TokensOut: 2})
	step := store.Usage{Calls: 3, Ms: 4.5, BytesIn: 120, BytesOut: 1200, TokensIn: 30, TokensOut: 300}
	init := store.Usage{Calls: 1, Failed: 1, Ms: 1000, BytesIn: 2, BytesOut: 8, TokensOut: 2}
	for by, names := range map[string][2]string{
		"tool": {"step", "init"}, "client": {"claude", "zed"}, "language": {"go", ""}, "session": {"go-1", ""}, "principal": {"ada", "bob"},
	} {
		want := []store.Usage{step, init}
		want[0].By, want[0].Value, want[1].By, want[1].Value = by, names[0], by, names[1]
		if by == "session" {
			want[0].Began = now.UTC().Truncate(time.Millisecond)
		}
		got, err := s.Usage(t.Context(), time.Time{}, by) // what was recorded is there
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("by %s: %+v, %v\nwant %+v", by, got, err, want)
		}
	}
	if _, err := s.Usage(t.Context(), time.Time{}, "code; DROP TABLE aidb_calls"); err == nil || !strings.Contains(err.Error(), "usage is told by tool, client") {
		t.Errorf("a key that is none: %v", err)
	}
}

func since(t *testing.T, place string) {
	s := open(t, place)
	for hours := range 10 {
		s.Record(store.Call{At: time.Now().Add(-time.Duration(hours) * time.Hour), Tool: "step"})
	}
	flush(t, s)
	if got := usage(t, place, "tool", time.Now().Add(-150*time.Minute)); len(got) != 1 || got[0].Calls != 3 {
		t.Errorf("%+v", got)
	}
}

// Rows go when their time is over.
func pruned(t *testing.T, place string) {
	s := open(t, place)
	s.Record(store.Call{At: time.Now().Add(-store.DefaultKeep - time.Hour), Tool: "old"})
	s.Record(store.Call{At: time.Now().Add(-store.DefaultKeep + time.Hour), Tool: "young"})
	flush(t, s)
	s.Close(t.Context())
	if got := usage(t, place, "tool", time.Time{}); len(got) != 1 || got[0].Value != "young" {
		t.Errorf("%+v", got)
	}
}

// Two servers may each have a session of one name.
func sessions(t *testing.T, place string) {
	for range 2 {
		s := open(t, place)
		for range 2 {
			s.Record(store.Call{At: time.Now(), Session: "go-1", Tool: "step"})
			s.Record(store.Call{At: time.Now(), Tool: "init"})
		}
		flush(t, s)
	}
	got := usage(t, place, "session", time.Time{})
	if len(got) != 3 || got[0].Value != "" || got[0].Calls != 4 || got[1].Value != "go-1" || got[1].Calls != 2 || got[2].Calls != 2 {
		t.Errorf("%+v", got)
	}
}

// A name may be anything: each database takes it, and each terminal.
func texts(t *testing.T, place string) {
	s := open(t, place)
	for given, want := range map[string]string{
		"a\x00b\x1b[31m\n": "a?b?[31m?", "\xff\xfe": "??", "grüße 世界": "grüße 世界", strings.Repeat("é", 1000): strings.Repeat("é", 100),
		"'); DROP TABLE aidb_calls; --": "'); DROP TABLE aidb_calls; --",
	} {
		s.Record(store.Call{At: time.Now(), Client: given, Tool: want})
	}
	flush(t, s)
	var shown []string
	for _, by := range []string{"client", "tool"} {
		shown = append(shown, "")
		for _, u := range usage(t, place, by, time.Time{}) {
			shown[len(shown)-1] += u.Value + "\n"
		}
	}
	if shown[0] != shown[1] {
		t.Errorf("clients are shown as\n%s\nwant\n%s", shown[0], shown[1])
	}
}

// What is recorded last is written by Close, and nothing after it.
func lateness(t *testing.T, place string) {
	s := store.New(store.Options{Place: place, Batch: time.Hour})
	for range 1234 {
		s.Record(store.Call{At: time.Now(), Tool: "step"})
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	s.Close(ctx)
	s.Record(store.Call{At: time.Now(), Tool: "late"})
	if got := usage(t, place, "tool", time.Time{}); len(got) != 1 || got[0].Calls != 1234 {
		t.Errorf("%+v", got)
	}
}

// Where there is no store nothing was used, and none is made.
func nothing(t *testing.T, place string) {
	for range 2 {
		if got := usage(t, place, "tool", time.Time{}); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	}
}

func twoAtOnce(t *testing.T, place string) {
	a, b := open(t, place), open(t, place)
	for range 100 {
		a.Record(store.Call{At: time.Now(), Client: "a"})
		b.Record(store.Call{At: time.Now(), Client: "b"})
	}
	flush(t, a)
	flush(t, b)
	if got := usage(t, place, "client", time.Time{}); len(got) != 2 || got[0].Calls != 100 || got[1].Calls != 100 {
		t.Errorf("%+v", got)
	}
}

// manyWriters: of each of twenty processes, of which every third is killed, each
// row that was said to be safe is there once, and no row is there twice. Of those
// that end in order every row is there.
func manyWriters(t *testing.T, place string) {
	const writers = 20
	safe := make([]int, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			kill := -1
			if i%3 == 0 {
				kill = 25 + i*10
			}
			safe[i] = runWriter(t, fmt.Sprintf("w%d", i), place, kill)
		})
	}
	all.Wait()
	count := map[string]int64{}
	for _, u := range usage(t, place, "session", time.Time{}) {
		if count[u.Value] += u.Calls; count[u.Value] > 1 {
			t.Errorf("%s is there %d times", u.Value, count[u.Value])
		}
	}
	killed := 0
	for i, n := range safe {
		if n < rowsOfWriter {
			killed++
		}
		for j := 1; j <= n; j++ {
			if name := fmt.Sprintf("w%d/%d", i, j); count[name] != 1 {
				t.Errorf("%s is there %d times, and was said to be safe", name, count[name])
			}
		}
	}
	t.Logf("%d rows of %d writers, of which %d were killed at work", len(count), writers, killed)
	if killed < 3 {
		t.Error("too few writers were killed while they wrote")
	}
}

// runWriter runs a writer, kills it when so many rows are safe, and returns how
// many it said to be safe.
func runWriter(t *testing.T, name, place string, kill int) (safe int) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerVariable+"="+name, "STORETEST_PLACE="+place)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return 0
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Errorf("%s: %s", name, lines.Text())
			continue
		}
		if safe = n; kill >= 0 && safe >= kill {
			_ = cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err != nil && kill < 0 {
		t.Errorf("%s: %v", name, err)
	}
	return safe
}

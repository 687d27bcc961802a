package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/store"
	"aidb-mcp/internal/store/storetest"
)

func TestMain(m *testing.M) {
	storetest.Main()
	os.Exit(m.Run())
}

func TestFile(t *testing.T) { storetest.Run(t, newPlace) }

func newPlace(t *testing.T) string { return filepath.Join(t.TempDir(), "store", "aidb.db") }

// keeper is a store whose log the test reads.
type keeper struct {
	*store.Store
	t     *testing.T
	place string
	mu    sync.Mutex
	log   bytes.Buffer
}

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.log.Write(p)
}

// said is what the log says in the end.
func (k *keeper) said() string {
	k.Close(context.Background())
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.log.String()
}

func keep(t *testing.T, place string) *keeper { return keepFor(t, place, 0) }

// keepFor has a store that waits so long for a lock.
func keepFor(t *testing.T, place string, busy time.Duration) *keeper {
	k := &keeper{t: t, place: place}
	k.Store = store.New(store.Options{Place: place, Batch: 5 * time.Millisecond, Busy: busy, Log: slog.New(slog.NewTextHandler(k, nil))})
	t.Cleanup(func() { k.Close(context.Background()) })
	return k
}

func (k *keeper) note(tool string) error {
	k.Record(store.Call{At: time.Now(), Tool: tool})
	ctx, cancel := context.WithTimeout(k.t.Context(), 30*time.Second)
	defer cancel()
	return k.Flush(ctx)
}

// has says which tools are in the store, and how often.
func (k *keeper) has() string {
	k.t.Helper()
	list, err := store.Read(k.t.Context(), k.place, time.Time{}, "tool")
	if err != nil {
		k.t.Fatal(err)
	}
	var words []string
	for _, u := range list {
		words = append(words, fmt.Sprintf("%s %d", u.Value, u.Calls))
	}
	return strings.Join(words, ", ")
}

// A store that another process holds is written when it is let go, and its
// trouble is told once.
func TestLockedStore(t *testing.T) {
	k := keepFor(t, newPlace(t), 50*time.Millisecond)
	if err := k.note("before"); err != nil {
		t.Fatal(err)
	}
	other := connect(t, k.place)
	if _, err := other.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := k.note("meanwhile"); err == nil || !strings.Contains(err.Error(), "locked") {
			t.Errorf("it is written: %v", err)
		}
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := k.note("after"); err != nil {
		t.Error(err)
	}
	if has := k.has(); has != "meanwhile 3, after 1, before 1" {
		t.Errorf("it has %s", has)
	}
	if n := strings.Count(k.said(), "cannot be written"); n != 1 || !strings.Contains(k.said(), "is written again") {
		t.Errorf("the log says\n%s", k.said())
	}
}

// connect is another program's connection to a store.
func connect(t *testing.T, place string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", place)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// What is damaged is set aside, told and made anew: from the beginning, and while
// a server writes to it. Reading changes nothing.
func TestDamagedStore(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, place string){
		"no database": func(t *testing.T, place string) { overwrite(t, place, 0, 4096) },
		"a page":      func(t *testing.T, place string) { overwrite(t, place, 4096, 1<<20) },
	} {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, open %v", name, open), func(t *testing.T) {
				place := newPlace(t)
				k := keep(t, place)
				for range 1000 {
					k.Record(store.Call{At: time.Now(), Tool: "before"})
				}
				if err := k.note("before"); err != nil {
					t.Fatal(err)
				}
				if !open {
					k.Close(t.Context())
					k = keep(t, place)
				} else if _, err := connect(t, place).Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
					t.Fatal(err)
				}
				damage(t, place)
				if _, err := store.Read(t.Context(), place, time.Time{}, "tool"); err == nil || !strings.Contains(err.Error(), "damaged") {
					t.Errorf("reading: %v", err)
				}
				if err := k.note("after"); err != nil {
					t.Fatal(err)
				}
				if has := k.has(); has != "after 1" {
					t.Errorf("it has %s", has)
				}
				aside, _ := filepath.Glob(place + ".damaged-*")
				if len(aside) == 0 || !strings.Contains(k.said(), "set aside") || !strings.Contains(k.said(), aside[0]) || strings.Contains(k.said(), "cannot be written") {
					t.Errorf("aside are %v; the log says\n%s", aside, k.said())
				}
			})
		}
	}
}

func overwrite(t *testing.T, place string, from, most int) {
	t.Helper()
	text, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	for i := from; i < min(len(text), from+most); i++ {
		text[i] = byte(i*7 + 3)
	}
	f, err := os.OpenFile(place, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
}

// Many that find a store damaged in one moment set it aside once, and lose nothing.
func TestManyFindItDamaged(t *testing.T) {
	place := newPlace(t)
	if err := os.Mkdir(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 10 {
		k := keep(t, place)
		all.Go(func() {
			for range 20 {
				if err := k.note("step"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if has := keep(t, place).has(); has != "step 200" {
		t.Errorf("it has %s", has)
	}
	if aside, _ := filepath.Glob(place + ".damaged-*"); len(aside) != 1 {
		t.Errorf("aside are %v", aside)
	}
}

// A store of a newer server is left alone, and one that is another program's.
func TestStoresThatAreNotOurs(t *testing.T) {
	for name, test := range map[string]struct{ statement, says string }{
		"newer":   {"CREATE TABLE aidb_version (version INTEGER); INSERT INTO aidb_version VALUES (2)", "made by a newer aidb-mcp"},
		"another": {"CREATE TABLE cookies (name TEXT)", "another program's database"},
	} {
		t.Run(name, func(t *testing.T) {
			place := newPlace(t)
			if err := os.Mkdir(filepath.Dir(place), 0o700); err != nil {
				t.Fatal(err)
			}
			if _, err := connect(t, place).Exec(test.statement); err != nil {
				t.Fatal(err)
			}
			k := keep(t, place)
			for range 3 {
				if err := k.note("step"); err == nil && name == "another" {
					t.Error("it is written")
				}
			}
			if n := strings.Count(k.said(), test.says); n != 1 {
				t.Errorf("the log says\n%s", k.said())
			}
			var tables int
			if err := connect(t, place).QueryRow("SELECT COUNT(*) FROM sqlite_master").Scan(&tables); err != nil || tables != 1 {
				t.Errorf("it has %d tables, %v", tables, err)
			}
			if _, err := store.Read(t.Context(), place, time.Time{}, "tool"); name == "newer" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("reading: %v", err)
			}
		})
	}
}

// A store that somebody removes is made anew by servers that have it open.
func TestRemovedStore(t *testing.T) {
	k := keep(t, newPlace(t))
	if err := k.note("before"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(k.place)); err != nil {
		t.Fatal(err)
	}
	if err := k.note("after"); err != nil {
		t.Fatal(err)
	}
	if has := k.has(); has != "after 1" {
		t.Errorf("it has %s", has)
	}
}

// A place where nothing can be harms nobody, and is told of once.
func TestNoPlace(t *testing.T) {
	k := keep(t, "/dev/null/store/aidb.db")
	start := time.Now()
	for range 20_000 {
		k.Record(store.Call{At: time.Now(), Tool: "step"})
	}
	if took := time.Since(start); took > 10*time.Second { // one that waits for the place takes hours
		t.Errorf("recording took %v", took)
	}
	if err := k.note("step"); err == nil {
		t.Error("it is written")
	}
	k.Close(t.Context())
	if n := strings.Count(k.said(), "cannot be written"); n != 1 {
		t.Errorf("the log says\n%s", k.said())
	}
}

// Close waits no longer than it may.
func TestCloseIsBounded(t *testing.T) {
	k := keep(t, newPlace(t))
	if err := k.note("before"); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, k.place).Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	s := store.New(store.Options{Place: k.place, Log: slog.New(slog.NewTextHandler(k, nil))})
	s.Record(store.Call{At: time.Now(), Tool: "late"})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	s.Close(ctx)
	if took := time.Since(start); took > 4*time.Second || !strings.Contains(k.said(), "the last calls are missing") {
		t.Errorf("it took %v and says\n%s", took, k.said())
	}
}

// Nothing is made before there is something to write.
func TestNothingIsMadeInAdvance(t *testing.T) {
	k := keep(t, newPlace(t))
	if err := k.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	k.Close(t.Context())
	if has := k.has(); has != "" {
		t.Errorf("it has %s", has)
	}
	if _, err := os.Stat(filepath.Dir(k.place)); err == nil {
		t.Error("the folder was made")
	}
}

func TestPlaces(t *testing.T) {
	for text, says := range map[string]string{
		"":                                   "want a file",
		"mysql://u@h/d":                      "no other kind of store",
		"postgres://u:sesame@h:port/d":       "its address cannot be read",
		"postgres://u:ses%zzame@h/d":         "its address cannot be read",
		"postgres://u:p@h/d?sslmode=perhaps": "its address cannot be read",
	} {
		if _, err := store.Place(text); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "ses") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if place, err := store.Place("a.db"); err != nil || !filepath.IsAbs(place) {
		t.Errorf("%s, %v", place, err)
	}
	for place, want := range map[string]string{
		"/a/b": "/a/b", "postgres://ada:sesame@db.example.org/aidb?password=sesame": "postgres://ada@db.example.org/aidb", "postgres://a:%zz@b": "postgres://…",
	} {
		if got := store.Shown(place); got != want {
			t.Errorf("%s is shown as %s", place, got)
		}
	}
	// Nobody listens there; what is said of it holds no password.
	_, err := store.Read(t.Context(), "postgres://ada:open%20sesame@127.0.0.1:1/aidb?connect_timeout=2", time.Time{}, "tool")
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "postgres://ada@127.0.0.1:1/aidb") {
		t.Errorf("it says %v", err)
	}
}

func TestUsageAsJSON(t *testing.T) {
	for _, test := range []struct {
		usage store.Usage
		want  string
	}{
		{store.Usage{By: "tool", Value: `s"t`, Calls: 3, Failed: 1, Ms: 4.5, BytesIn: 5, BytesOut: 6, TokensIn: 7, TokensOut: 8},
			`{"tool":"s\"t","calls":3,"failed":1,"ms":4.5,"bytes_in":5,"bytes_out":6,"tokens_in":7,"tokens_out":8}`},
		{store.Usage{By: "session", Value: "go-1", Began: time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC), Calls: 1},
			`{"session":"go-1","began":"2026-11-02T03:04:05Z","calls":1,"failed":0,"ms":0,"bytes_in":0,"bytes_out":0,"tokens_in":0,"tokens_out":0}`},
	} {
		if got, err := json.Marshal(test.usage); err != nil || string(got) != test.want {
			t.Errorf("%s, %v", got, err)
		}
	}
}

func TestNilStore(t *testing.T) {
	var s *store.Store
	s.Record(store.Call{})
	s.Close(t.Context())
	if err := s.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := s.Usage(t.Context(), time.Time{}, "tool"); err == nil {
		t.Error("it has an account")
	}
}

// BenchmarkRecord is what the account adds to a call, while rows are written;
// more than 50 µs would be too much.
func BenchmarkRecord(b *testing.B) {
	s := store.New(store.Options{Place: filepath.Join(b.TempDir(), "aidb.db")})
	c := store.Call{At: time.Now(), Server: "1.0", Client: "claude-code", Principal: "ada", Session: "go-1", Language: "go", Tool: "step", Took: time.Millisecond}
	for n := 1; b.Loop(); n++ {
		s.Record(c)
		if n%5000 == 0 { // so that none is dropped, which costs less
			b.StopTimer()
			if err := s.Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
	s.Close(b.Context())
}

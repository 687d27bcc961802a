package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/store"
	"aidb-mcp/internal/store/storetest"
)

// What keeps attempts as long as the process lives is held to the same as a store,
// which storetest.Run holds to it.
func TestAttemptsInMemory(t *testing.T) {
	storetest.Attempts(t, func(*testing.T) attempts.Memory { return new(attempts.InMemory) })
}

// memory is a store's attempts, and what its log says.
type memory struct {
	*store.Attempts
	t     *testing.T
	place string
	log   bytes.Buffer
}

// remember has some attempts of problem p in a store.
func remember(t *testing.T, place string, n int) *memory {
	m := &memory{t: t, place: place}
	m.Attempts = store.NewAttempts(store.Options{Place: place, Log: slog.New(slog.NewTextHandler(&m.log, nil))})
	for i := range n {
		if err := m.add(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *memory) add(key string) error {
	return m.Add(m.t.Context(), &attempts.Attempt{Problem: "p", Key: key, Change: []byte(`"` + strings.Repeat("a", 5000) + `"`)})
}

// all tries everything that a memory does, and returns what went wrong.
func (m *memory) all(ctx context.Context) map[string]error {
	_, listing := m.List(ctx, "p")
	_, solving := m.Solved(ctx, "s", "q")
	_, forgetting := m.Forget(ctx, "p")
	return map[string]error{
		"Add": m.Add(ctx, &attempts.Attempt{Problem: "p", Key: "more"}), "List": listing, "Solved": solving, "Forget": forgetting,
	}
}

func (m *memory) has() (keys []string) {
	m.t.Helper()
	list, err := m.List(m.t.Context(), "p")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, a := range list {
		keys = append(keys, a.Key)
	}
	return keys
}

// A damaged store is told of when it is read, and set aside when it is written.
func TestAttemptsInADamagedStore(t *testing.T) {
	for name, from := range map[string]int{"no database": 0, "pages": 4096} {
		t.Run(name, func(t *testing.T) {
			m := remember(t, newPlace(t), 20)
			overwrite(t, m.place, from, 1<<20)
			if _, err := m.List(t.Context(), "p"); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("reading: %v", err)
			}
			if err := m.add("after"); err != nil {
				t.Fatal(err)
			}
			if has := m.has(); len(has) != 1 || has[0] != "after" {
				t.Errorf("it has %v", has)
			}
			if aside, _ := filepath.Glob(m.place + ".damaged-*"); len(aside) != 1 || !strings.Contains(m.log.String(), "set aside") {
				t.Errorf("aside are %v; the log says\n%s", aside, m.log.String())
			}
		})
	}
}

// Where nothing can be remembered, or should not be, the error says why.
func TestAttemptsAreNotKept(t *testing.T) {
	for name, test := range map[string]struct {
		make func(t *testing.T, place string)
		says string
		none bool // when one looks there is nothing
	}{
		"another's": {func(t *testing.T, place string) {
			execute(t, place, "DROP TABLE aidb_version; DROP TABLE aidb_calls; DROP TABLE aidb_attempts; CREATE TABLE cookies (name TEXT)")
		}, "another program's database", true}, // in which nothing was ever tried
		"directory": {func(t *testing.T, place string) {
			if os.Remove(place) != nil || os.Mkdir(place, 0o700) != nil {
				t.Fatal("it was not made")
			}
		}, "no regular file", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := remember(t, newPlace(t), 1)
			test.make(t, m.place)
			for call, err := range m.all(t.Context()) {
				if test.none && call != "Add" {
					if err != nil {
						t.Errorf("%s: %v", call, err)
					}
				} else if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), m.place) {
					t.Errorf("%s: %v", call, err)
				}
			}
			if m.log.Len() > 0 {
				t.Errorf("the log says\n%s", m.log.String())
			}
		})
	}
}

func execute(t *testing.T, place, statements string) {
	t.Helper()
	db := connect(t, place)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	db.Close()
}

func TestNoPlaceForAttempts(t *testing.T) {
	m := remember(t, "/dev/null/store/aidb.db", 0)
	if err := m.all(t.Context())["Add"]; err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("adding: %v", err)
	}
	// Nobody listens there; what is said of it holds no password.
	m = remember(t, "postgres://ada:open%20sesame@127.0.0.1:1/aidb?connect_timeout=2", 0)
	for call, err := range m.all(t.Context()) {
		if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "postgres://ada@127.0.0.1:1/aidb") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// Who waits for a store that another process holds waits no longer than he likes.
func TestAttemptsInALockedStore(t *testing.T) {
	m := remember(t, newPlace(t), 1)
	other := connect(t, m.place)
	if _, err := other.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := m.Add(ctx, &attempts.Attempt{Problem: "p", Key: "impatient"})
	if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "it did not answer in time") || took > 2500*time.Millisecond { // it would be told by itself after three seconds
		t.Errorf("it took %v, %v", took, err)
	}
	hurried := store.NewAttempts(store.Options{Place: m.place, Busy: 50 * time.Millisecond})
	err = hurried.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: "patient"})
	if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "another process holds it") || took > 10*time.Second {
		t.Errorf("it took %v, %v", took, err)
	}
	if has := m.has(); len(has) != 1 { // readers need not wait
		t.Errorf("it has %v", has)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := m.add("after"); err != nil {
		t.Error(err)
	}
}

// A store that somebody removes is made anew.
func TestAttemptsInARemovedStore(t *testing.T) {
	m := remember(t, newPlace(t), 1)
	if err := os.RemoveAll(filepath.Dir(m.place)); err != nil {
		t.Fatal(err)
	}
	if has := m.has(); len(has) != 0 {
		t.Errorf("it has %v", has)
	}
	if err := m.add("after"); err != nil {
		t.Error(err)
	}
	if has := m.has(); len(has) != 1 {
		t.Errorf("it has %v", has)
	}
}

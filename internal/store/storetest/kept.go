package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/store"
)

// attemptsOfWriter is how many each writer of attempts adds.
const attemptsOfWriter = 20

// writeAttempts adds to the one problem of all writers, and says after each that it
// is safe.
func writeAttempts(name, place string) {
	m := store.NewAttempts(store.Options{Place: place})
	for i := 1; i <= attemptsOfWriter; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		a := attempts.Attempt{Problem: "p", Key: fmt.Sprint(name, "/", i)}
		if err := m.Add(ctx, &a); err != nil {
			fmt.Fprintln(os.Stdout, "error", err)
			os.Exit(1)
		}
		cancel()
		fmt.Fprintln(os.Stdout, i)
	}
}

// remembering is every memory's suite, and what else a store must do that keeps attempts.
func remembering(t *testing.T, place func(t *testing.T) string) {
	Attempts(t, func(t *testing.T) attempts.Memory {
		at := place(t)
		s := open(t, at) // as in a server, whose account is open meanwhile
		s.Record(store.Call{At: time.Now(), Tool: "attempt"})
		flush(t, s)
		return store.NewAttempts(store.Options{Place: at})
	})
	for name, test := range map[string]func(*testing.T, string){
		"processes": processes, "handles": handles, "old ones": oldOnes, "nothing to forget": nothingToForget,
		"older store": olderStore, "newer store": newerStore, "read-only store": readOnlyStore, "beside the account": besideTheAccount,
	} {
		t.Run(name, func(t *testing.T) { test(t, place(t)) })
	}
}

// processes: each attempt of several processes that was said to be safe is there,
// and each number once, also when some are killed.
func processes(t *testing.T, place string) {
	const writers = 6
	safe := make([]int, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			kill := -1
			if i%2 == 0 {
				kill = 5 + i
			}
			safe[i] = runWriter(t, fmt.Sprint("attempts", i), place, kill)
		})
	}
	all.Wait()
	got := list(t, store.NewAttempts(store.Options{Place: place}), "p")
	inOrder(t, got, len(got))
	there := map[string]bool{}
	for _, a := range got {
		there[a.Key] = true
	}
	for i, n := range safe {
		for j := 1; j <= n; j++ {
			if key := fmt.Sprintf("attempts%d/%d", i, j); !there[key] {
				t.Errorf("%s was said to be safe, and is not there", key)
			}
		}
	}
	t.Logf("%d attempts; safe were %v", len(got), safe)
}

// What one server adds another one finds at once.
func handles(t *testing.T, place string) {
	a, b := store.NewAttempts(store.Options{Place: place}), store.NewAttempts(store.Options{Place: place})
	for i := range 10 {
		add(t, a, attempts.Attempt{Problem: "p", Key: fmt.Sprint("a", i), Result: attempts.Passed, Signature: "s"})
		inOrder(t, list(t, b, "p"), 2*i+1)
		add(t, b, attempts.Attempt{Problem: "p", Key: fmt.Sprint("b", i)})
		inOrder(t, list(t, a, "p"), 2*i+2)
	}
	if found, err := b.Solved(t.Context(), "s", "q"); err != nil || found == nil || found.Key != "a9" {
		t.Errorf("%+v, %v", found, err)
	}
}

// Attempts go when their time is over; one that is made again has a new one.
func oldOnes(t *testing.T, place string) {
	m := store.NewAttempts(store.Options{Place: place})
	tooOld := time.Now().Add(-store.KeepAttempts - time.Hour)
	add(t, m, attempts.Attempt{Problem: "p", Key: "old", At: tooOld, Result: attempts.Passed, Signature: "s"})
	add(t, m, attempts.Attempt{Problem: "p", Key: "again", At: tooOld.Add(2 * time.Hour)})
	if got := list(t, m, "p"); len(got) != 1 || got[0].Key != "again" {
		t.Errorf("%+v", got)
	}
	if found, err := m.Solved(t.Context(), "s", "q"); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
	add(t, m, attempts.Attempt{Problem: "p", Key: "again"})
	if got := list(t, m, "p"); len(got) != 1 || time.Since(got[0].At) > time.Hour {
		t.Errorf("%+v", got)
	}
	if n := count(t, place, "aidb_attempts"); n != 1 {
		t.Errorf("it holds %d rows", n)
	}
}

// Where there is no store nothing was tried, and none is made.
func nothingToForget(t *testing.T, place string) {
	m := store.NewAttempts(store.Options{Place: place})
	if n, err := m.Forget(t.Context(), "p"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if found, err := m.Solved(t.Context(), "s", "p"); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
	if got := list(t, m, "p"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if store.IsShared(place) {
		if _, err := connect(t, place).Exec(`SELECT 1 FROM aidb_version`); err == nil {
			t.Error("tables were made")
		}
	} else if _, err := os.Stat(place); err == nil {
		t.Error("a file was made")
	}
}

// olderTables is a store of a server that knows calls and nothing else, with a call.
const olderTables = `
CREATE TABLE aidb_version (version BIGINT NOT NULL);
CREATE TABLE aidb_calls (
	writer BIGINT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL,
	server TEXT NOT NULL, client TEXT NOT NULL, principal TEXT NOT NULL,
	session TEXT NOT NULL, language TEXT NOT NULL, tool TEXT NOT NULL, code TEXT NOT NULL,
	ms DOUBLE PRECISION NOT NULL, bytes_in BIGINT NOT NULL, bytes_out BIGINT NOT NULL,
	tokens_in BIGINT NOT NULL, tokens_out BIGINT NOT NULL,
	PRIMARY KEY (writer, number));
CREATE INDEX aidb_calls_at ON aidb_calls (at);
INSERT INTO aidb_version (version) VALUES (1);
INSERT INTO aidb_calls VALUES (7, 1, %d, '1.0', 'claude', 'ada', 'go-1', 'go', 'step', '', 1.5, 1, 2, 3, 4);`

// An older server's store gets what is missing and keeps what it has; what an
// older server looks at to know whether it can use the store stays as it was.
func olderStore(t *testing.T, place string) {
	if !store.IsShared(place) {
		if err := os.MkdirAll(strings.TrimSuffix(place, "aidb.db"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	db := connect(t, place)
	for statement := range strings.SplitSeq(fmt.Sprintf(olderTables, time.Now().UnixMilli()), ";\n") {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if !store.IsShared(place) {
		if err := os.Chmod(place, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := store.NewAttempts(store.Options{Place: place})
	if got := list(t, m, "p"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	var all sync.WaitGroup
	for i := range 5 { // one of them makes the table
		all.Go(func() {
			if err := m.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	inOrder(t, list(t, m, "p"), 5)
	if got := usage(t, place, "tool", time.Time{}); len(got) != 1 || got[0].Calls != 1 || got[0].TokensOut != 4 {
		t.Errorf("%+v", got)
	}
	s := open(t, place)
	s.Record(store.Call{At: time.Now(), Tool: "step"})
	flush(t, s)
	if got := usage(t, place, "tool", time.Time{}); len(got) != 1 || got[0].Calls != 2 {
		t.Errorf("%+v", got)
	}
	var version, rows int
	if err := db.QueryRow(`SELECT MAX(version), COUNT(*) FROM aidb_version`).Scan(&version, &rows); err != nil || version != 1 || rows != 1 {
		t.Errorf("the version is %d, of %d, %v", version, rows, err)
	}
}

// A newer server's store is left alone.
func newerStore(t *testing.T, place string) {
	m := store.NewAttempts(store.Options{Place: place})
	add(t, m, attempts.Attempt{Problem: "p", Key: "k"})
	if _, err := connect(t, place).Exec(`UPDATE aidb_version SET version = 2`); err != nil {
		t.Fatal(err)
	}
	adding := m.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: "more"})
	_, listing := m.List(t.Context(), "p")
	_, solving := m.Solved(t.Context(), "s", "p")
	_, forgetting := m.Forget(t.Context(), "p")
	for _, err := range []error{adding, listing, solving, forgetting} {
		if !errors.Is(err, store.ErrNewer) {
			t.Errorf("%v", err)
		}
	}
	if n := count(t, place, "aidb_attempts"); n != 1 {
		t.Errorf("it holds %d rows", n)
	}
}

// What is in a store that cannot be written is still told.
func readOnlyStore(t *testing.T, place string) {
	m := store.NewAttempts(store.Options{Place: place})
	add(t, m, attempts.Attempt{Problem: "p", Key: "k"})
	if err := makeReadOnly(t, place); err != nil {
		t.Fatal(err)
	}
	adding := m.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: "more"})
	_, forgetting := m.Forget(t.Context(), "p")
	for _, err := range []error{adding, forgetting} {
		if err == nil || !strings.Contains(err.Error(), "it cannot be written") || !strings.Contains(err.Error(), store.Shown(place)) {
			t.Errorf("%v", err)
		}
	}
	if got := list(t, m, "p"); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// makeReadOnly makes it so for every user, root too: a file by its header.
func makeReadOnly(t *testing.T, place string) error {
	if store.IsShared(place) {
		db := connect(t, place)
		var name string
		if err := db.QueryRow(`SELECT current_database()`).Scan(&name); err != nil {
			return err
		}
		_, err := db.Exec(`ALTER DATABASE ` + name + ` SET default_transaction_read_only = on`)
		return err
	}
	f, err := os.OpenFile(place, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte{9, 2}, 18) // to be written by a later format, and read by WAL's
	return err
}

// Attempts and calls are in one place, and do not count as each other.
func besideTheAccount(t *testing.T, place string) {
	m, s := store.NewAttempts(store.Options{Place: place}), open(t, place)
	var all sync.WaitGroup
	for i := range 20 {
		s.Record(store.Call{At: time.Now(), Tool: "attempt"})
		all.Go(func() {
			if err := m.Add(t.Context(), &attempts.Attempt{Problem: "p", Key: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	flush(t, s)
	inOrder(t, list(t, m, "p"), 20)
	if got := usage(t, place, "tool", time.Time{}); len(got) != 1 || got[0].Calls != 20 || got[0].Failed != 0 {
		t.Errorf("%+v", got)
	}
}

// connect is another program's connection to a place.
func connect(t *testing.T, place string) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if store.IsShared(place) {
		driver = "pgx"
	}
	db, err := sql.Open(driver, place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func count(t *testing.T, place, table string) (n int) {
	t.Helper()
	if err := connect(t, place).QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

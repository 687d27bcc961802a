//go:build unix

package account

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

const program = `package main

import "fmt"

func main() {
	sum := 0
	for i := range 3 {
		sum += i
	}
	fmt.Println(sum)
}
`

// written is a Go program of one file.
func written(t *testing.T, text string) *testkit.Program {
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module sums\n\ngo 1.26\n")
	p.Write("main.go", text)
	return p
}

// debug debugs a Go program: a start, two steps, a call that fails, and an end.
func debug(t *testing.T, s *testkit.Server) {
	t.Helper()
	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": 8}}})
	s.OK("step", A{"action": "over"})
	s.OK("step", A{"action": "over"})
	s.Fail("VALIDATION_INVALID_ACTION", "step", A{"action": "sideways"})
	s.OK("session", A{"action": "stop"})
}

// A debug session is in the account by each key, and what was said in it is not.
func TestCallsOfASession(t *testing.T) {
	t.Parallel()
	env := in(filepath.Join(t.TempDir(), "store", "aidb.db"), "AIDB_PRINCIPAL=ada")
	p := written(t, program)
	for _, protocol := range []string{"2025-06-18", ""} {
		s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env, Protocol: protocol})
		debug(t, s)
		s.CloseInput()
		<-s.Exited()
	}
	for by, want := range map[string]map[string][2]int{ // calls, failed
		"tool":      {"session_start": {2, 0}, "step": {6, 2}, "session": {2, 0}},
		"client":    {"testkit": {10, 2}},
		"principal": {"ada": {10, 2}},
	} {
		found := rows(t, env, by)
		for name, numbers := range want {
			r := found[name]
			if [2]int{r.Calls, r.Failed} != numbers || r.Ms <= 0 || r.Bytes_in < 10 || r.Bytes_out < 50 || r.Tokens_out != 0 && r.Tokens_out > r.Bytes_out/4 {
				t.Errorf("by %s: %s has %+v, want %v", by, name, r, numbers)
			}
		}
		if len(found) != len(want) {
			t.Errorf("by %s: %+v", by, found)
		}
	}
	if language := rows(t, env, "language"); language["go"].Calls < 6 || language["go"].Calls+language[""].Calls != 10 {
		t.Errorf("by language: %+v", language)
	}
	if table := usage(t, env, "--by", "session"); strings.Count(table, "\ngo-1, 20") != 2 {
		t.Errorf("two servers had a session of one name:\n%s", table)
	}
	held, err := filepath.Glob(filepath.Join(filepath.Dir(env[1][len("AIDB_STORE="):]), "*"))
	if err != nil || len(held) == 0 {
		t.Fatal(held, err)
	}
	for _, name := range held {
		text, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(text), p.Dir) || strings.Contains(string(text), "main.go") || strings.Contains(string(text), "sideways") {
			t.Errorf("%s holds what was asked, or %v", name, err)
		}
	}
}

// A server that is killed has written all but the last half second; one that a
// signal ends has written all, and within a second.
func TestEndsOfAServer(t *testing.T) {
	t.Parallel()
	t.Run("killed", func(t *testing.T) {
		env := in(filepath.Join(t.TempDir(), "aidb.db"))
		s := testkit.Start(t, testkit.Options{Env: env})
		for range 20 {
			s.OK("session", A{"action": "list"})
		}
		testkit.Eventually(t, 5*time.Second, "20 calls in the account", func() bool { return count(t, env) == 20 })
		s.OK("session", A{"action": "list"})
		s.Kill()
		if n := count(t, env); n != 20 && n != 21 {
			t.Errorf("%d calls are left", n)
		}
	})
	for _, locked := range []bool{false, true} {
		t.Run(fmt.Sprintf("SIGTERM, locked %v", locked), func(t *testing.T) {
			place := filepath.Join(t.TempDir(), "aidb.db")
			env := in(place)
			s := testkit.Start(t, testkit.Options{Env: env})
			s.OK("session", A{"action": "list"})
			testkit.Eventually(t, 5*time.Second, "a call in the account", func() bool { return count(t, env) == 1 })
			if locked {
				defer lock(t, place)()
			}
			s.OK("session", A{"action": "list"})
			start := time.Now()
			s.Signal(syscall.SIGTERM)
			<-s.Exited()
			if took := time.Since(start); took > 4*time.Second { // a call that waits for the store waits five
				t.Errorf("it took %v to end", took)
			}
			if !locked && count(t, env) != 2 {
				t.Errorf("%d calls are left", count(t, env))
			}
			if told := strings.Contains(s.Stderr(), "the last calls are missing in the account"); told != locked {
				t.Errorf("its log says\n%s", s.Stderr())
			}
		})
	}
}

// lock holds a store as another program may.
func lock(t *testing.T, place string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", place)
	if err == nil {
		db.SetMaxOpenConns(1)
		_, err = db.Exec("BEGIN EXCLUSIVE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { db.Close() }
}

// Many servers share a store, and some are killed: of each every call is there
// that was older than half a second.
func TestManyServers(t *testing.T) {
	t.Parallel()
	env := in(filepath.Join(t.TempDir(), "aidb.db"))
	const servers, calls = 8, 25
	least := 0
	var all sync.WaitGroup
	for i := range servers {
		s := testkit.Start(t, testkit.Options{Env: append(env, fmt.Sprintf("AIDB_PRINCIPAL=p%d", i))})
		if i%4 != 0 {
			least += calls
		}
		all.Go(func() {
			for n := range calls {
				if s.Call("session", A{"action": "list"}).IsError {
					t.Error("a call failed")
				}
				if i%4 == 0 && n == calls/2 {
					s.Kill()
					return
				}
			}
			s.CloseInput()
			<-s.Exited()
		})
	}
	all.Wait()
	found := rows(t, env, "principal")
	for i := range servers {
		n := found[fmt.Sprintf("p%d", i)].Calls
		if i%4 != 0 && n != calls || n > calls {
			t.Errorf("server %d made %d calls, and has %d", i, calls, n)
		}
	}
}

// Another program cannot hold calls up by locking the store, and nothing is lost.
func TestLockedStore(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "aidb.db")
	env := in(place)
	s := testkit.Start(t, testkit.Options{Env: env})
	s.OK("session", A{"action": "list"})
	testkit.Eventually(t, 5*time.Second, "a call in the account", func() bool { return count(t, env) == 1 })
	release := lock(t, place)
	for range 50 {
		start := time.Now()
		s.OK("session", A{"action": "list"})
		if took := time.Since(start); took > 4*time.Second { // a call that waits for the store waits five
			t.Errorf("a call took %v", took)
		}
	}
	testkit.Eventually(t, 20*time.Second, "a warning", func() bool { return strings.Contains(s.Stderr(), "the account of calls cannot be written") })
	release()
	testkit.Eventually(t, 20*time.Second, "all calls in the account", func() bool { return count(t, env) == 51 })
}

// A store that is damaged while a server runs is set aside; the server goes on,
// even when what it has mapped is taken away.
func TestDamageUnderAServer(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "aidb.db")
	env := in(place)
	s := testkit.Start(t, testkit.Options{Env: env})
	s.OK("session", A{"action": "list"})
	testkit.Eventually(t, 5*time.Second, "a call in the account", func() bool { return count(t, env) == 1 })
	for _, name := range []string{place, place + "-wal", place + "-shm"} {
		if err := os.Truncate(name, 0); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := os.WriteFile(place, []byte(strings.Repeat("damaged", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			s.OK("session", A{"action": "list"})
		}
	}
	testkit.Eventually(t, 20*time.Second, "calls in a new store", func() bool {
		aside, _ := filepath.Glob(place + ".damaged-*")
		if len(aside) == 0 {
			return false
		}
		s.OK("session", A{"action": "list"})
		return count(t, env) > 0
	})
	testkit.Eventually(t, 5*time.Second, "a log that tells of it", func() bool {
		return strings.Contains(s.Stderr(), "the store was damaged: it has been set aside")
	})
}

// Nothing is written, and no file made, with --no-store or before the first call.
func TestNoStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testkit.Start(t, testkit.Options{Env: in(filepath.Join(dir, "aidb.db"), "AIDB_NO_STORE=true")})
	s.OK("session", A{"action": "list"})
	s.CloseInput()
	<-s.Exited()
	idle := testkit.Start(t, testkit.Options{Env: in(filepath.Join(dir, "aidb.db"))})
	idle.CloseInput()
	<-idle.Exited()
	if made, _ := filepath.Glob(filepath.Join(dir, "*")); len(made) > 0 {
		t.Errorf("%v were made", made)
	}
}

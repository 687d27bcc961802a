//go:build linux

// Package attack sends to a built gateway what somebody sends who wants to bring it
// down, or to learn what is not his, while honest agents debug beside it.
//
// Every test holds the gateway's memory against the same limit, and asks at the end
// whether it still serves.
package attack

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

type A = testkit.A

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// The tokens of those who come: eve is the one who attacks.
const (
	ada = "6ZQ3V2Y5K7T4N1W8"
	bob = "J5R9X2C6M3B7D1F4"
	eve = "E0V1L2E3V4I5L6E7"
)

// maxMemory is how much the gateway itself may ever need, in MiB.
const maxMemory = 300

// patience is how long an honest client waits on a loaded machine.
const patience = time.Minute

// gateway is a running one.
type gateway struct {
	*testkit.Wire
	t       testing.TB
	URL     string
	address string
	tokens  string // the file
}

func serve(t testing.TB, flags ...string) *gateway {
	t.Helper()
	return serveWith(t, testkit.Options{}, flags...)
}

func serveWith(t testing.TB, o testkit.Options, flags ...string) *gateway {
	t.Helper()
	g := &gateway{t: t, tokens: filepath.Join(t.TempDir(), "tokens")}
	write(t, g.tokens, "ada "+ada+"\nbob "+bob+"\neve "+eve+"\n", 0o600)
	o.Args = append([]string{"--http", "127.0.0.1:0", "--token-file", g.tokens}, flags...)
	g.Wire = testkit.StartWire(t, o)
	t.Cleanup(g.stop)
	g.URL = g.Address()
	_, rest, _ := strings.Cut(g.URL, "://")
	g.address = strings.TrimSuffix(rest, "/mcp")
	return g
}

func write(t testing.TB, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil { // whatever the mask
		t.Fatal(err)
	}
}

func (g *gateway) stop() {
	select {
	case <-g.Exited():
	default:
		g.Signal(syscall.SIGTERM)
		<-g.Exited()
	}
}

// stands says that the gateway serves as before, and has needed no more memory than it may.
func (g *gateway) stands() {
	g.t.Helper()
	begun := time.Now()
	status, _ := g.get("/healthz", "")
	if status != http.StatusOK {
		g.t.Errorf("healthz: %d", status)
	}
	if status, text := g.post(ada, hello, nil); status != http.StatusOK || !strings.Contains(text, "serverInfo") {
		g.t.Errorf("a handshake: %d %.300s", status, text)
	}
	peak := g.peak()
	g.t.Logf("the gateway needed %d MiB at most; afterwards a handshake took %s", peak, time.Since(begun).Round(time.Millisecond))
	if peak > maxMemory {
		g.t.Errorf("the gateway needed %d MiB, and may need %d", peak, maxMemory)
	}
}

// peak is the most memory that the gateway itself has had, in MiB.
func (g *gateway) peak() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.PID()))
	if err != nil {
		g.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		g.t.Fatal(err)
	}
	return kib >> 10
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

type headers map[string]string

func (g *gateway) request(ctx context.Context, method, path, token string, body io.Reader, h headers) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(g.URL, "/mcp")+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for name, value := range h {
		r.Header.Set(name, value)
	}
	return apart.Do(r)
}

// apart takes a connection for each request, as many clients would.
var apart = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// try sends a message, and says how it was answered; 0: not at all.
func (g *gateway) try(token, body string, h headers) (int, string) {
	ctx, cancel := context.WithTimeout(g.t.Context(), patience)
	defer cancel()
	reply, err := g.request(ctx, http.MethodPost, "/mcp", token, strings.NewReader(body), h)
	if err != nil {
		return 0, err.Error()
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
	return reply.StatusCode, string(text)
}

// post is try of one who must be answered.
func (g *gateway) post(token, body string, h headers) (int, string) {
	g.t.Helper()
	status, text := g.try(token, body, h)
	if status == 0 {
		g.t.Errorf("no answer: %s", text)
	}
	return status, text
}

func (g *gateway) get(path, token string) (int, string) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), patience)
	defer cancel()
	reply, err := g.request(ctx, http.MethodGet, path, token, nil, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

// session begins one, and returns the headers that name it.
func (g *gateway) session(token string) headers {
	g.t.Helper()
	reply, err := g.request(g.t.Context(), http.MethodPost, "/mcp", token, strings.NewReader(strings.Replace(hello, "2025-11-25", "2025-03-26", 1)), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	id := reply.Header.Get("Mcp-Session-Id")
	if id == "" {
		g.t.Fatalf("%d %s", reply.StatusCode, text)
	}
	h := headers{"Mcp-Session-Id": id}
	g.post(token, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, h)
	return h
}

// dial opens a connection, on which the test speaks HTTP by hand.
func (g *gateway) dial() (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", g.address, patience)
	if err == nil {
		g.t.Cleanup(func() { conn.Close() })
	}
	return conn, err
}

// says reads the first line of an answer.
func says(conn net.Conn) string {
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(line)
}

// agent is a client of the official library, with a debug session of its own.
type agent struct{ *mcp.ClientSession }

func (g *gateway) agent(token string) agent {
	g.t.Helper()
	return agent{g.Join(g.t, token, "2025-11-25")}
}

// call calls a tool, which must do as it is asked.
func (a agent) call(t testing.TB, tool string, args A) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	if args == nil {
		args = A{}
	}
	result, err := a.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return ""
	}
	var text strings.Builder
	for _, block := range result.Content {
		if b, ok := block.(*mcp.TextContent); ok {
			text.WriteString(b.Text)
		}
	}
	if result.IsError {
		t.Errorf("%s: %s", tool, text.String())
	}
	return text.String()
}

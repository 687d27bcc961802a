package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// A page gets its requests as they were, without the tokens of clients; its streams arrive as
// they are written; and it is there for as long as its worker and its principal are.
func TestPagesPassRequestsOn(t *testing.T) {
	dir, err := os.MkdirTemp("", "p") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	pages, err := NewPages(dir, "http://127.0.0.1:3900", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, entry := range pages.Open("w1", "ada") {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	at, isBelow := strings.CutPrefix(env[pool.PageAddressVariable], "http://127.0.0.1:3900")
	if !isBelow || !strings.HasPrefix(at, PagesPath) || !strings.HasSuffix(at, "/") || len(at) < 30 {
		t.Fatalf("the worker is told %v", env)
	}
	l, err := net.Listen("unix", env[pool.PageSocketVariable])
	if err != nil {
		t.Fatal(err)
	}
	more := make(chan struct{})
	worker := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %q %q %q\n", r.Method, r.URL, r.Host, r.Header.Get("Authorization"), r.Header.Get("Cookie"))
		_ = http.NewResponseController(w).Flush()
		if r.URL.Path == "/stream" {
			<-more
			fmt.Fprintln(w, "more")
		}
	})}
	go func() { _ = worker.Serve(l) }()
	access := &Access{Tokens: []Token{{"ada", "secret-of-ada-0123"}}, Loopback: true}
	p := pool.New(pool.Options{Command: []string{"none"}})
	defer p.Close(t.Context())
	s := &Server{Pages: pages, Access: access, Pool: p, Log: slog.New(slog.DiscardHandler)}
	site := httptest.NewServer(s.pageHandler())
	defer site.Close()
	get := func(path string) (status int, body *bufio.Reader) {
		t.Helper()
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, site.URL+path, nil)
		r.Header.Set("Authorization", "Bearer secret-of-ada-0123")
		r.Header.Set("Cookie", "aidb-page=x")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res.StatusCode, bufio.NewReader(res.Body)
	}
	_, body := get(at + "stream")
	line, err := body.ReadString('\n') // before it has ended
	if want := fmt.Sprintf("GET /stream %q \"\" \"aidb-page=x\"\n", strings.TrimPrefix(site.URL, "http://")); err != nil || line != want {
		t.Errorf("%v: the page gets %q, not %q", err, line, want)
	}
	close(more)
	if rest, err := io.ReadAll(body); err != nil || string(rest) != "more\n" {
		t.Errorf("%v: %q", err, rest)
	}
	for path, want := range map[string]int{at: http.StatusOK, PagesPath + "w1/": http.StatusNotFound, PagesPath: http.StatusNotFound, strings.TrimSuffix(at, "/"): http.StatusNotFound} {
		if got, _ := get(path); got != want {
			t.Errorf("%s: %d, not %d", path, got, want)
		}
	}
	access.Renew(Rules{Tokens: []Token{{"bob", "secret-of-bob-0123"}}})
	if got, _ := get(at); got != http.StatusNotFound {
		t.Errorf("of a principal that may come in no more: %d", got)
	}
	access.Renew(Rules{Tokens: access.Tokens})
	_ = worker.Close()
	if got, _ := get(at); got != http.StatusBadGateway {
		t.Errorf("of a page that has ended: %d", got)
	}
	pages.Close("w1")
	if got, _ := get(at); got != http.StatusNotFound {
		t.Errorf("of a worker that has ended: %d", got)
	}
}

func TestAddressesOfPages(t *testing.T) {
	for base, good := range map[string]bool{
		"http://127.0.0.1:3900": true, "https://debug.example.org": true, "https://debug.example.org/": true,
		"debug.example.org": false, "ftp://x": false, "https://": false, "https://x/path": false, "https://a@x": false, "https://x?y": false, "": false,
	} {
		if _, err := NewPages(t.TempDir(), base, slog.New(slog.DiscardHandler)); (err == nil) != good {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// noted is a connection of which it is known when it is closed.
type noted struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
}

func (n *noted) Close() error {
	n.once.Do(func() { n.open.Add(-1) })
	return n.Conn.Close()
}

// No connection to a page on another machine is left of who asks for one that he may not see,
// or that does not answer.
func TestPagesFarAwayThatNobodyMaySee(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	pages, err := NewPages(t.TempDir(), "http://127.0.0.1:3900", log)
	if err != nil {
		t.Fatal(err)
	}
	var open, asked atomic.Int64
	pages.Reach(func(context.Context, string) (net.Conn, string, error) {
		near, far := net.Pipe()
		_ = far.Close()
		open.Add(1)
		asked.Add(1)
		return &noted{Conn: near, open: &open}, "ada", nil
	})
	access := &Access{Tokens: []Token{{"bob", "secret-of-bob-0123"}}, Loopback: true}
	p := pool.New(pool.Options{Command: []string{"none"}})
	defer p.Close(t.Context())
	site := httptest.NewServer((&Server{Pages: pages, Access: access, Pool: p, Log: log}).pageHandler())
	defer site.Close()
	get := func() int {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, site.URL+PagesPath+"m1.secret/", nil)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := get(); got != http.StatusNotFound || asked.Load() != 1 || open.Load() != 0 {
		t.Errorf("of a principal that may not come in: %d, %d connections, %d left open", got, asked.Load(), open.Load())
	}
	access.Renew(Rules{Tokens: []Token{{"ada", "secret-of-ada-0123"}}})
	if got := get(); got != http.StatusBadGateway || asked.Load() < 2 {
		t.Errorf("of one that does not answer: %d", got)
	}
	testkit.Eventually(t, testkit.CallLimit, "the connections to end", func() bool { return open.Load() == 0 })
}

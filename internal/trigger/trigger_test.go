package trigger

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

func loopback(at netip.AddrPort) bool { return at.Addr().IsLoopback() }

// ended is what has come of a request in the end.
func ended(t *testing.T, r Request, o Options) Outcome {
	t.Helper()
	if o.Allowed == nil {
		o.Allowed = loopback
	}
	s := Send(t.Context(), r, o)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	return s.Outcome()
}

func get(url string) Request { return Request{HTTP: &HTTP{URL: url}} }

func TestAnswers(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.Header.Get("X-A"), r.Header.Get("Content-Type"), r.Host, body)
	})
	mux.HandleFunc("/move", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://10.0.0.1/x", http.StatusFound)
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("é", 100_000)) })
	mux.HandleFunc("/bytes", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff, 0xfe, 0}) })
	mux.HandleFunc("/broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(mux)
	defer server.Close()

	body := `{"a": 1}`
	o := ended(t, Request{HTTP: &HTTP{URL: server.URL + "/echo", Body: &body, Headers: map[string]string{"X-A": "b", "Host": "shop.test"}}}, Options{})
	if want := `POST b application/json shop.test {"a": 1}`; o.FirstBytes != want || o.Status != 200 || o.Pending || o.Unended || o.Cut {
		t.Errorf("got %+v, want %q", o, want)
	}
	if o := ended(t, get(server.URL+"/move"), Options{}); o.Status != http.StatusFound || o.Redirect != "http://10.0.0.1/x" {
		t.Errorf("a redirect is told and not followed: %+v", o)
	}
	if o := ended(t, get(server.URL+"/long"), Options{}); !o.Cut || o.FirstBytes != strings.Repeat("é", firstBytes/2) || o.Unended {
		t.Errorf("got %d bytes, cut %v", len(o.FirstBytes), o.Cut)
	}
	if o := ended(t, get(server.URL+"/bytes"), Options{}); o.FirstBytes != "(no text)" {
		t.Errorf("got %q", o.FirstBytes)
	}
	if o := ended(t, get(server.URL+"/broken"), Options{}); o.Err == nil || o.Unreached || o.Status != 0 {
		t.Errorf("got %+v", o)
	}
}

// A program that a debugger holds takes the connection and answers later.
func TestPending(t *testing.T) {
	reached, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(reached)
		<-release
		_, _ = io.WriteString(w, "late")
	}))
	defer server.Close()
	s := Send(t.Context(), get(server.URL), Options{Allowed: loopback})
	<-reached
	if o := s.Outcome(); !o.Pending || o.Status != 0 {
		t.Errorf("got %+v", o)
	}
	close(release)
	<-s.ended
	if o := s.Outcome(); o.Pending || o.Status != 200 || o.FirstBytes != "late" {
		t.Errorf("got %+v", o)
	}
}

// A stream that does not end has its status and its beginning.
func TestStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "event 1\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	s := Send(t.Context(), get(server.URL), Options{Allowed: loopback})
	<-s.Done()
	if o := s.Outcome(); o.Status != 200 || o.FirstBytes != "event 1\n" || !o.Unended {
		t.Errorf("got %+v", o)
	}
	s.End(fmt.Errorf("enough"))
	if o := s.Outcome(); o.Unended {
		t.Errorf("it has ended: %+v", o)
	}
}

func TestNobodyListens(t *testing.T) {
	at := testkit.Address(testkit.Port(t))
	if o := ended(t, get("http://"+at), Options{}); o.Err == nil || !o.Unreached || !strings.Contains(o.Err.Error(), "refused") || strings.Contains(o.Err.Error(), "http") {
		t.Errorf("got %+v", o)
	}
	// With patience it is sent as soon as somebody does.
	s := Send(t.Context(), get("http://"+at), Options{Allowed: loopback, Patience: time.Minute})
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	defer server.Close()
	go func() { _ = server.Serve(l) }()
	<-s.ended
	if o := s.Outcome(); o.Status != http.StatusNotFound {
		t.Errorf("got %+v", o)
	}
}

// What may be called is judged by the address that is dialled, whatever a name meant before.
func TestNotAllowed(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	o := ended(t, get(server.URL), Options{Allowed: func(netip.AddrPort) bool { return false }})
	if o.Err == nil || !o.Unreached || o.Status != 0 {
		t.Errorf("got %+v", o)
	}
}

// The name in a request, which may lead elsewhere by now, is not looked up when it is sent.
func TestCheckedAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host) }))
	defer server.Close()
	at := netip.MustParseAddrPort(server.Listener.Addr().String())
	nobody := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.9"), uint16(testkit.Port(t)))
	o := ended(t, get("http://nowhere.invalid:1/x"), Options{Addresses: []netip.AddrPort{nobody, at}})
	if o.Status != http.StatusOK || o.FirstBytes != "nowhere.invalid:1" {
		t.Errorf("got %+v", o)
	}
	o = ended(t, get(server.URL), Options{Addresses: []netip.AddrPort{nobody}})
	if o.Err == nil || !o.Unreached || !strings.Contains(o.Err.Error(), nobody.String()) {
		t.Errorf("got %+v", o)
	}
}

func TestBadRequests(t *testing.T) {
	long := strings.Repeat("x", largestBody+1)
	for _, h := range []HTTP{
		{URL: ""}, {URL: "/orders"}, {URL: "ftp://localhost/x"}, {URL: "http:///x"}, {URL: "http://a b/"}, {URL: "http://user:pw@localhost/"},
		{URL: "http://localhost/", Method: "BAD METHOD"}, {URL: "http://localhost/", Headers: map[string]string{"A B": "c"}},
		{URL: "http://localhost/", Headers: map[string]string{"A": "b\r\nC: d"}}, {URL: "http://localhost/", Body: &long},
	} {
		if err := h.Check(); err == nil {
			t.Errorf("%.80v is good", h)
		}
	}
	if list, err := (HTTP{URL: "http://0.0.0.0:81/"}).Addresses(t.Context(), net.DefaultResolver.LookupNetIP); err != nil || len(list) != 1 || list[0].String() != "127.0.0.1:81" {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestCommand(t *testing.T) {
	run := func(words ...string) Outcome {
		return ended(t, Request{Command: words}, Options{Dir: t.TempDir(), Env: append(os.Environ(), "A=b"), Hide: strings.ToUpper})
	}
	if o := run("sh", "-c", "echo $A; echo bad >&2; exit 3"); o.ExitCode == nil || *o.ExitCode != 3 || o.FirstBytes != "B\n" || o.Stderr != "BAD" {
		t.Errorf("got %+v", o)
	}
	if o := run("sh", "-c", "kill -9 $$"); o.ExitCode != nil || o.Signal != "killed" {
		t.Errorf("got %+v", o)
	}
	if o := run("no-such-program"); o.Err == nil || !o.Unreached {
		t.Errorf("got %+v", o)
	}
	s := Send(context.Background(), Request{Command: []string{"sleep", "1000"}}, Options{})
	s.End(fmt.Errorf("given up")) // returns only when it is gone
	if o := s.Outcome(); o.Err == nil || o.Err.Error() != "given up" {
		t.Errorf("got %+v", o)
	}
}

// A connection that has become one of another protocol ends with the trigger, too.
func TestSwitchedProtocol(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn) // until the other end hangs up
		close(gone)
	}))
	defer server.Close()
	r := Request{HTTP: &HTTP{URL: server.URL, Headers: map[string]string{"Connection": "Upgrade", "Upgrade": "echo"}}}
	s := Send(t.Context(), r, Options{Allowed: loopback})
	<-s.Done()
	if o := s.Outcome(); o.Status != http.StatusSwitchingProtocols || !o.Unended || s.IsOver() {
		t.Errorf("got %+v", o)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.End(fmt.Errorf("enough"))
	}()
	for what, c := range map[string]chan struct{}{"the trigger": ended, "its connection": gone} {
		select {
		case <-c:
		case <-time.After(20 * time.Second):
			t.Fatal(what, "does not end")
		}
	}
}

// Where a redirect leads to is no longer than the answer that is shown.
func TestLongRedirect(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/"+strings.Repeat("x", 100_000))
		w.WriteHeader(http.StatusFound)
	}))
	defer server.Close()
	if o := ended(t, get(server.URL), Options{}); len(o.Redirect) > firstBytes+len("…") || !strings.HasPrefix(o.Redirect, "/xxx") {
		t.Errorf("it has %d bytes", len(o.Redirect))
	}
}

package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// piped is one end of a connection, from an address.
type piped struct {
	net.Conn
	from string
}

func (p piped) RemoteAddr() net.Addr {
	address, err := net.ResolveTCPAddr("tcp", p.from)
	if err != nil {
		panic(err)
	}
	return address
}

func knockAt(t *testing.T, a *connections, from string) *connection {
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	return a.admit(piped{near, from})
}

// Who shows no token makes room for who comes next, first at the address that has
// the most; who has shown one stays.
func TestStrangersMakeRoom(t *testing.T) {
	t.Parallel()
	a := &connections{}
	a.allow(16)
	ada := knockAt(t, a, "10.0.0.1:1")
	if !ada.trust("ada") {
		t.Fatal("ada is not trusted")
	}
	quiet := knockAt(t, a, "10.0.0.2:1")
	var loud []*connection
	for i := range 100 {
		c := knockAt(t, a, fmt.Sprintf("10.0.0.3:%d", i+1))
		if c == nil {
			t.Fatalf("connection %d is refused", i)
		}
		loud = append(loud, c)
	}
	if ada.gone || quiet.gone || !loud[0].gone || loud[99].gone {
		t.Errorf("ada %t, the quiet address %t, the first of the loud one %t, the last %t", ada.gone, quiet.gone, loud[0].gone, loud[99].gone)
	}
	if len(a.open) != 16 {
		t.Errorf("%d are open", len(a.open))
	}
}

// A principal has half of the connections at most, and all together leave some to
// those who have not said yet who they are.
func TestConnectionsOfPrincipals(t *testing.T) {
	t.Parallel()
	a := &connections{}
	a.allow(16)
	open := func(name string) (n int) {
		for range 20 {
			if c := knockAt(t, a, "10.0.0.1:1"); c != nil && c.trust(name) {
				n++
			} else if c != nil {
				c.Close()
			}
		}
		return n
	}
	if ada, bob, eve := open("ada"), open("bob"), open("eve"); ada != 8 || bob != 6 || eve != 0 {
		t.Errorf("%d, %d and %d", ada, bob, eve)
	}
	if c := knockAt(t, a, "10.0.0.9:1"); c == nil {
		t.Error("a stranger is refused")
	}
	a.dismiss(func(name string) bool { return name != "ada" })
	if a.of["ada"] != 0 || a.of["bob"] != 6 || a.named != 6 {
		t.Errorf("%v, %d", a.of, a.named)
	}
}

// What clients do not take costs so much and no more, and one takes nothing of another's.
func TestTheLedger(t *testing.T) {
	t.Parallel()
	l := newLedger()
	long := func(id int) frame.Frame {
		f, err := frame.Parse(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%q}`, id, strings.Repeat("x", 3<<20)))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	bob := l.stream("bob", 1)
	bob.add(long(0))
	bob.end()
	var of []*stream
	for id := range 40 { // that have ended, and can be dropped
		s := l.stream("ada", id)
		s.add(long(id))
		s.end()
		of = append(of, s)
	}
	if l.all > maxKeptOfAll || l.of["ada"] > maxKeptOfOne || bob.isLost() || !of[0].isLost() || of[39].isLost() {
		t.Errorf("%d bytes, of ada %d; bob's is lost: %t, ada's first %t, her last %t", l.all, l.of["ada"], bob.isLost(), of[0].isLost(), of[39].isLost())
	}
	for id := range 40 { // that are being read
		s := l.stream("ada", id)
		defer s.read()()
		s.add(long(id))
		s.end()
		events, _, _ := s.eventsAfter(0)
		if want := id < 10; len(events) != 1 || want != (events[0].frame.Get("result") != nil) {
			t.Errorf("answer %d: %.200s", id, events[0].frame.Bytes())
		}
		of = append(of, s)
	}
	for _, s := range append(of, bob) {
		s.forget()
	}
	if l.all != 0 || len(l.of) != 0 || len(l.ended) != 0 {
		t.Errorf("%d bytes are counted when all is gone, %v, %d", l.all, l.of, len(l.ended))
	}
}

// A body is read when there is room for it, of its principal and of all.
func TestTheIntake(t *testing.T) {
	t.Parallel()
	i := newIntake(16 << 20)
	post := func(principal string, body io.Reader, length int64) (int, func(), error) {
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, Path, body)
		r.ContentLength = length
		if length > smallBody {
			i.mu.Lock()
			if i.of[principal] != nil {
				cancel() // who would have to wait has no patience
			}
			i.mu.Unlock()
		}
		defer cancel()
		read, free, err := i.read(httptest.NewRecorder(), r, principal)
		return len(read), free, err
	}
	long := strings.Repeat("x", 16<<20)
	var frees []func()
	for _, who := range []string{"ada", "bob", "eve"} {
		n, free, err := post(who, strings.NewReader(long), int64(len(long)))
		if err != nil || n != len(long) {
			t.Fatalf("%s: %d, %v", who, n, err)
		}
		frees = append(frees, free)
	}
	if _, _, err := post("ada", strings.NewReader(long), int64(len(long))); !errors.Is(err, errBusy) {
		t.Errorf("a second long one: %v", err)
	}
	if n, _, err := post("ada", strings.NewReader("short"), 5); err != nil || n != 5 {
		t.Errorf("a short one: %d, %v", n, err)
	}
	if n, _, err := post("ada", strings.NewReader("short"), -1); err != nil || n != 5 {
		t.Errorf("a short one that does not say so: %d, %v", n, err)
	}
	var tooLong *http.MaxBytesError
	if _, _, err := post("zoe", strings.NewReader(long+"x"), int64(len(long)+1)); !errors.As(err, &tooLong) {
		t.Errorf("too long: %v", err)
	}
	for _, free := range frees {
		free()
	}
	if _, free, err := post("zoe", strings.NewReader(long+"x"), -1); !errors.As(err, &tooLong) {
		t.Errorf("too long, and does not say so: %v", err)
	} else {
		free()
	}
	if len(i.of) != 0 {
		t.Errorf("%d principals are kept", len(i.of))
	}
}

// A principal with ever more requests takes nothing of another's.
func TestTheCrowd(t *testing.T) {
	t.Parallel()
	c := newCrowd(20, 15)
	enter := func(name string) (n int) {
		for c.enter(name) {
			n++
		}
		return n
	}
	if ada, bob, eve := enter("ada"), enter("bob"), enter("eve"); ada != 15 || bob != always || eve != always {
		t.Errorf("%d, %d and %d", ada, bob, eve)
	}
}

// What is kept for a session's life is short.
func TestALongHandshake(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	long := strings.Repeat("x", maxInitialize)
	status, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","x":"`+long+`"}}`, nil)
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "initialize may have 32768 bytes") {
		t.Errorf("%d %.300s", status, text)
	}
	h := s.initialize("2025-03-26", nil)
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized","params":{"x":"` + long + `"}}`,
		`[{"jsonrpc":"2.0","method":"notifications/initialized","params":{"x":"` + long + `"}}]`,
	} {
		if status, text := s.post(body, h); status != http.StatusRequestEntityTooLarge && status != http.StatusBadRequest {
			t.Errorf("%d %.300s", status, text)
		}
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"`+long+`"}}`, h); status != 200 || len(text) < len(long) {
		t.Errorf("a long call: %d %.300s", status, text)
	}
}

// Labels are not used up by what clients make up.
func TestInventedNames(t *testing.T) {
	m := NewMetrics()
	for i := range 1000 {
		m.Called(pool.Called{Method: fmt.Sprint("method", i), Tool: fmt.Sprint("tool", i), Code: fmt.Sprint("code", i)})
	}
	m.Called(pool.Called{Method: "tools/call", Tool: "inspect"})
	m.Called(pool.Called{Method: "tools/call", Tool: "inspect", Code: "code1"})
	shown := httptest.NewRecorder()
	promhttp.HandlerFor(m.Gatherer(), promhttp.HandlerOpts{}).ServeHTTP(shown, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := shown.Body.String()
	if !strings.Contains(text, `aidb_call_duration_seconds_count{code="",method="tools/call",tool="inspect"} 1`) || strings.Contains(text, "method1") || strings.Contains(text, "tool1") {
		t.Errorf("%.3000s", text)
	}
	if n := strings.Count(text, "aidb_call_duration_seconds_count"); n > 250 {
		t.Errorf("%d series", n)
	}
}

// An answer for which there is no room says so.
func TestAnAnswerWithoutRoom(t *testing.T) {
	l := newLedger()
	l.share = 100
	s := l.stream("ada", 1)
	s.add(answer.Notification("x", []string{strings.Repeat("x", 200)}))
	s.add(answer.Result(parse(t, `{"jsonrpc":"2.0","id":7,"method":"x"}`), []string{strings.Repeat("x", shortAnswer)}))
	events, _, _ := s.eventsAfter(0)
	if len(events) != 1 || !strings.Contains(string(events[0].frame.Bytes()), "too many wait to be read already") || string(events[0].frame.ID()) != "7" {
		t.Errorf("%d events, %.200s", len(events), events[0].frame.Bytes())
	}
}

func parse(t *testing.T, text string) frame.Frame {
	t.Helper()
	f, err := frame.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

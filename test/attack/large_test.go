//go:build linux

package attack

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// most is the longest body that is read.
const most = 16 << 20

// What is long in any way is answered with an error that says what was too long,
// at a cost that stays small however many send it.
func TestLongMessages(t *testing.T) {
	g := serve(t)
	h := g.session(eve)
	pad := func(head, part, tail string) string {
		return head + strings.Repeat(part, (most-len(head)-len(tail))/len(part)) + tail
	}
	for what, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"a batch of numbers": {pad("[", "0,", "0]"), 400, "a batch has 1 to 100 messages"},
		"a batch of objects": {pad("[", "{},", "{}]"), 400, "a batch has 1 to 100 messages"},
		"nested arrays":      {strings.Repeat("[", most/2) + strings.Repeat("]", most/2), 400, "not JSON"},
		"nested objects":     {strings.Repeat(`{"a":`, most/8) + "1" + strings.Repeat("}", most/8), 400, "not JSON"},
		"members":            {pad("{", `"a":0,`, `"a":0}`), 400, "10000 members"},
		"members of params":  {pad(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{`, `"a":0,`, `"a":0}}`), 400, "10000 members"},
		"an initialize":      {pad(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":"`, "x", `"}}`), 413, "initialize may have 32768 bytes"},
		"an id":              {pad(`{"jsonrpc":"2.0","id":"`, "x", `","method":"ping"}`), 400, "an id may have 1024 bytes"},
		"a method":           {pad(`{"jsonrpc":"2.0","id":1,"method":"`, "x", `"}`), 400, "the name of a method may have 1024 bytes"},
		"a progress token":   {pad(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":"`, "x", `"}}}`), 400, "a progressToken may have 1024 bytes"},
		"space":              {pad(" ", " ", `{"jsonrpc":"2.0","id":1,"method":"ping"}`), 200, `"result"`},
		"a byte too many":    {pad("", " ", "") + "{", 413, "a message may have 16777216 bytes"},
	} {
		var several sync.WaitGroup
		for n := range 3 { // an id each: none may be used again while it waits for its answer
			several.Go(func() {
				status, text := g.try(eve, strings.Replace(c.body, `"id":1,`, fmt.Sprintf(`"id":%d,`, n+1), 1), h)
				if status != c.status || !strings.Contains(text, c.says) {
					t.Errorf("%s: %d %.200s, want %d with %q", what, status, text, c.status, c.says)
				}
			})
		}
		several.Wait()
	}
	status, text := g.try(eve, "{}", headers{"X-Long": strings.Repeat("x", 100_000)})
	if status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("long headers: %d %.200s", status, text)
	}
	g.stands()
}

// What is kept of requests for as long as a client lives, or waits, is little.
func TestWhatIsKept(t *testing.T) {
	g := serve(t)
	h := g.session(eve)
	long := strings.Repeat("x", 1<<20)
	posts := 5
	if isLong {
		posts = 20
	}
	for i := range posts {
		g.post(eve, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/list","params":{"uri":"%d","x":"%s"}}`, i, i, long), h)
		g.post(eve, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%d%s"}}`, i, long), h)
	}
	var waiting sync.WaitGroup
	for i := range posts * 3 / 5 { // each waits until its session has something to say
		waiting.Go(func() {
			g.try(eve, fmt.Sprintf(`{"jsonrpc":"2.0","id":"w%d","method":"tools/call","params":{"name":"inspect","arguments":{"expression":%q}}}`, i, strings.Repeat(long, 2)), h)
		})
	}
	waiting.Wait()
	g.stands()
}

// Many long bodies at once are read one after the other, and what is short passes meanwhile.
func TestManyLongBodies(t *testing.T) {
	g := serve(t)
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", most-100) + `"}}`
	var all sync.WaitGroup
	var refused atomic.Int64
	for i := range 40 {
		all.Go(func() {
			status, text := g.try([]string{eve, bob}[i%2], long, headers{"Mcp-Session-Id": "none"})
			switch {
			case status == http.StatusServiceUnavailable && strings.Contains(text, "too many large messages"):
				refused.Add(1)
			case status != http.StatusNotFound: // there is no such session
				t.Errorf("%d %.200s", status, text)
			}
		})
	}
	begun := time.Now()
	h := g.session(ada)
	for id := range 20 {
		if status, text := g.post(ada, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id), h); status != http.StatusOK {
			t.Errorf("a short one: %d %.200s", status, text)
		}
	}
	t.Logf("a session and 20 short ones meanwhile took %s", time.Since(begun).Round(time.Millisecond))
	all.Wait()
	t.Logf("%d of 40 were refused", refused.Load())
	g.stands()
}

// Who says that much will come, and sends it slowly, or not at all, has his own
// share of the room to himself.
func TestSlowWriters(t *testing.T) {
	g := serve(t)
	for i := range 100 {
		conn, err := g.dial()
		if err != nil {
			t.Fatal(err)
		}
		length := []string{"Content-Length: 16777216", "Transfer-Encoding: chunked"}[i%2]
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n%s\r\n\r\n", eve, length)
	}
	h := g.session(bob)
	const long = 8 << 20
	status, text := g.post(bob, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("x", long)+`"}}`, h)
	if status != http.StatusOK {
		t.Errorf("another's long message: %d %.200s", status, text)
	}
	g.stands()
}

// Who asks and does not read is not waited for, and costs what is kept for him.
func TestSlowReaders(t *testing.T) {
	g := serve(t)
	h := g.session(eve)
	for i := range 64 {
		conn, err := g.dial()
		if err != nil {
			t.Fatal(err)
		}
		for n := range 50 { // one behind the other
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","method":"tools/list"}`, i, n)
			_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
			if _, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nMcp-Session-Id: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", eve, h["Mcp-Session-Id"], len(body), body); err != nil {
				break // it does not read on either
			}
		}
	}
	g.stands()
}

// A header that comes slowly, or ends nowhere, holds nobody up.
func TestHalfRequests(t *testing.T) {
	g := serve(t)
	for i := range 200 {
		conn, err := g.dial()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, []string{"", "P", "POST /mcp HTTP/1.1\r\n", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("a", 20_000), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00"}[i%6])
	}
	g.stands()
}

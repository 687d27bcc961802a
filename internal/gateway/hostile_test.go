package gateway

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/frame"
	"aidb-mcp/internal/pool"
)

// An answer belongs to its request, however each of them spells the id.
func TestAnIDInAnotherSpelling(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{Call: 5 * time.Second}, Access{})
	h := s.initialize("2025-11-25", nil)
	for _, id := range []string{`"a\/b"`, `"\u0061"`, `"<&>"`, `"é\u00e9"`} {
		_, text := s.post(`{"jsonrpc":"2.0","id":`+id+`,"method":"respell","params":{"_meta":{"progressToken":`+id+`}}}`, h)
		if got := events(text); len(got) != 2 || !strings.Contains(text, `"worker"`) {
			t.Errorf("%s: %s", id, text)
		}
	}
}

// Of a header that is there twice one reader takes the first and another the last.
func TestAHeaderThatIsThereTwice(t *testing.T) {
	f, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + meta + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", Path, nil)
	for name, value := range stateless("tools/call", "echo") {
		r.Header.Set(name, value)
	}
	if problem := checkHeaders(r, f); problem != nil {
		t.Error(problem.message)
	}
	r.Header.Add("Mcp-Name", "other")
	if problem := checkHeaders(r, f); problem == nil || !strings.Contains(problem.message, "Mcp-Name is there twice") {
		t.Error(problem)
	}
}

// A call that is cancelled while it waits for a worker is never made.
func TestACallThatIsCancelledBeforeItIsMade(t *testing.T) {
	t.Parallel()
	for what, withSession := range map[string]bool{"a session": true, "none": false} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := serve(t, pool.Options{Backoff: 500 * time.Millisecond}, Access{})
			var h headers
			if withSession {
				h = s.initialize("2025-11-25", nil)
			}
			send := func(method, rest, params string) string {
				with := h
				if !withSession {
					with, params = stateless(method, ""), params+`,`+meta
				}
				_, text := s.post(`{"jsonrpc":"2.0",`+rest+`"method":"`+method+`","params":{`+params+`}}`, with)
				return text
			}
			for range 2 { // the next worker has to wait
				send("die", `"id":"d",`, `"x":1`)
			}
			ended := make(chan string, 1)
			go func() { ended <- send("logging/setLevel", `"id":"w",`, `"level":"debug"`) }()
			time.Sleep(100 * time.Millisecond)
			send("notifications/cancelled", "", `"requestId":"w"`)
			if text := <-ended; len(events(text)) != 0 {
				t.Error(text)
			}
			if text := send("wishes", `"id":"q",`, `"x":1`); result(t, text, "wishes") != "" {
				t.Errorf("it was made: %s", text)
			}
		})
	}
}

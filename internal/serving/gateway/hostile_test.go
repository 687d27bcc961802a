package gateway

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// An answer belongs to its request, however each of them spells the id.
func TestAnIDInAnotherSpelling(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{Call: 5 * time.Second}, &Access{})
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
	r := httptest.NewRequest(http.MethodPost, Path, nil)
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
			s := serve(t, pool.Options{Backoff: 500 * time.Millisecond}, &Access{})
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

// only is the one session of a gateway.
func (s *site) only() *session {
	s.gateway.mu.Lock()
	defer s.gateway.mu.Unlock()
	for _, one := range s.gateway.sessions {
		return one
	}
	return nil
}

func (s *session) streamsKept() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.streams)
}

// Answers that nobody can come back for are not kept, and of the others so many.
func TestAnswersAreNotKeptForever(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-06-18", "2025-11-25"} {
		s := serve(t, pool.Options{}, &Access{})
		h := s.initialize(revision, nil)
		for id := range 50 {
			s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"echo"}`, id), h)
		}
		if kept := s.only().streamsKept(); kept > 2 {
			t.Errorf("%s: %d plain answers are kept", revision, kept)
		}
		for id := range maxKept + 50 {
			s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"progress","params":{"_meta":{"progressToken":1}}}`, id), h)
		}
		if kept := s.only().streamsKept(); kept > maxKept+3 {
			t.Errorf("%s: %d streams are kept", revision, kept)
		}
	}
}

// A worker that asks without end fills no memory with its questions.
func TestQuestionsOfAStreamAreBounded(t *testing.T) {
	s := newLedger().stream("ada", 1)
	for i := range 5000 {
		s.add(answer.Request(fmt.Sprint(i), "sampling/createMessage", nil))
	}
	s.add(answer.Request("long", "sampling/createMessage", []string{strings.Repeat("x", 2*maxStreamBytes)}))
	events, _, _ := s.eventsAfter(0)
	if len(events) != 1 || string(events[0].frame.ID()) != `"long"` {
		t.Errorf("%d questions are kept", len(events))
	}
}

// A principal that begins ever more sessions ends its own, and no other's.
func TestSessionsOfOnePrincipal(t *testing.T) {
	t.Parallel()
	access := &Access{Tokens: []Token{{"ada", "ada-ada-ada-ada-ada"}, {"bob", "bob-bob-bob-bob-bob"}}}
	s := serveSome(t, pool.Options{Workers: 20}, Options{Access: access, MaxSessions: 4})
	bob := s.initialize("2025-11-25", headers{"Authorization": "Bearer bob-bob-bob-bob-bob"})
	var of []headers
	for range 6 {
		of = append(of, s.initialize("2025-11-25", headers{"Authorization": "Bearer ada-ada-ada-ada-ada"}))
	}
	const echo = `{"jsonrpc":"2.0","id":1,"method":"echo"}`
	if status, text := s.post(echo, bob); status != 200 {
		t.Errorf("the other's session: %d %s", status, text)
	}
	for i, h := range of {
		want := 404
		if i >= 3 {
			want = 200
		}
		if status, _ := s.post(echo, h); status != want {
			t.Errorf("session %d: %d, want %d", i, status, want)
		}
	}
	for _, h := range of[3:] { // in use
		s.open(t.Context(), "GET", "", h)
	}
	status, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, headers{"Authorization": "Bearer ada-ada-ada-ada-ada"})
	if status != 503 || !strings.Contains(text, "too many sessions") {
		t.Errorf("one more: %d %s", status, text)
	}
	if status, text := s.post(echo, bob); status != 200 {
		t.Errorf("the other's session: %d %s", status, text)
	}
}

package page

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aidb-mcp/persons"
	"aidb-mcp/session"
)

const address = "127.0.0.1:8090"

// browsed is a page without sessions, as a browser reaches it.
type browsed struct {
	*Server
	handler http.Handler
	now     time.Time
}

func newSite(t *testing.T) *browsed {
	t.Helper()
	desk := persons.New(persons.Options{Sessions: session.NewManager(session.Options{Log: slog.New(slog.DiscardHandler)})})
	s := &browsed{Server: New(Options{Desk: desk, Log: slog.New(slog.DiscardHandler)}), now: time.Now()}
	s.admission.now = func() time.Time { return s.now }
	at, err := siteAt("http://" + address + "/")
	if err != nil {
		t.Fatal(err)
	}
	s.handler = s.Server.handler(at)
	return s
}

// send sends a request; change may make it another one than a good browser's.
func (s *browsed) send(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+address+path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://"+address)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (s *browsed) enter(t *testing.T, token string) *httptest.ResponseRecorder {
	t.Helper()
	return s.send(http.MethodPost, "/api/enter", `{"link":"`+token+`"}`, nil)
}

// in lets a browser in and gives what its requests bear.
func (s *browsed) in(t *testing.T) func(*http.Request) {
	t.Helper()
	w := s.enter(t, s.admission.invite())
	cookies := w.Result().Cookies()
	if w.Code != http.StatusOK || len(cookies) != 1 {
		t.Fatalf("a good link: %d %s", w.Code, w.Body)
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie can be read by scripts, or is sent for other sites: %v", c)
	}
	return func(r *http.Request) { r.AddCookie(cookies[0]) }
}

func TestALinkWorksOnce(t *testing.T) {
	s := newSite(t)
	token := s.admission.invite()
	if w := s.enter(t, token); w.Code != http.StatusOK {
		t.Fatalf("the link does not work: %d %s", w.Code, w.Body)
	}
	if w := s.enter(t, token); w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "used already") {
		t.Errorf("used again: %d %s", w.Code, w.Body)
	}
	if w := s.enter(t, "guessed"); w.Code != http.StatusUnauthorized {
		t.Errorf("a guessed one: %d", w.Code)
	}
	old := s.admission.invite()
	s.now = s.now.Add(linkLasts + time.Second)
	if w := s.enter(t, old); w.Code != http.StatusUnauthorized {
		t.Errorf("an old one: %d", w.Code)
	}
}

func TestNobodyComesInWithoutALink(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/api/sessions", "/api/sessions/go-1/events", "/api/sessions/go-1/threads", "/api/sessions/go-1/source?file=/etc/passwd", "/api/sessions/go-1/report"} {
		if w := s.send(http.MethodGet, path, "", nil); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := s.send(http.MethodPost, "/api/sessions/go-1/act", `{"kind":"take"}`, nil); w.Code != http.StatusUnauthorized {
		t.Errorf("an act: %d", w.Code)
	}
	forged := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "aidb-page-8090", Value: "guessed"}) }
	if w := s.send(http.MethodGet, "/api/sessions/go-1/threads", "", forged); w.Code != http.StatusUnauthorized {
		t.Errorf("a guessed cookie: %d", w.Code)
	}
	cookie := s.in(t)
	s.now = s.now.Add(visitorLasts + time.Second)
	if w := s.send(http.MethodGet, "/api/sessions/go-1/threads", "", cookie); w.Code != http.StatusUnauthorized {
		t.Errorf("an old cookie: %d", w.Code)
	}
}

func TestOtherSitesAreKeptOut(t *testing.T) {
	s := newSite(t)
	cookie := s.in(t)
	for name, tt := range map[string]struct {
		method string
		change func(*http.Request)
		want   int
	}{
		"itself":                       {http.MethodPost, func(*http.Request) {}, http.StatusNotFound}, // there is no such session
		"a name that points here":      {http.MethodPost, func(r *http.Request) { r.Host = "evil.example:8090" }, http.StatusMisdirectedRequest},
		"another port":                 {http.MethodPost, func(r *http.Request) { r.Host = "127.0.0.1:80" }, http.StatusMisdirectedRequest},
		"another site's script":        {http.MethodPost, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a page of another port":       {http.MethodPost, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:3000") }, http.StatusForbidden},
		"a sandboxed frame":            {http.MethodPost, func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a form":                       {http.MethodPost, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
		"a request of another site":    {http.MethodGet, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"a request of the same domain": {http.MethodGet, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			path := map[string]string{http.MethodPost: "/api/sessions/go-1/act", http.MethodGet: "/api/sessions/go-1/threads"}[tt.method]
			w := s.send(tt.method, path, `{"kind":"take"}`, func(r *http.Request) {
				cookie(r)
				tt.change(r)
			})
			if w.Code != tt.want {
				t.Errorf("%d, not %d: %s", w.Code, tt.want, w.Body)
			}
		})
	}
}

func TestWhatIsSentIsBounded(t *testing.T) {
	s := newSite(t)
	cookie := s.in(t)
	for name, body := range map[string]string{
		"too long":          `{"kind":"note","text":"` + strings.Repeat("x", mostBody) + `"}`,
		"no JSON":           `kind=take`,
		"an unknown field":  `{"kind":"take","shell":"rm"}`,
		"a list":            `[[[[]]]]`,
		"cut in the middle": `{"kind":`,
	} {
		if w := s.send(http.MethodPost, "/api/sessions/go-1/act", body, cookie); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for range 3 * mostVisitors {
		s.in(t)
	}
	for range 3 * mostLinks {
		s.admission.invite()
	}
	if len(s.admission.visitors) > mostVisitors || len(s.admission.links) > mostLinks {
		t.Errorf("%d visitors and %d links are kept", len(s.admission.visitors), len(s.admission.links))
	}
}

// Nothing of the page is loaded from elsewhere, and no script runs that is not its own file.
func TestEveryAnswerHasItsRules(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/app.css", "/js/main.js", "/api/sessions", "/nothing"} {
		w := s.send(http.MethodGet, path, "", nil)
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
	w := s.send(http.MethodGet, "/", "", nil)
	if text := w.Body.String(); strings.Contains(text, "<script>") || strings.Contains(text, "style=") || strings.Contains(text, "//") {
		t.Errorf("the page has inline code or asks another host:\n%s", text)
	}
}

func TestThePageIsOnLoopbackOnly(t *testing.T) {
	for in, want := range map[string]string{
		"": "127.0.0.1:0", "127.0.0.1": "127.0.0.1:0", "localhost:80": "127.0.0.1:80", "[::1]:9": "[::1]:9", "127.0.0.5:7": "127.0.0.5:7",
		"0.0.0.0:80": "", ":80": "", "192.168.1.5:80": "", "example.com:80": "", "[::]:80": "",
	} {
		got, err := loopback(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

// Who asks for the head of a stream is answered at once.
func TestHeadOfAStream(t *testing.T) {
	s := newSite(t)
	cookie := s.in(t)
	if w := s.send(http.MethodHead, "/api/sessions", "", cookie); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || w.Body.Len() > 0 {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := s.send(http.MethodHead, "/api/sessions/go-1/events", "", cookie); w.Code != http.StatusNotFound {
		t.Errorf("of no session: %d", w.Code)
	}
	if w := s.send(http.MethodHead, "/api/sessions", "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("of nobody: %d", w.Code)
	}
}

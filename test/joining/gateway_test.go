package joining

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"

	"aidb-mcp/internal/testkit"
)

// The tokens of two principals of a gateway.
const (
	adas = "ada-0123456789abcdef"
	bobs = "bob-0123456789abcdef"
)

// gatewayed is a gateway with pages, and a client of a principal with a program that stands.
type gatewayed struct {
	*testkit.Wire
	tokens string // the file
	dir    string
}

func newGateway(t *testing.T, flags ...string) *gatewayed {
	t.Helper()
	g := &gatewayed{tokens: filepath.Join(t.TempDir(), "tokens"), dir: t.TempDir()}
	g.allow(t, "ada "+adas+"\nbob "+bobs+"\n")
	g.Wire = testkit.StartWire(t, testkit.Options{Dir: g.dir, Args: append([]string{"--http", "127.0.0.1:0", "--token-file", g.tokens, "--page"}, flags...)})
	t.Cleanup(func() {
		g.Signal(syscall.SIGTERM)
		<-g.Exited()
	})
	return g
}

func (g *gatewayed) allow(t *testing.T, tokens string) {
	t.Helper()
	if err := os.WriteFile(g.tokens, []byte(tokens), 0o600); err != nil {
		t.Fatal(err)
	}
}

// stopped is a session of a principal whose program stands.
func (g *gatewayed) stopped(t *testing.T, token string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	l := tongues[0]
	p := testkit.NewProgram(t, "")
	p.Write(l.file, l.text)
	s := testkit.Start(t, testkit.Options{Bare: true, Args: []string{"connect", g.Address()}, Env: []string{"AIDB_TOKEN=" + token, "AIDB_HOME=" + t.TempDir()}})
	s.OK("session_start", A{"target": filepath.Join(p.Dir, l.file), "workspace_root": p.Dir, "breakpoints": []string{filepath.Join(p.Dir, p.At(l.file, "stop"))}})
	return s, p
}

// status asks for something at a page, as change makes the request.
func status(t *testing.T, method, address string, change func(*http.Request)) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(`{"kind":"take"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// Behind a gateway each principal has its own page at the gateway's address, and sees nothing
// of another's.
func TestThePageBehindAGateway(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	ada, p := g.stopped(t, adas)
	bob, _ := g.stopped(t, bobs)
	link := ada.OK("session", A{"action": "show"}).At("data", "page")
	own, _, _ := strings.Cut(link, "#")
	gate, err := url.Parse(g.Address())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(own, "http://"+gate.Host+"/page/") {
		t.Fatalf("the page is at %s, the gateway at %s", own, gate)
	}
	theirs, _, _ := strings.Cut(bob.OK("session", A{"action": "show"}).At("data", "page"), "#")

	b := newBrowser(t)
	b.do(chromedp.Navigate(link))
	b.shows(stopLine, strconv.Itoa(p.Line("stop")))
	b.shows("values-pane", "total = 21")
	b.click("Take")
	b.shows("controls-bar", "you hold the session")
	ada.Fail("HELD_BY_PERSON", "step", A{})
	bob.OK("step", A{})
	b.click("Step over")
	b.shows(stopLine, strconv.Itoa(p.Line("next")))
	b.do(chromedp.Reload())
	b.shows(stopLine, strconv.Itoa(p.Line("next")))
	b.click("Give back")
	b.shows("controls-bar", "the agent drives")

	// By the browser that is in at one page, the other is as shut as to anybody.
	for what, script := range map[string]string{
		"list": `fetch('` + theirs + `api/sessions').then((r) => { window.got = r.status; })`,
		"act":  `fetch('` + theirs + `api/sessions/python-1/act', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"kind":"take"}'}).then((r) => { window.got = r.status; })`,
	} {
		run[bool](b, `window.got = 0; `+script+`; true`)
		b.until(`window.got === 401`)
		t.Log(what, "is refused")
	}
	act := own + "api/sessions/python-1/act"
	for what, c := range map[string]struct {
		method, address string
		change          func(*http.Request)
		want            int
	}{
		"nobody":              {http.MethodPost, act, nil, http.StatusUnauthorized},
		"a client's token":    {http.MethodPost, act, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+adas) }, http.StatusUnauthorized},
		"another site":        {http.MethodPost, act, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a name that points":  {http.MethodGet, own, func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"a guessed page":      {http.MethodGet, "http://" + gate.Host + "/page/w1/", nil, http.StatusNotFound},
		"no page":             {http.MethodGet, "http://" + gate.Host + "/page/", nil, http.StatusNotFound},
		"the way up":          {http.MethodGet, own + "..%2f..%2fmcp", nil, http.StatusUnauthorized}, // which is the gateway's own
		"the list":            {http.MethodGet, own + "api/sessions", nil, http.StatusUnauthorized},
		"the page itself":     {http.MethodGet, own, nil, http.StatusOK},
		"the page, its heads": {http.MethodHead, own, nil, http.StatusOK},
	} {
		if got := status(t, c.method, c.address, c.change); got != c.want {
			t.Errorf("%s: %d, not %d", what, got, c.want)
		}
	}
	b.isQuiet()

	// Who has no token any more has no page, and the streams of those who watch end.
	g.allow(t, "bob "+bobs+"\n")
	g.Signal(syscall.SIGHUP)
	testkit.Eventually(t, limit, "a page that is closed", func() bool { return status(t, http.MethodGet, own, nil) == http.StatusNotFound })
	b.shows("#notice", "it is tried again")
	if got := status(t, http.MethodGet, theirs, nil); got != http.StatusOK {
		t.Errorf("the other's page is closed, too: %d", got)
	}
	if log := g.Stderr(); strings.Contains(log, "link=") {
		t.Errorf("a link is in the log:\n%s", log)
	}
}

// What cannot be served says so at the start.
func TestPagesThatCannotBeServed(t *testing.T) {
	t.Parallel()
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("ada "+adas+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, flags := range map[string][]string{
		"a socket is not":   {"--http", "unix:" + filepath.Join(t.TempDir(), "s"), "--page"},
		"by which a browse": {"--http", "127.0.0.1:0", "--page=here"},
		"has no page":       {"--http", "127.0.0.1:0", "--page", "--", "cat"},
	} {
		cmd := exec.CommandContext(t.Context(), testkit.Binary(t), append([]string{"serve", "--token-file", tokens}, flags...)...)
		if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%v: %v: %s", flags, err, said)
		}
	}
}

//go:build linux

package cluster

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// The page of a worker on another machine is at the gateways' address for who has its link; a person who takes the session there holds it, and it goes with its worker.
func TestPagesOfACluster(t *testing.T) {
	testkit.Adapters(t)
	p := testkit.NewProgramOf(t, "python", "tour")
	first := begin(t, "--page")
	second := start(t, first.cluster, "--cluster", "nats://"+first.cluster, "--name", "second", "--join-token-file", first.token(t, "--gateway"),
		"--page="+strings.TrimSuffix(first.url, "/mcp")) // the name by which browsers reach all gateways
	m := first.machine(t, "m1", first.cluster, map[string]string{"tour": p.Dir})
	a := first.agent(t, "tour")
	id := inTour(a, p)
	link, err := url.Parse(a.OK("session", A{"action": "show"}).At("data", "page"))
	if err != nil {
		t.Fatal(err)
	}
	if gate, _ := url.Parse(first.url); link.Host != gate.Host || !strings.HasPrefix(link.Path, "/page/") {
		t.Fatalf("the page is at %s, the gateway at %s", link, gate)
	}
	fragment, err := url.ParseQuery(link.Fragment)
	if err != nil {
		t.Fatal(err)
	}
	link.Fragment, link.RawQuery = "", ""
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	person := &http.Client{Jar: jar}
	ask := func(client *http.Client, method, address, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(text)
	}
	own := link.String()
	act := own + "api/sessions/" + url.PathEscape(id) + "/act"
	if got, text := ask(http.DefaultClient, http.MethodGet, own, ""); got != http.StatusOK || !strings.Contains(text, "<html") {
		t.Errorf("the page: %d, %.200s", got, text)
	}
	for what, path := range map[string]string{"guessed": "/page/" + strings.Split(own, "/page/")[1][:6] + ".x/", "of no machine": "/page/XXXXXX.x/"} {
		if got, _ := ask(http.DefaultClient, http.MethodGet, "http://"+link.Host+path, ""); got != http.StatusNotFound {
			t.Errorf("a page that is %s: %d", what, got)
		}
	}
	if got, _ := ask(http.DefaultClient, http.MethodPost, act, `{"kind":"take"}`); got != http.StatusUnauthorized {
		t.Errorf("anybody may take the session: %d", got)
	}
	if got, text := ask(person, http.MethodPost, own+"api/enter", `{"link":"`+fragment.Get("link")+`"}`); got >= 300 {
		t.Fatalf("the link does not admit: %d %s", got, text)
	}
	events, err := person.Get(own + "api/sessions/" + url.PathEscape(id) + "/events")
	if err != nil || events.StatusCode != http.StatusOK {
		t.Fatal(events, err)
	}
	defer events.Body.Close()
	if got, text := ask(person, http.MethodPost, act, `{"kind":"take"}`); got >= 300 {
		t.Fatalf("%d %s", got, text)
	}
	a.Fail("HELD_BY_PERSON", "step", A{})
	lines := bufio.NewScanner(events.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && !strings.Contains(lines.Text(), "held") && !strings.Contains(lines.Text(), "take") {
	}
	if lines.Err() != nil {
		t.Error(lines.Err())
	}
	if got, text := ask(person, http.MethodPost, act, `{"kind":"give"}`); got >= 300 {
		t.Errorf("%d %s", got, text)
	}
	a.OK("step", A{})

	// Where all gateways have one name, the other has it, too.
	other, _ := url.Parse(second.url)
	elsewhere := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, other.Host)
	}}}
	if got, text := ask(elsewhere, http.MethodGet, own, ""); got != http.StatusOK || !strings.Contains(text, "<html") {
		t.Errorf("at the other gateway: %d, %.200s", got, text)
	}
	if err := os.WriteFile(first.tokens, []byte("bob "+another+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first.Signal(syscall.SIGHUP)
	testkit.Eventually(t, testkit.CallLimit, "a page that is closed with its principal", func() bool {
		got, _ := ask(http.DefaultClient, http.MethodGet, own, "")
		return got == http.StatusNotFound
	})
	for _, w := range workersOf(m) {
		_ = syscall.Kill(w.PID, syscall.SIGKILL)
	}
	testkit.Eventually(t, testkit.CallLimit, "a page that is gone with its worker", func() bool {
		got, _ := ask(elsewhere, http.MethodGet, own, "")
		return got == http.StatusNotFound || got == http.StatusBadGateway
	})
}

//go:build linux

package serving

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// get is the answer at a path of the gateway.
func (g *gateway) get(t *testing.T, path, token string, headers ...string) (status int, h http.Header, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(g.URL, "/mcp")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

// The card and the catalog name the server and its address, without a token and a secret;
// another server behind the gateway has none.
func TestCard(t *testing.T) {
	g := serve(t)
	status, h, text := g.get(t, "/mcp/server-card", "")
	var card struct {
		Schema  string `json:"$schema"`
		Name    string
		Version string
		Remotes []struct {
			Type, URL string
			Headers   []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(text), &card); err != nil || status != http.StatusOK || h.Get("Content-Type") != "application/mcp-server-card+json" {
		t.Fatalf("%d %v %s", status, h, text)
	}
	if card.Name != "io.github.aidb-mcp/aidb-mcp" || card.Version == "" || len(card.Remotes) != 1 || card.Remotes[0].URL != g.URL || card.Remotes[0].Headers[0].Name != "Authorization" {
		t.Errorf("%s", text)
	}
	if status, _, _ = g.get(t, "/mcp/server-card", "", "If-None-Match", h.Get("ETag")); status != http.StatusNotModified {
		t.Errorf("asked again: %d", status)
	}
	for _, path := range []string{"/.well-known/mcp/catalog.json", "/.well-known/ai-catalog.json"} {
		if _, _, text = g.get(t, path, ""); !strings.Contains(text, `"urn:air:aidb-mcp.github.io:aidb-mcp"`) || !strings.Contains(text, `"url":"`+g.URL+`/server-card"`) {
			t.Errorf("%s: %s", path, text)
		}
	}
	if status, _, _ = g.get(t, "/mcp/server-card", "", "Origin", "https://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("a page of others: %d", status)
	}
}

// An operator sees all workers, calls and sessions, and no handle; nobody else does.
func TestStatus(t *testing.T) {
	testkit.Adapters(t)
	file := filepath.Join(t.TempDir(), "principals")
	if err := os.WriteFile(file, []byte(`{"bob": {"operator": true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g, p := serve(t, "--principals", file), programs[0]
	id := handleIn(t, g.wants(t, secret, "session_start", p.start(p.write(t)), "stopped_at_breakpoint"))
	if status, _, text := g.get(t, "/status", secret); status != http.StatusForbidden || !strings.Contains(text, "operator") {
		t.Errorf("ada: %d %s", status, text)
	}
	if status, _, _ := g.get(t, "/status", ""); status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", status)
	}
	_, _, text := g.get(t, "/status", another)
	for _, want := range []string{"ada", "python-1", "sum.py", "stopped_at_breakpoint", "WAITING"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	_, _, data := g.get(t, "/status", another, "Accept", "application/json")
	var report struct {
		Workers []struct {
			Name, Principal string
			Memory          int64 `json:"memory_bytes"`
			Sessions        []struct{ Name, State string }
		}
	}
	if err := json.Unmarshal([]byte(data), &report); err != nil || len(report.Workers) != 1 || report.Workers[0].Memory < 1<<20 || report.Workers[0].Sessions[0].Name != "python-1" {
		t.Errorf("%s", data)
	}
	if strings.Contains(text+data, id) {
		t.Error("it shows the handle")
	}
}

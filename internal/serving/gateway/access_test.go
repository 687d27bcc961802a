package gateway

import (
	"net/http"
	"strings"
	"testing"

	"aidb-mcp/internal/serving/pool"
)

// A browser lets a page that was named see our answers, and no other page.
func TestPagesThatAreNamed(t *testing.T) {
	t.Parallel()
	access := &Access{Loopback: true, Origins: []string{"https://known.example"}, Tokens: []Token{{"ada", "0123456789abcdef"}}}
	s := serve(t, pool.Options{}, access)
	asks := headers{"Origin": "https://known.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,mcp-session-id"}
	may := s.open(t.Context(), "OPTIONS", "", asks)
	if may.StatusCode != http.StatusNoContent || may.Header.Get("Access-Control-Allow-Origin") != "https://known.example" || may.Header.Get("Access-Control-Allow-Headers") != "authorization,mcp-session-id" {
		t.Errorf("%d %v", may.StatusCode, may.Header)
	}
	refused := s.open(t.Context(), "POST", "{}", headers{"Origin": "https://known.example"})
	if refused.StatusCode != http.StatusUnauthorized || refused.Header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("without a token: %d %v", refused.StatusCode, refused.Header)
	}
	asks["Origin"] = "https://evil.example"
	if other := s.open(t.Context(), "OPTIONS", "", asks); other.StatusCode != http.StatusForbidden || other.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another page: %d %v", other.StatusCode, other.Header)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{Tokens: []Token{{"ada", "secret-a"}, {"bob", "secret-b"}}, Metadata: "https://x/meta"})
	for token, want := range map[string]int{"": 401, "Bearer": 401, "Bearer ": 401, "Bearer wrong": 401, "Basic secret-a": 401, "Bearer secret-a": 200, "bearer secret-b": 200} {
		reply := s.open(t.Context(), "POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, headers{"Authorization": token})
		if reply.StatusCode != want {
			t.Errorf("%q: %d", token, reply.StatusCode)
		}
		if challenge := reply.Header.Get("WWW-Authenticate"); (want == 401) != strings.Contains(challenge, `resource_metadata="https://x/meta"`) {
			t.Errorf("%q: %s", token, challenge)
		}
	}
	if text := result(t, s.echo(headers{"Authorization": "Bearer secret-b"}), "principal"); text != "bob" {
		t.Errorf("the worker's principal is %q", text)
	}
}

func (s *site) echo(h headers) string {
	_, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"echo"}`, s.initialize("2025-11-25", h))
	return text
}

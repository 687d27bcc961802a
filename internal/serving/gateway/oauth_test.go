package gateway

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"aidb-mcp/internal/testkit"
)

// issuer is an identity provider.
type issuer struct {
	*httptest.Server
	t       *testing.T
	keys    atomic.Pointer[jose.JSONWebKeySet]
	key     *ecdsa.PrivateKey
	id      string
	fetched atomic.Int64
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		i.fetched.Add(1)
		_ = json.NewEncoder(w).Encode(i.keys.Load())
	}))
	t.Cleanup(i.Close)
	i.rotate("one")
	return i
}

// rotate gives the provider another key.
func (i *issuer) rotate(id string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	i.key, i.id = key, id
	i.keys.Store(&jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: id, Algorithm: "ES256", Use: "sig"}}})
}

type claims map[string]any

// token is one with these claims in the place of what it would have.
func (i *issuer) token(changed claims) string {
	i.t.Helper()
	all := claims{"iss": i.URL, "sub": "ada", "aud": "https://debug.example/mcp", "exp": time.Now().Add(time.Hour).Unix(), "scope": "read debug"}
	maps.Copy(all, changed)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: i.key, KeyID: i.id}}, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	payload, _ := json.Marshal(all)
	signed, err := signer.Sign(payload)
	if err != nil {
		i.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

func TestTokensOfAnIdentityProvider(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p := Provider{Issuer: i.URL, Keys: i.URL + "/keys", Resource: "https://debug.example/mcp", Scope: "debug"}
	v := NewVerifier(t.Context(), p)
	principal := func(token string) string {
		name, err := v.Principal(t.Context(), token)
		if err != nil {
			return "refused: " + err.Error()
		}
		return name
	}
	if got := principal(i.token(nil)); got != i.URL+"#ada" {
		t.Error(got)
	}
	unsigned := i.token(nil)
	for what, token := range map[string]string{
		"for another server": i.token(claims{"aud": "https://other.example"}),
		"of another issuer":  i.token(claims{"iss": "https://evil.example"}),
		"expired":            i.token(claims{"exp": time.Now().Add(-time.Hour).Unix()}),
		"without the scope":  i.token(claims{"scope": "read debugging"}),
		"of nobody":          i.token(claims{"sub": ""}),
		"unsigned":           unsigned[:strings.LastIndexByte(unsigned, '.')+1],
		"none":               "x",
	} {
		if got := principal(token); !strings.HasPrefix(got, "refused: ") {
			t.Errorf("a token %s is taken for that of %s", what, got)
		}
	}
	i.rotate("two")
	// A fetch that one of the tokens above has asked for may not be quite over, and what
	// it has brought is shared.
	testkit.Eventually(t, time.Second, "a token of the new key is taken", func() bool {
		return principal(i.token(nil)) == i.URL+"#ada"
	})
	before := i.fetched.Load()
	for range 20 { // of keys that do not exist
		other := newIssuer(t)
		other.rotate("unknown")
		principal(other.token(claims{"iss": i.URL}))
	}
	if more := i.fetched.Load() - before; more > fetchBurst {
		t.Errorf("20 tokens of unknown keys had the keys fetched %d times", more)
	}
	i.Close()
	if got := principal(i.token(nil)); got != i.URL+"#ada" {
		t.Errorf("while the provider is away: %s", got)
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	p := Provider{Issuer: "https://id.example", Resource: "https://debug.example/mcp", Scope: "debug"}
	w := httptest.NewRecorder()
	p.Metadata().ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", MetadataPath, nil))
	for _, want := range []string{`"resource":"https://debug.example/mcp"`, `"authorization_servers":["https://id.example"]`, `"scopes_supported":["debug"]`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s lacks %s", w.Body, want)
		}
	}
}

// A provider whose answer does not end costs so much of it, and no more.
func TestAProviderThatDoesNotStop(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for part := []byte(strings.Repeat(" ", 64<<10)); ; {
			n, err := w.Write(part)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	i := newIssuer(t)
	v := NewVerifier(t.Context(), Provider{Issuer: i.URL, Keys: endless.URL, Resource: "https://debug.example/mcp"})
	name, err := v.Principal(t.Context(), i.token(nil))
	if err == nil || !strings.Contains(err.Error(), "more than 524288 bytes") {
		t.Errorf("%q, %v", name, err)
	}
	if n := sent.Load(); n > 32<<20 { // what the system holds of it, too
		t.Errorf("it could send %d bytes", n)
	}
}

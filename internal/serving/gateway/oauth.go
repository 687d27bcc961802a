package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// Provider is an identity provider whose tokens are accepted.
type Provider struct {
	Issuer   string // URL, as the tokens name it
	Keys     string // URL of its keys (JWKS)
	Resource string // URL of this gateway, for which the tokens must be meant
	Scope    string // that a token must have; empty: none
}

// MetadataPath is where the protected resource's metadata lie (RFC 9728).
const MetadataPath = "/.well-known/oauth-protected-resource"

// Metadata answers who asks where tokens come from.
func (p *Provider) Metadata() http.Handler {
	metadata := &oauthex.ProtectedResourceMetadata{
		Resource: p.Resource, AuthorizationServers: []string{p.Issuer}, BearerMethodsSupported: []string{"header"},
	}
	if p.Scope != "" {
		metadata.ScopesSupported = []string{p.Scope}
	}
	return auth.ProtectedResourceMetadataHandler(metadata)
}

// verifier checks the tokens of a provider.
type verifier struct {
	provider Provider
	tokens   *oidc.IDTokenVerifier
}

// NewVerifier checks the tokens of a provider. Its keys are fetched when they
// are first needed, and again for a key that is not known; ctx ends that.
func NewVerifier(ctx context.Context, p Provider) Verifier {
	client := &http.Client{Timeout: fetchLimit, Transport: &limitedTransport{next: http.DefaultTransport}}
	keys := oidc.NewRemoteKeySet(oidc.ClientContext(ctx, client), p.Keys)
	return &verifier{p, oidc.NewVerifier(p.Issuer, keys, &oidc.Config{
		ClientID:             p.Resource,
		SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256, oidc.EdDSA, oidc.RS384, oidc.RS512, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512},
	})}
}

// Principal is who a token was given to, by a provider that is told apart from others.
func (v *verifier) Principal(ctx context.Context, token string) (string, error) {
	id, err := v.tokens.Verify(ctx, token)
	if err != nil {
		return "", err
	}
	var claims struct {
		Scope string `json:"scope"`
	}
	if err := id.Claims(&claims); err != nil {
		return "", err
	}
	if v.provider.Scope != "" && !hasWord(claims.Scope, v.provider.Scope) {
		return "", errors.New("it lacks the scope " + v.provider.Scope)
	}
	if id.Subject == "" {
		return "", errors.New("it names nobody")
	}
	return id.Issuer + "#" + id.Subject, nil
}

// How often the keys of a provider are fetched: a token with a key that does not
// exist has them fetched again, and anybody can write one.
const (
	fetchLimit = 10 * time.Second
	fetchEvery = 10 * time.Second
	fetchBurst = 3
	maxKeys    = 512 << 10 // bytes of an answer
)

// limitedTransport lets few requests through, and of their answers only so much.
type limitedTransport struct {
	next http.RoundTripper

	mu   sync.Mutex // guards the field below
	made []time.Time
}

var errSparing = errors.New("the keys of the identity provider have just been fetched, and this token's is not among them")

func (s *limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	now := time.Now()
	for len(s.made) > 0 && now.Sub(s.made[0]) > fetchEvery {
		s.made = s.made[1:]
	}
	if len(s.made) >= fetchBurst {
		s.mu.Unlock()
		return nil, errSparing
	}
	s.made = append(s.made, now)
	s.mu.Unlock()
	reply, err := s.next.RoundTrip(r)
	if err == nil {
		reply.Body = &bounded{from: reply.Body, left: maxKeys}
	}
	return reply, err
}

// bounded is a body that fails where it is too long.
type bounded struct {
	from io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, fmt.Errorf("the identity provider's answer has more than %d bytes", maxKeys)
	}
	n, err := b.from.Read(p[:min(len(p), b.left+1)])
	b.left -= n
	return n, err
}

func (b *bounded) Close() error { return b.from.Close() }

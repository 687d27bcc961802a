package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// Where clients read about the server before they connect (SEP-2127, a draft): its card, and the
// catalog of this address, which points to the card and is served at two paths.
const (
	CardPath     = Path + "/server-card"
	catalogPath  = "/.well-known/mcp/catalog.json"
	catalogOfAll = "/.well-known/ai-catalog.json"
	cardType     = "application/mcp-server-card+json"
)

// Card is what the server says of itself. Its address and version are added.
type Card struct {
	Name        string // with its publisher's domain in reverse: io.github.publisher/server
	Title       string
	Description string
}

type cardJSON struct {
	Schema      string       `json:"$schema"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Description string       `json:"description"`
	Title       string       `json:"title,omitempty"`
	Remotes     []cardRemote `json:"remotes"`
}

type cardRemote struct {
	Type      string       `json:"type"`
	URL       string       `json:"url"`
	Headers   []cardHeader `json:"headers,omitempty"`
	Revisions []string     `json:"supportedProtocolVersions"`
}

type cardHeader struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	IsRequired  bool   `json:"isRequired"`
	IsSecret    bool   `json:"isSecret"`
}

type catalogJSON struct {
	Version string         `json:"specVersion"`
	Entries []catalogEntry `json:"entries"`
}

type catalogEntry struct {
	Identifier string `json:"identifier"`
	Name       string `json:"displayName"`
	Type       string `json:"type"`
	URL        string `json:"url"`
}

// longestVersion is how long the version on a card may be.
const longestVersion = 255

func (s *Server) card(w http.ResponseWriter, r *http.Request) {
	remote := cardRemote{Type: "streamable-http", URL: s.address(r), Revisions: append(slices.Clone(withSessions), firstStateless)}
	if s.Access.asks() {
		remote.Headers = []cardHeader{{"Authorization", "Bearer, and a token of this server", true, true}}
	}
	writePublic(w, r, cardType, cardJSON{
		Schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		Name:   s.Card.Name, Version: s.Version[:min(len(s.Version), longestVersion)], Description: s.Card.Description, Title: s.Card.Title,
		Remotes: []cardRemote{remote},
	})
}

func (s *Server) catalog(w http.ResponseWriter, r *http.Request) {
	publisher, name, _ := strings.Cut(s.Card.Name, "/")
	steps := strings.Split(publisher, ".")
	slices.Reverse(steps)
	writePublic(w, r, "application/json", catalogJSON{"draft", []catalogEntry{{
		Identifier: "urn:air:" + strings.Join(steps, ".") + ":" + name, Name: s.Card.Title, Type: cardType,
		URL: strings.TrimSuffix(s.address(r), Path) + CardPath,
	}}})
}

// address is our URL: the one that is configured for OAuth, or the one that the client has used.
func (s *Server) address(r *http.Request) string {
	if s.Provider != nil {
		return s.Provider.Resource
	}
	scheme := "http://"
	if s.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" { // of a proxy that encrypts
		scheme = "https://"
	}
	return scheme + r.Host + Path
}

// writePublic answers a request with what anybody may know, as JSON.
func writePublic(w http.ResponseWriter, r *http.Request, kind string, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		http.Error(w, "it cannot be written", http.StatusInternalServerError)
		return
	}
	sum := sha256.Sum256(text)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", tag)
	h.Set("Vary", "Host, X-Forwarded-Proto")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(text) // to a client that may have gone
}

// allowAnyOrigin lets web pages of any origin read what is public, unless we listen on a loopback
// address: a foreign page need not know what runs on this machine.
func (a *Access) allowAnyOrigin(next http.Handler) http.Handler {
	if a.Loopback {
		return a.Near(next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		next.ServeHTTP(w, r)
	})
}

// asks says that clients need a token.
func (a *Access) asks() bool { return len(a.rules().Tokens) > 0 || a.Verify != nil }

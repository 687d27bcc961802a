package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Access is who may come in, from where.
type Access struct {
	Tokens   []Token  // empty: nobody is asked for one
	Verify   Verifier // of tokens that are none of these; nil: there are no others
	Metadata string   // URL of the protected resource's metadata, told to who has no token; may be empty
	Loopback bool     // it listens there only: a foreign Host is an attack by a web page
	Hosts    []string // further names by which it is called
	Origins  []string // of web pages that may come in

	renewed atomic.Pointer[Rules] // in the place of the fields of the same names
}

// Rules are what can change while we serve.
type Rules struct {
	Tokens         []Token
	Hosts, Origins []string
}

// Renew puts other rules in the place of those that have counted so far.
func (a *Access) Renew(rules Rules) { a.renewed.Store(&rules) }

func (a *Access) rules() Rules {
	if renewed := a.renewed.Load(); renewed != nil {
		return *renewed
	}
	return Rules{a.Tokens, a.Hosts, a.Origins}
}

// has says that a principal has a token here, or may have one of the provider's.
func (a *Access) has(name string) bool {
	return a.Verify != nil && strings.Contains(name, "#") || slices.ContainsFunc(a.rules().Tokens, func(t Token) bool { return t.Name == name })
}

// Token is a secret with the name of its principal.
type Token struct{ Name, Secret string }

// Verifier tells whose token this is; the error is why nobody's.
type Verifier interface {
	Principal(ctx context.Context, token string) (string, error)
}

type principalKey struct{}

// principalOf is who a request comes from.
func principalOf(r *http.Request) string {
	name, _ := r.Context().Value(principalKey{}).(string)
	return name
}

// local is the principal where nobody is asked for a token.
const local = "local"

// Guard lets only those requests through that may come in.
func (a *Access) Guard(next http.Handler) http.Handler {
	return a.Near(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, why := a.principal(r)
		if name == "" {
			challenge := "Bearer"
			if why != "" {
				challenge += ` error="invalid_token"`
			}
			if a.Metadata != "" {
				challenge += ` resource_metadata="` + a.Metadata + `"`
			}
			w.Header().Set("WWW-Authenticate", strings.Replace(challenge, `" r`, `", r`, 1))
			if why == "" {
				why = "a token is needed: Authorization: Bearer …"
			}
			turnDown(w, http.StatusUnauthorized, why)
			return
		}
		if !noteTrusted(r, name) {
			w.Header().Set("Connection", "close")
			w.Header().Set("Retry-After", "1")
			turnDown(w, http.StatusServiceUnavailable, "too many connections of yours are open: close some of them")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, name)))
	}))
}

// Near turns web pages away that reach us through the browser of somebody who may come in.
func (a *Access) Near(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.Loopback && !a.isOurs(r.Host) {
			turnDown(w, http.StatusForbidden, "foreign Host "+shorten(r.Host))
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !a.welcome(origin, r.Host) {
			turnDown(w, http.StatusForbidden, "foreign Origin "+shorten(origin))
			return
		}
		if a.share(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// turnDown answers who may not come in, and waits for no one who does not read it.
func turnDown(w http.ResponseWriter, status int, why string) {
	briefly(w)
	http.Error(w, why, status)
}

// briefly bounds the time in which the whole of a short answer must be read.
func briefly(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit)) // the tests' writers have none
}

// share lets the browser show our answers to a page that was named, which it
// does not by itself (CORS); true: it has only asked whether it may.
func (a *Access) share(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if !slices.Contains(a.rules().Origins, origin) {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", sessionHeader+", WWW-Authenticate")
	asked := r.Header.Get("Access-Control-Request-Method")
	if r.Method != http.MethodOptions || asked == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	// Of its headers some are named by the arguments of tools.
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// isOurs says that a Host means this machine.
func (a *Access) isOurs(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if name == "localhost" || slices.Contains(a.rules().Hosts, name) || slices.Contains(a.rules().Hosts, host) {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.Unmap().IsLoopback()
}

// welcome says that a web page may come in: one of ours, or one that is named.
func (a *Access) welcome(origin, host string) bool {
	if slices.Contains(a.rules().Origins, origin) {
		return true
	}
	page, err := url.Parse(origin)
	return err == nil && page.Host == host && (page.Scheme == "http" || page.Scheme == "https")
}

// principal is who a request comes from, or why from nobody; both are empty
// where no token is given.
func (a *Access) principal(r *http.Request) (name, why string) {
	if len(a.rules().Tokens) == 0 && a.Verify == nil {
		return local, ""
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", ""
	}
	if name = a.tokenName(token); name != "" {
		return name, ""
	}
	if a.Verify != nil {
		name, err := a.Verify.Principal(r.Context(), token)
		if err == nil {
			return name, ""
		}
		return "", "the token is not accepted: " + err.Error()
	}
	return "", "the token is not known here"
}

// tokenName compares with every token, in a time that tells nothing of them.
func (a *Access) tokenName(token string) (name string) {
	given := sha256.Sum256([]byte(token))
	for _, t := range a.rules().Tokens {
		known := sha256.Sum256([]byte(t.Secret))
		if subtle.ConstantTimeCompare(given[:], known[:]) == 1 {
			name = t.Name
		}
	}
	return name
}

package page

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/hub"
)

// door decides who gets in. Other sites' pages, other users of the machine and names that
// were made to point here are kept out.
type door struct {
	admission *admission
	site
}

// contentPolicy lets the page load its own files and nothing else; no script of any
// other source runs.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard checks what every request must have, and gives the browser its rules.
func (d *door) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !slices.Contains(d.hosts, r.Host) {
			refuse(w, http.StatusMisdirectedRequest, "this page is reached as "+d.url)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !d.isOwn(origin, r.Host) {
			refuse(w, http.StatusForbidden, "pages of other sites are not let in")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); strings.HasPrefix(r.URL.Path, "/api/") && site != "" && site != "same-origin" && site != "none" {
			refuse(w, http.StatusForbidden, "pages of other sites are not let in")
			return
		}
		// A form of another site cannot send this type without being asked about first.
		if r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/json" {
			refuse(w, http.StatusUnsupportedMediaType, "send application/json")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

// isOwn says that an origin is the page itself, by the name by which it was reached.
func (d *door) isOwn(origin, host string) bool {
	scheme, _, _ := strings.Cut(d.origin, "://")
	return origin == scheme+"://"+host
}

type personKey struct{}

// personOf is who sends a request that was let in.
func personOf(r *http.Request) hub.Person {
	p, _ := r.Context().Value(personKey{}).(hub.Person)
	return p
}

// admitted lets those in who have come by a link.
func (d *door) admitted(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, isIn := d.admission.person(d.cookieOf(r))
		if !isIn {
			refuse(w, http.StatusUnauthorized, "open the page by a link of its own: session(show) gives one, and it works once")
			return
		}
		next(w, r.WithContext(context.WithValue(r.Context(), personKey{}, p)))
	})
}

// cookieOf is the value of the cookie that a request bears, empty without one.
func (d *door) cookieOf(r *http.Request) string {
	c, err := r.Cookie(d.cookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// enter takes a link's token for a cookie.
func (d *door) enter(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Link string `json:"link"`
	}
	if !read(w, r, &in) {
		return
	}
	cookie, ok := d.admission.enter(in.Link)
	if !ok {
		refuse(w, http.StatusUnauthorized, "this link was used already or is too old: session(show) gives another one")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: d.cookie, Value: cookie, Path: d.path, Secure: d.secure, HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(visitorLasts / time.Second),
	})
	write(w, struct{}{})
}

// rename says how the person is called.
func (d *door) rename(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name string `json:"name"`
	}
	if !read(w, r, &in) {
		return
	}
	d.admission.rename(d.cookieOf(r), strings.TrimSpace(in.Name))
	write(w, struct{}{})
}

// read decodes the body of a request; what is wrong with it is answered.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "reading the request: "+err.Error())
		return false
	}
	return true
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a browser that is gone needs no answer
}

// failure is what the page shows of an error.
type failure struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func refuse(w http.ResponseWriter, status int, message string) {
	writeFailure(w, status, failure{Message: message})
}

func writeFailure(w http.ResponseWriter, status int, f failure) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]failure{"error": f})
}

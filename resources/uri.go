package resources

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/pattern"
)

const scheme = "aidb://"

// The resources that are there whatever runs.
const (
	Config   = scheme + "config"
	Sessions = scheme + "sessions"
	Usage    = scheme + "usage"
)

// attemptsURI is the URI of what was tried against a problem.
func attemptsURI(problem string) string { return scheme + "attempts/" + problem }

var problemID = pattern.New(`^[0-9a-f]{12}$`)

// parts are what a session has below its own URI.
func (l *Library) parts() []string {
	parts := []string{"stack", "output", "breakpoints", "transcript"}
	if l.o.Report != nil {
		parts = append(parts, reported)
	}
	return parts
}

// longestURI is the longest that is looked at, in bytes.
const longestURI = 500

var sessionID = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// sessionURI is the URI of a session's resource; an empty part is the session itself.
func sessionURI(id, part string) string {
	uri := scheme + "session/" + id
	if part != "" {
		uri += "/" + part
	}
	return uri
}

// address is a URI taken apart.
type address struct {
	fixed   string // one of those without a session
	problem string // or one of which it is told what was tried
	id      string
	part    string
}

// String is the one way to write the address.
func (a address) String() string {
	if a.fixed != "" {
		return a.fixed
	}
	if a.problem != "" {
		return attemptsURI(a.problem)
	}
	return sessionURI(a.id, a.part)
}

// parse takes a URI of ours apart; the error says what is wrong with it.
func (l *Library) parse(uri string) (address, error) {
	if len(uri) > longestURI {
		return address{}, fmt.Errorf("the URI has %d bytes, and none of ours has more than %d", len(uri), longestURI)
	}
	path, ours := strings.CutPrefix(uri, scheme)
	if !ours {
		return address{}, fmt.Errorf("there is no resource %q: all begin with %s", uri, scheme)
	}
	if slices.Contains(l.fixedURIs(), uri) {
		return address{fixed: uri}, nil
	}
	steps := strings.Split(path, "/")
	for i, step := range steps {
		plain, err := url.PathUnescape(step)
		if err != nil {
			return address{}, fmt.Errorf("%q is no URI: %w", uri, err)
		}
		steps[i] = plain
	}
	if steps[0] == "attempts" && len(steps) == 2 {
		if !problemID.MatchString(steps[1]) {
			return address{}, fmt.Errorf("%q names no problem: attempt(list) tells its name", uri)
		}
		return address{problem: steps[1]}, nil
	}
	if steps[0] != "session" || len(steps) > 3 {
		return address{}, l.unknownError(uri, path)
	}
	if len(steps) == 1 || !sessionID.MatchString(steps[1]) {
		return address{}, fmt.Errorf("%q names no session; %s", uri, l.sessionIDs())
	}
	a := address{id: steps[1]}
	if len(steps) == 3 {
		parts := l.parts()
		if a.part = steps[2]; !slices.Contains(parts, a.part) {
			said := fmt.Sprintf("a session has no %q", a.part)
			if like := source.Closest(a.part, parts, 1); len(like) > 0 {
				return address{}, fmt.Errorf("%s: did you mean %s?", said, sessionURI(a.id, like[0]))
			}
			return address{}, fmt.Errorf("%s: it has %s", said, strings.Join(parts, ", "))
		}
	}
	return a, nil
}

// unknownError says which resources there are.
func (l *Library) unknownError(uri, path string) error {
	var names []string
	for _, fixed := range l.fixedURIs() {
		names = append(names, strings.TrimPrefix(fixed, scheme))
	}
	if like := source.Closest(path, names, 1); len(like) > 0 {
		return fmt.Errorf("there is no resource %q: did you mean %s%s?", uri, scheme, like[0])
	}
	return fmt.Errorf("there is no resource %q: there are %s and %s", uri, strings.Join(l.fixedURIs(), ", "), sessionURI("{id}", ""))
}

// sessionIDs lists the sessions that there are.
func (l *Library) sessionIDs() string {
	var ids []string
	for _, s := range l.o.Sessions.List() {
		ids = append(ids, s.ID())
	}
	if len(ids) == 0 {
		return "no session has been started"
	}
	return "the sessions are " + strings.Join(ids, ", ")
}

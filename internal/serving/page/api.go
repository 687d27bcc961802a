package page

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
)

// api answers what the page asks of one session.
type api struct {
	sessions Sessions
	door     *door
}

// lookWithin bounds a question to a debugger; actWithin an act.
const (
	lookWithin = 20 * time.Second
	actWithin  = 30 * time.Second
)

// session finds the session that a request names; nil after the answer was written.
func (a *api) session(w http.ResponseWriter, r *http.Request) Session {
	s, ok := a.sessions.Find(r.PathValue("id"))
	if !ok {
		refuse(w, http.StatusNotFound, "there is no such session")
		return nil
	}
	return s
}

func (a *api) act(w http.ResponseWriter, r *http.Request) {
	s := a.session(w, r)
	var act Act
	if s == nil || !read(w, r, &act) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), actWithin)
	defer cancel()
	did, err := s.Act(ctx, personOf(r), act)
	if err != nil {
		fail(w, err)
		return
	}
	write(w, struct {
		Did string `json:"did"`
	}{did})
}

// fail answers with what an error says of itself.
func fail(w http.ResponseWriter, err error) {
	f := failure{Message: err.Error()}
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		f = failure{Code: "AIDB_" + string(known.Code), Message: known.Message, Hint: known.Hint}
	}
	writeFailure(w, http.StatusConflict, f)
}

// look asks a session something within bounds, and answers with it.
func look[T any](a *api, w http.ResponseWriter, r *http.Request, ask func(context.Context, Session) (T, error)) {
	s := a.session(w, r)
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), lookWithin)
	defer cancel()
	answer, err := ask(ctx, s)
	if err != nil {
		fail(w, err)
		return
	}
	write(w, answer)
}

// number is a number among a request's parameters, 0 where it is none.
func number(r *http.Request, name string) int {
	n, _ := strconv.Atoi(r.URL.Query().Get(name))
	return max(n, 0)
}

// mostAtOnce is how many frames or values one answer holds.
const mostAtOnce = 200

func count(r *http.Request) int {
	if n := number(r, "count"); n > 0 {
		return min(n, mostAtOnce)
	}
	return mostAtOnce
}

func (a *api) threads(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, func(ctx context.Context, s Session) ([]Thread, error) { return s.Threads(ctx) })
}

// frames and values are parts of a longer list.
type (
	frames struct {
		Frames []hub.Frame `json:"frames"`
		Total  int         `json:"total"`
	}
	values struct {
		Values []hub.Value `json:"values"`
		Total  int         `json:"total"`
	}
)

func (a *api) stack(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, func(ctx context.Context, s Session) (frames, error) {
		list, total, err := s.Stack(ctx, number(r, "thread"), number(r, "start"), count(r))
		return frames{list, total}, err
	})
}

func (a *api) locals(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, func(ctx context.Context, s Session) (values, error) {
		list, total, err := s.Locals(ctx, number(r, "thread"), number(r, "frame"))
		return values{list, total}, err
	})
}

func (a *api) children(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, func(ctx context.Context, s Session) (values, error) {
		list, total, err := s.Children(ctx, number(r, "ref"), number(r, "start"), count(r))
		return values{list, total}, err
	})
}

func (a *api) source(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, func(ctx context.Context, s Session) (Source, error) { return s.Source(ctx, r.URL.Query().Get("file")) })
}

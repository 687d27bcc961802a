package page

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/persons"
)

// api answers what the page asks of one session.
type api struct{ desk *persons.Desk }

// lookWithin bounds a question to a debugger; actWithin an act.
const (
	lookWithin = 20 * time.Second
	actWithin  = 30 * time.Second
)

// sit finds the session that a request names, for as long as it is answered; nil after an
// answer was written.
func (a *api) sit(w http.ResponseWriter, r *http.Request) *persons.Seat {
	p := personOf(r)
	seat, err := a.desk.Sit(r.PathValue("id"), p.Name, p.Key)
	if err != nil {
		fail(w, err)
		return nil
	}
	return seat
}

func (a *api) act(w http.ResponseWriter, r *http.Request) {
	var act persons.Act
	if !read(w, r, &act) {
		return
	}
	look(a, w, r, actWithin, func(ctx context.Context, s *persons.Seat) (persons.Outcome, error) { return s.Act(ctx, act) })
}

// fail answers with what an error says of itself.
func fail(w http.ResponseWriter, err error) {
	f := failure{Message: err.Error()}
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		f = failure{Code: "AIDB_" + string(known.Code), Message: known.Message, Hint: known.Hint}
	}
	status := http.StatusConflict
	if fault.Is(err, fault.SessionNotFound) || fault.Is(err, fault.SessionNotStarted) {
		status = http.StatusNotFound
	}
	writeFailure(w, status, f)
}

// look asks a session something within bounds, and answers with it.
func look[T any](a *api, w http.ResponseWriter, r *http.Request, limit time.Duration, ask func(context.Context, *persons.Seat) (T, error)) {
	s := a.sit(w, r)
	if s == nil {
		return
	}
	defer s.Leave()
	ctx, cancel := context.WithTimeout(r.Context(), limit)
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
	look(a, w, r, lookWithin, func(ctx context.Context, s *persons.Seat) (persons.Threads, error) { return s.Threads(ctx) })
}

func (a *api) stack(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, lookWithin, func(ctx context.Context, s *persons.Seat) (persons.Frames, error) {
		return s.Stack(ctx, number(r, "thread"), number(r, "start"), count(r))
	})
}

func (a *api) locals(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, lookWithin, func(ctx context.Context, s *persons.Seat) (persons.Values, error) {
		return s.Locals(ctx, number(r, "thread"), number(r, "frame"), number(r, "start"), count(r))
	})
}

func (a *api) children(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, lookWithin, func(ctx context.Context, s *persons.Seat) (persons.Values, error) {
		return s.Children(ctx, number(r, "ref"), number(r, "start"), count(r))
	})
}

// longestSource is how many lines of a file the page shows.
const longestSource = 20_000

func (a *api) source(w http.ResponseWriter, r *http.Request) {
	look(a, w, r, lookWithin, func(ctx context.Context, s *persons.Seat) (persons.Source, error) {
		return s.Source(ctx, r.URL.Query().Get("file"), number(r, "thread"), longestSource)
	})
}

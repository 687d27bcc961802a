package page

import (
	"fmt"
	"net/http"
	"path"

	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/persons"
	"aidb-mcp/session"
)

// How long a report becomes at most, in bytes: one that is saved holds all that is kept of a
// session; one that is read by a client less.
const (
	SavedReport = 32 << 20
	ReadReport  = 512 << 10
)

// Report is what is kept of a session as one HTML file that needs no server. Secrets are
// masked. The oldest events give way where it would have more than most bytes.
func Report(desk *persons.Desk, s *session.Session, most int) []byte {
	events, lost := s.Hub().Events(0, 1<<30)
	return boundedReport(desk.Mask, desk.SummaryOf(s), events, lost, most)
}

func boundedReport(mask *secret.Masker, row persons.Summary, events []hub.Event, lost, most int) []byte {
	for {
		text := writeReport(mask, row, events, lost)
		if len(text) <= most || len(events) == 0 {
			return text
		}
		// The share of the events that fits, and a little less: some are longer than others.
		keep := min(len(events)*most/len(text)*9/10, len(events)-1)
		lost += len(events) - keep
		events = events[len(events)-keep:]
	}
}

func (a *api) report(w http.ResponseWriter, r *http.Request) {
	s := a.sit(w, r)
	if s == nil {
		return
	}
	defer s.Leave()
	text := Report(a.desk, s.Session, SavedReport)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "aidb-"+path.Base(s.Session.ID())+".html"))
	_, _ = w.Write(text) // a browser that is gone needs no answer
}

package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/persons"
	"aidb-mcp/session"
)

//go:embed reports
var reports embed.FS

// How long a report becomes at most, in bytes: one that is saved holds all that is kept of a
// session; one that is read by a client less.
const (
	SavedReport = 32 << 20
	ReadReport  = 512 << 10
)

// Report is what is kept of a session as one HTML file that needs no server. Secrets are
// masked. The oldest events give way where it would have more than most bytes.
func Report(desk *persons.Desk, s *session.Session, most int) ([]byte, error) {
	events, lost := s.Hub().Events(0, 1<<30)
	return boundedReport(desk.Mask, desk.SummaryOf(s), events, lost, most)
}

func boundedReport(mask *secret.Masker, row persons.Summary, events []hub.Event, lost, most int) ([]byte, error) {
	for {
		text, err := writeReport(mask, row, events, lost)
		if err != nil || len(text) <= most || len(events) == 0 {
			return text, err
		}
		// The share of the events that fits, and a little less: some are longer than others.
		keep := min(len(events)*most/len(text)*9/10, len(events)-1)
		lost += len(events) - keep
		events = events[len(events)-keep:]
	}
}

// newReportTemplate is a page that needs nothing else: its style is inside, and it has no
// script. Whatever comes from the session passes through hide.
func newReportTemplate(mask *secret.Masker) (*template.Template, error) {
	return template.New("report").Funcs(template.FuncMap{
		"clock": func(t time.Time) string { return t.UTC().Format("15:04:05.000") },
		"ms":    func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) },
		"hide":  mask.Text,
	}).ParseFS(reports, "reports/report.html.tmpl")
}

func writeReport(mask *secret.Masker, row persons.Summary, events []hub.Event, lost int) ([]byte, error) {
	page, err := newReportTemplate(mask)
	if err != nil {
		return nil, fmt.Errorf("reading the report's template: %w", err)
	}
	style, err := reports.ReadFile("reports/report.css")
	if err != nil {
		return nil, fmt.Errorf("reading the report's style: %w", err)
	}
	data := struct {
		Row    persons.Summary
		Made   time.Time
		Lost   int
		Events []hub.Event
		Style  template.CSS
	}{row, time.Now(), lost, events, template.CSS(style)} //nolint:gosec // it is our own file
	var text bytes.Buffer
	if err := page.ExecuteTemplate(&text, "report.html.tmpl", data); err != nil {
		return nil, fmt.Errorf("writing the report: %w", err)
	}
	return text.Bytes(), nil
}

func (a *api) report(w http.ResponseWriter, r *http.Request) {
	s := a.sit(w, r)
	if s == nil {
		return
	}
	defer s.Leave()
	text, err := Report(a.desk, s.Session, SavedReport)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "aidb-"+path.Base(s.Session.ID())+".html"))
	_, _ = w.Write(text) // a browser that is gone needs no answer
}

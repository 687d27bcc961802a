package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"path"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/persons"
)

//go:embed reports
var reports embed.FS

// reportTemplate is a page that needs nothing else: its style is inside, and it has no script.
var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"clock": func(t time.Time) string { return t.UTC().Format("15:04:05.000") },
	"ms":    func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) },
}).ParseFS(reports, "reports/report.html.tmpl"))

// Report writes what is kept of a session as one HTML file that needs no server.
func Report(w io.Writer, row persons.Summary, h *hub.Hub) error {
	events, lost := h.Events(0, 1<<30)
	style, err := reports.ReadFile("reports/report.css")
	if err != nil {
		return fmt.Errorf("reading the report's style: %w", err)
	}
	data := struct {
		Row    persons.Summary
		Made   time.Time
		Lost   int
		Events []hub.Event
		Style  template.CSS
	}{row, time.Now(), lost, events, template.CSS(style)} //nolint:gosec // it is our own file
	var text bytes.Buffer
	if err := reportTemplate.ExecuteTemplate(&text, "report.html.tmpl", data); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}

func (a *api) report(w http.ResponseWriter, r *http.Request) {
	s := a.sit(w, r)
	if s == nil {
		return
	}
	defer s.Leave()
	row := s.Summary()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "aidb-"+path.Base(row.ID)+".html"))
	if err := Report(w, row, s.Session.Hub()); err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
	}
}

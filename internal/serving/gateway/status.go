package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"aidb-mcp/internal/serving/pool"
)

// StatusPath is where operators see what all workers do.
const StatusPath = "/status"

// status answers an operator with a report, as text, or as JSON if the Accept header asks for it.
func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	principal := principalOf(r)
	if !s.Operator(principal) {
		http.Error(w, fmt.Sprintf("%s may not see what others do here: give it \"operator\": true in the file of --principals", shorten(principal)), http.StatusForbidden)
		return
	}
	report := s.Pool.(pool.Reporter).Report(principal)
	w.Header().Set("Cache-Control", "no-store")
	if r.Header.Get("Accept") == "application/json" {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(report) // to a client that may have gone
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	writeReport(w, report, time.Now())
}

// writeReport writes a report as tables.
func writeReport(to io.Writer, report pool.Report, now time.Time) {
	ago := func(t time.Time) string { return now.Sub(t).Round(time.Second).String() }
	table := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	defer table.Flush() // to a client that may have gone
	if len(report.Machines) > 0 {
		fmt.Fprintln(table, "MACHINE\tHEARD\tWORKERS\tWAITING\tCALLS\tSESSIONS\tWORKSPACES")
		for _, m := range report.Machines {
			heard := ago(m.Heard) + " ago"
			if !m.IsThere {
				heard += ", away"
			}
			fmt.Fprintf(table, "%s\t%s\t%d of %d\t%d\t%d\t%s\t%s\n", machineOf(m), heard, m.Running, m.Workers, m.Waiting, m.Calls, counts(m.Sessions), plain(strings.Join(m.Workspaces, " ")))
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintln(table, "WORKER\tPRINCIPAL\tPID\tMEMORY\tLAST MESSAGE\tCALLS")
	for _, w := range report.Workers {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", plain(strings.Trim(w.Machine+" "+w.Name, " ")), plain(w.Principal), number(int64(w.PID), ""), number(w.Memory>>20, " MiB"), ago(w.Stirred)+" ago", callsIn(w.Calls, ago))
	}
	fmt.Fprintln(table, "\nSESSION\tWORKER\tPRINCIPAL\tLANGUAGE\tSTATE\tFOR\tPROGRAM")
	for _, w := range report.Workers {
		for _, s := range w.Sessions {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", plain(s.Name), plain(strings.Trim(w.Machine+" "+w.Name, " ")), plain(w.Principal), plain(s.Language), plain(s.State), ago(s.Since), plain(s.Program))
		}
	}
	fmt.Fprintln(table, "\nWAITING\tFOR\tON")
	for _, w := range report.Waiting {
		fmt.Fprintf(table, "%s\t%s\t%s\n", plain(w.Principal), ago(w.Since), plain(w.Machine))
	}
}

// machineOf is what a machine is called, with its tenant.
func machineOf(m pool.MachineReport) string {
	if m.Tenant == "" {
		return plain(m.Name)
	}
	return plain(m.Name) + " of " + plain(m.Tenant)
}

func callsIn(calls []pool.CallReport, ago func(time.Time) string) string {
	var all []string
	for _, c := range calls {
		what := c.Method
		if c.Tool != "" {
			what = c.Tool
		}
		all = append(all, plain(what)+" for "+ago(c.Since))
	}
	return strings.Join(all, ", ")
}

// number is empty for what is not known.
func number(n int64, unit string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n) + unit
}

func counts(sessions map[string]int) string {
	var all []string
	for _, language := range slices.Sorted(maps.Keys(sessions)) {
		all = append(all, fmt.Sprintf("%d %s", sessions[language], plain(language)))
	}
	return strings.Join(all, ", ")
}

// plain is a text without what would move a terminal's cursor out of its column.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return '?'
		}
		return r
	}, shorten(text))
}

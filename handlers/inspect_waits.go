package handlers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// waitPage is how many rows of waits one answer has.
const waitPage = 12

// waits shows who waits for what, who holds that, and who waits for each other.
func (q *question) waits(ctx context.Context) (string, error) {
	all, err := q.s.Waits(ctx, q.Filter)
	if err != nil {
		return "", err
	}
	start, count := min(max(0, q.Start), len(all.Rows)), q.Count
	if count == 0 {
		count = waitPage
	}
	rows := q.show.waits(all.Rows[start:min(len(all.Rows), start+count)])
	q.data.Waits = responses.NewList(rows, responses.Page{What: "rows of waits", Start: start, Total: len(all.Rows), More: q.more})
	q.data.Cycles = q.cycles(all.Cycles)
	q.data.Unseen = all.Notes
	q.data.System = all.System
	if all.LeftOut > 0 {
		q.data.Unseen = append(q.data.Unseen, fmt.Sprintf("%d more threads or tasks were not looked at", all.LeftOut))
	}
	said := fmt.Sprintf("%d wait", all.Total)
	if all.Total == 1 {
		said = "1 waits"
	}
	said += q.matchingText()
	if len(all.Cycles) > 0 {
		said += ", " + responses.Plural(len(all.Cycles), "cycle") + " of what waits for each other"
	}
	if all.System > 0 {
		said += fmt.Sprintf(", %d more of the runtime", all.System)
	}
	return said, nil
}

// waits are rows of waits for people.
func (w show) waits(all []session.Wait) []responses.Wait {
	rows := make([]responses.Wait, len(all))
	for i, r := range all {
		row := responses.Wait{Who: strings.Join(r.Whos, ", "), Function: r.At.Function, WaitsFor: waitsFor(r) + limited(r), At: w.locationOf(r.At), MadeAt: w.locationOf(r.Made)}
		if r.Count > len(r.Whos) {
			row.Who += " …"
		}
		if r.Count > 1 {
			row.Count = r.Count
		}
		for _, id := range r.Threads {
			row.Threads = append(row.Threads, responses.ID(id))
		}
		row.HeldBy, row.TakenAt = w.heldBy(r)
		rows[i] = row
	}
	return rows
}

func waitsFor(r session.Wait) string {
	if r.On == "" {
		return r.For
	}
	return r.For + " (" + r.On + ")"
}

// heldBy is who holds what is waited for, and where each took it. One of whom that is not known is said to
// stand where it is now.
func (w show) heldBy(r session.Wait) (by, taken string) {
	if len(r.Holders) == 0 {
		if r.Unknown != "" {
			return "not known: " + r.Unknown, ""
		}
		return "", ""
	}
	var who, places []string
	for _, h := range r.Holders {
		said := h.Who
		if slices.Contains(r.Whos, h.Who) && r.Count == 1 {
			said += " itself"
		}
		if h.Does != "" {
			said += ", which " + h.Does
		}
		if at := w.locationOf(h.Taken); at != "" {
			if !slices.Contains(places, at) {
				places = append(places, at)
			}
		} else if at := w.locationOf(h.Stands); at != "" && h.Does == "" {
			said += " (where it took it is not known; it stands at " + at + ")"
		}
		who = append(who, said)
	}
	return strings.Join(who, "; "), strings.Join(places, ", ")
}

// cycles are sentences: "goroutine 7 waits at main.go:12 for a, held by goroutine 8; goroutine 8 waits …".
func (w show) cycles(all [][]session.Wait) []string {
	var said []string
	for _, ring := range all {
		var parts []string
		for i, r := range ring {
			part := r.Whos[0] + " waits"
			if at := w.locationOf(r.At); at != "" {
				part += " at " + at
			}
			part += " for " + waitsFor(r) + limited(r)
			parts = append(parts, part+kept(r, ring[(i+1)%len(ring)]))
		}
		said = append(said, strings.Join(parts, "; "))
	}
	return said
}

// kept says how the next one of a ring keeps the one before it waiting.
func kept(r, next session.Wait) string {
	who := next.Whos[0]
	for _, h := range r.Holders {
		if h.Who == who && h.Does != "" {
			return ", and " + who + " " + h.Does
		}
	}
	if who == r.Whos[0] {
		return ", which it holds itself"
	}
	return ", held by " + who
}

func limited(r session.Wait) string {
	if r.Timed && !strings.HasPrefix(r.For, "a time to pass") {
		return ", up to a time limit"
	}
	return ""
}

func (w show) locationOf(at session.Location) string {
	if at.File == "" || at.Line <= 0 {
		return ""
	}
	return w.at(at.File, at.Line)
}

package responses

import (
	"fmt"
	"strings"
)

// Wait is one thing that waits, or several that wait for the same at the same place.
type Wait struct {
	Who      string `json:"who"`
	Count    int    `json:"count,omitempty"` // when more than one
	Threads  []ID   `json:"thread_ids,omitempty"`
	At       string `json:"at,omitempty"`
	Function string `json:"function,omitempty"`
	WaitsFor string `json:"waits_for"`
	HeldBy   string `json:"held_by,omitempty"`
	TakenAt  string `json:"taken_at,omitempty"`
	MadeAt   string `json:"made_at,omitempty"`
}

// write writes "goroutine 7 at main.go:12 in main.take" and what is known of its wait below.
func (w *Wait) write(p *page) {
	said := inline(w.Who)
	if w.Count > 1 {
		said = fmt.Sprintf("%d: %s", w.Count, said)
	}
	if w.At != "" {
		said += " at " + w.At
	}
	if w.Function != "" {
		said += " in " + inline(w.Function)
	}
	if len(w.Threads) > 0 && !namesThreads(w.Who, w.Threads) {
		said += ", thread " + strings.Join(numbers(w.Threads), " ")
	}
	p.put(said)
	p.within(inward, func() {
		p.fact("waits for", w.WaitsFor)
		p.fact("held by", w.HeldBy)
		p.fact("taken at", w.TakenAt)
		p.fact("made at", w.MadeAt)
	})
}

// namesThreads says that a text has the numbers of threads as words.
func namesThreads(text string, ids []ID) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) })
	for _, id := range numbers(ids) {
		found := false
		for _, word := range words {
			found = found || word == id
		}
		if !found {
			return false
		}
	}
	return true
}

// writeWaits writes rows of waits, and the rings among them.
func writeWaits(p *page, waits *List[Wait], cycles []string) {
	p.rows("cycles", cycles)
	if waits == nil {
		return
	}
	p.under("waits", func() {
		for i := range waits.Rows {
			waits.Rows[i].write(p)
		}
	})
}

func isWordRune(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

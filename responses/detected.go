package responses

import (
	"strings"
)

// FaultAccess is one thing that was done, of those that a fault consists of.
type FaultAccess struct {
	Kind     string `json:"kind"`
	At       string `json:"at,omitempty"`
	Function string `json:"function,omitempty"`
	Thread   string `json:"thread,omitempty"`
	Value    string `json:"value,omitempty"`
	Code     string `json:"code,omitempty"`    // the line
	Within   string `json:"within,omitempty"`  // what the line has called of a library, which did it
	MadeAt   string `json:"made_at,omitempty"` // where the thread was made
}

// Detector is what the runs were looked through by.
type Detector struct {
	By      string   `json:"by"`
	NotSeen string   `json:"not_seen,omitempty"`
	Notes   []string `json:"notes,omitempty"` // that are no faults
	Also    []string `json:"also,omitempty"`  // other faults of the same run
	Unread  int      `json:"unread,omitempty"`
}

// write writes "write at main.go:12 in main.add by goroutine 7 (made at main.go:9)", and the line
// below it.
func (a FaultAccess) write(p *page) {
	line := inline(a.Kind)
	if a.Value != "" {
		line += " " + inline(a.Value)
	}
	if a.At != "" {
		line += " at " + inline(a.At)
	}
	if a.Function != "" {
		line += " in " + inline(a.Function)
	}
	if a.Within != "" {
		line += ", within " + inline(a.Within)
	}
	if a.Thread != "" {
		line += ", by " + inline(a.Thread)
	}
	if a.MadeAt != "" {
		line += " made at " + inline(a.MadeAt)
	}
	p.line("%s", line)
	if a.Code != "" {
		p.within(inward, func() { p.line("%s", inline(a.Code)) })
	}
}

func (d *Detector) write(p *page) {
	if d == nil {
		return
	}
	if !p.says(d.By) {
		p.fact("detector", d.By)
	}
	p.rows("also", d.Also)
	p.number("unread", int64(d.Unread))
	p.rows("notes", d.Notes)
	p.fact("not seen", d.NotSeen)
}

// trimDetected leaves the first other faults and notes.
func (d *Diagnosis) trimDetected(keep int) trim {
	return func(int) bool {
		if d.Detector == nil || len(d.Detector.Also) <= keep && len(d.Detector.Notes) <= keep {
			return false
		}
		d.detectedTotal = max(d.detectedTotal, len(d.Detector.Also)+len(d.Detector.Notes))
		d.Detector.Also = d.Detector.Also[:min(keep, len(d.Detector.Also))]
		d.Detector.Notes = d.Detector.Notes[:min(keep, len(d.Detector.Notes))]
		return true
	}
}

// detectedShown counts the other faults and notes that are left.
func (d *Diagnosis) detectedShown() int {
	if d.Detector == nil {
		return 0
	}
	return len(d.Detector.Also) + len(d.Detector.Notes)
}

// Words are an access in a sentence.
func (a FaultAccess) Words() string {
	words := []string{a.Kind}
	if a.At != "" {
		words = append(words, "at", a.At)
	}
	if a.Thread != "" {
		words = append(words, "by", a.Thread)
	}
	return strings.Join(words, " ")
}

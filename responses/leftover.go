package responses

import (
	"fmt"
	"strings"
)

// Left is one thing that a program has left running at its end, or several that are alike.
type Left struct {
	Kind     string `json:"kind"`
	Name     string `json:"name,omitempty"`
	MadeAt   string `json:"made_at,omitempty"` // where the user's code has made it; empty: not known
	MadeIn   string `json:"made_in,omitempty"` // the function there
	Test     string `json:"test,omitempty"`    // that has made it; empty: not known
	WaitsFor string `json:"waits_for,omitempty"`
	At       string `json:"at,omitempty"`
	Function string `json:"function,omitempty"`
	Count    int    `json:"count"`
}

// Counted is "1 goroutine", "2 processes".
func Counted(n int, kind string) string {
	switch {
	case n == 1:
		return "1 " + kind
	case strings.HasSuffix(kind, "s"):
		return fmt.Sprintf("%d %ses", n, kind)
	}
	return fmt.Sprintf("%d %ss", n, kind)
}

// write writes "2 goroutines, made at pool.go:12 in pool.Start by TestPool, wait for chan
// receive at pool.go:20 in pool.work".
func (l Left) write(p *page) {
	line := Counted(l.Count, l.Kind)
	if l.Name != "" {
		line += " " + inline(l.Name)
	}
	switch {
	case l.MadeAt != "":
		line += ", made at " + inline(l.MadeAt)
		if l.MadeIn != "" {
			line += " in " + inline(l.MadeIn)
		}
	default:
		line += ", made at an unknown place"
	}
	if l.Test != "" && !strings.HasSuffix(l.MadeIn, "."+l.Test) {
		line += " by " + inline(l.Test)
	}
	if l.WaitsFor != "" {
		line += ", waits: " + inline(l.WaitsFor)
	}
	if l.At != "" {
		line += ", at " + inline(l.At)
		if l.Function != "" {
			line += " in " + inline(l.Function)
		}
	}
	p.line("%s", line)
}

// trimLeftover keeps the first rows.
func (d *Diagnosis) trimLeftover(keep int) trim {
	return func(over int) bool {
		if len(d.Leftover) <= keep {
			return false
		}
		d.leftTotal = max(d.leftTotal, len(d.Leftover))
		d.Leftover = d.Leftover[:cutRows(d.Leftover, over, keep)]
		return true
	}
}

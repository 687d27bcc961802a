package responses

import (
	"fmt"
	"strconv"
	"strings"
)

// What the gist of a reply keeps: so many values and frames, in lines of so many bytes.
const (
	gistValues = 8
	gistFrames = 5
	gistWidth  = 160
)

// Gist is what the data of a reply shows, in a few lines: the line of code, what has
// changed, the values that were asked for. What the summary says is not repeated.
func Gist(data any) []string {
	var lines []string
	switch d := data.(type) {
	case *StopView:
		lines = gistOfStop(d)
	case *Inspection:
		lines = gistOfInspection(d)
	}
	for i, line := range lines {
		first, _, more := strings.Cut(line, "\n")
		if more {
			first += " …"
		}
		lines[i] = Shorten(first, gistWidth)
	}
	return lines
}

func gistOfStop(v *StopView) []string {
	var lines []string
	if code := v.Snapshot.current(); code != "" {
		lines = append(lines, "→ "+code)
	}
	for i, c := range v.Changed {
		if i == gistValues {
			lines = append(lines, fmt.Sprintf("… and %d more", len(v.Changed)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%s: %s → %s", c.Name, c.Old, c.New))
	}
	lines = append(lines, v.Returned.gist("returned ")...)
	lines = append(lines, v.Shown.gist("")...)
	if v.Exception != nil && v.Stack != nil { // the values with which it was called are asked for by who looks
		lines = append(lines, gistOf(v.Stack.lines(), gistFrames)...)
	}
	return lines
}

func gistOfInspection(d *Inspection) []string {
	var lines []string
	for _, scope := range []*Variables{d.Arguments, d.Locals, d.Globals} {
		lines = append(lines, scope.gist("")...)
	}
	if d.Result != nil {
		lines = append(lines, d.Result.Children.gist("")...)
	}
	if d.Stack != nil {
		lines = append(lines, gistOf(d.Stack.Rows, gistFrames)...)
	}
	if d.Threads != nil {
		var rows []string
		for _, t := range d.Threads.Rows {
			rows = append(rows, t.line())
		}
		lines = append(lines, gistOf(rows, gistFrames)...)
	}
	lines = append(lines, gistOf(d.Cycles, gistFrames)...)
	if d.Waits != nil {
		var rows []string
		for _, w := range d.Waits.Rows {
			rows = append(rows, fmt.Sprintf("%s waits for %s", w.Who, w.WaitsFor))
		}
		lines = append(lines, gistOf(rows, gistFrames)...)
	}
	return lines
}

// gist is the first values, each on a line.
func (v *Variables) gist(before string) []string {
	if v.IsZero() {
		return nil
	}
	var all []string
	for _, item := range v.Items {
		all = append(all, fmt.Sprintf("%s%s = %s", before, item.Name, item.Value))
	}
	return gistOf(all, gistValues)
}

// line is a thread in one line: what it waits for and where.
func (t *Thread) line() string {
	text := fmt.Sprintf("thread %s", strconv.FormatInt(int64(t.ID), 10))
	if t.Count > 1 {
		text = fmt.Sprintf("%d threads", t.Count)
	}
	if t.Waiting != "" {
		text += ", " + t.Waiting
	}
	if t.Stack != nil && len(t.Stack.Frames) > 0 {
		text += ": " + t.Stack.Frames[0].String()
	}
	return text
}

// gistOf is the first lines, and how many more there are.
func gistOf(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("… and %d more", len(lines)-most))
}

// current is the line of code on which the program stands.
func (s *Snapshot) current() string {
	if s == nil || s.Current < s.First || s.Current >= s.First+len(s.Lines) {
		return ""
	}
	return strings.TrimSpace(s.Lines[s.Current-s.First])
}

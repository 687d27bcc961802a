package judge

import (
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// Fatal is what a runtime printed as it gave up; empty where it did not say.
func Fatal(syntax adapters.FailureSyntax, stderr string) string {
	return strings.TrimSpace(syntax.GaveUp.FindString(stderr))
}

// Printed is an uncaught exception as a runtime has printed it.
type Printed struct {
	Message string
	Frames  []Place // the innermost first
	Before  string  // what the program has printed before it
}

// PrintedIn is the exception at the end of what a program printed to stderr; its message
// is empty where there is none.
func PrintedIn(syntax adapters.FailureSyntax, stderr string) Printed {
	if syntax.Printed == nil {
		return Printed{}
	}
	p := syntax.Printed(stderr)
	if p.Message == "" {
		return Printed{}
	}
	return Printed{Message: p.Message, Frames: PlacesOf(p.Frames), Before: p.Before}
}

// PlacesOf are the places of frames that an exception went through.
func PlacesOf(frames []adapters.Thrown) []Place {
	var list []Place
	for _, f := range frames {
		list = append(list, Place{File: f.File, Line: f.Line, Function: f.Function, Times: max(f.Times, 1)})
	}
	return list
}

// Lost is an exception that a runtime reports because nobody has caught it, and that has
// ended nothing.
type Lost struct {
	Of      string // whose it was
	Message string
	Frames  []Place // the innermost first
}

// LostIn are those that a program's stderr reports.
func LostIn(syntax adapters.FailureSyntax, stderr string) []Lost {
	if syntax.Lost == nil {
		return nil
	}
	var list []Lost
	for _, l := range syntax.Lost(stderr) {
		list = append(list, Lost{Of: l.Of, Message: l.Message, Frames: PlacesOf(l.Frames)})
	}
	return list
}

// Qualified is the type of an exception with its module, as the last line of its stack
// has it.
func Qualified(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	for _, line := range slices.Backward(lines) {
		if m := qualified.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

var qualified = pattern.New(`^([A-Za-z_]\w*(?:\.\w+)+)(?::|$)`)

// Folded are places of which those that follow each other are one.
func Folded(frames []Place) []Place {
	var list []Place
	for _, f := range frames {
		f.Times = max(f.Times, 1)
		if n := len(list); n > 0 && list[n-1].File == f.File && list[n-1].Line == f.Line && list[n-1].Function == f.Function {
			list[n-1].Times += f.Times
			continue
		}
		list = append(list, f)
	}
	return list
}

// Untold is what a program printed without what the diagnosis says already.
func Untold(syntax adapters.FailureSyntax, printed, message string) string {
	var b strings.Builder
	for line := range strings.Lines(printed) {
		text := strings.TrimSpace(line)
		if syntax.Progress.MatchString(text) || len(text) > 8 && strings.Contains(message, text) {
			continue
		}
		b.WriteString(line)
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}

package diagnose

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// userCode is the code of the program that is diagnosed, as its session reads it: which of it
// is the user's, and what stands there.
type userCode struct {
	s      *session.Session
	syntax adapters.FailureSyntax
}

// linesAround a place are shown.
const linesAround = 3

// isInLibrary says whether a file lies outside of the workspace.
func (c userCode) isInLibrary(file string) bool { return filepath.IsAbs(c.s.Rel(file)) }

// excerpt is the source around a place; nil where there is none.
func (c userCode) excerpt(file string, line, column int) *Excerpt {
	if file == "" || line <= 0 {
		return nil
	}
	from := max(1, line-linesAround)
	lines, err := c.s.SourceLines(file, from, line+linesAround)
	if err != nil || len(lines) == 0 {
		return nil
	}
	return &Excerpt{First: from, Current: line, Column: column, Lines: lines}
}

// stackPlaces are the places that the text of an exception's stack names, the innermost first.
func (c userCode) stackPlaces(stack string) []judge.Place {
	if read := c.syntax.Places; read != nil {
		return judge.PlacesOf(read(stack))
	}
	return nil
}

// innermostPlace is the innermost place of the user's code in a stack; empty where it names none.
func (c userCode) innermostPlace(stack string) Place {
	for _, p := range c.stackPlaces(stack) {
		file := p.File
		if !filepath.IsAbs(file) {
			found, _, err := c.s.LineAt(placeText(file, p.Line))
			if err != nil {
				continue
			}
			file = found
		}
		if !c.isInLibrary(file) {
			return Place{File: file, Line: p.Line, Function: p.Function}
		}
	}
	return Place{}
}

// innermostOwn is the innermost place that lies in the user's code, as text.
func (c userCode) innermostOwn(frames []judge.Place) string {
	for _, f := range frames {
		if !c.isInLibrary(f.File) {
			return ", raised at " + c.s.RelAt(placeText(f.File, f.Line)) + " in " + f.Function
		}
	}
	return ""
}

// ownPlaces are the places of the user's code that can be shown.
func (c userCode) ownPlaces(places []judge.Place) []judge.Place {
	return slices.DeleteFunc(places, func(p judge.Place) bool {
		lines, err := c.s.SourceLines(p.File, p.Line, p.Line)
		return c.isInLibrary(p.File) || err != nil || len(lines) == 0
	})
}

// lineAt is what stands in a line of the user's code.
func (c userCode) lineAt(file string, line int) string {
	if len(c.ownPlaces([]judge.Place{{File: file, Line: line}})) == 0 {
		return ""
	}
	lines, err := c.s.SourceLines(file, line, line)
	if err != nil || len(lines) == 0 {
		return ""
	}
	return strings.TrimSpace(judge.Uncommented(lines[0], c.s.Comment()))
}

// framesOf are places as the frames of a diagnosis; those that repeat are shown once.
func (c userCode) framesOf(list []judge.Place) (frames []Frame) {
	for _, p := range judge.Folded(list) {
		if c.isInLibrary(p.File) {
			continue
		}
		f := Frame{Place: Place{File: p.File, Line: p.Line, Function: p.Function}}
		if p.Times > 1 {
			f.Times = p.Times
		}
		if len(frames) == mostFrames {
			frames[mostFrames-1].Left += max(f.Times, 1)
			continue
		}
		frames = append(frames, f)
	}
	return frames
}

// argumentsOf returns the arguments of the function at a frame.
func (c userCode) argumentsOf(ctx context.Context, frame int) ([]Argument, error) {
	list, _, err := c.s.Stopped().Variables(ctx, session.Arguments, 0, frame, session.Page{Count: mostArguments})
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var given []Argument
	for _, v := range list {
		if value := v.Untyped(); !c.isMeaningless(value) {
			given = append(given, Argument{Name: v.Name, Value: value})
		}
	}
	return given, nil
}

// isMeaningless says that a value tells nothing of the program's own: a module, a function, what
// a debugger cannot read.
func (c userCode) isMeaningless(value string) bool {
	return strings.HasPrefix(value, "{...}") || strings.HasPrefix(value, "(unreadable ") || c.syntax.Opaque.MatchString(value) || c.syntax.Meaningless.MatchString(value)
}

func placeText(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// causesOf are the exceptions within one. Who only hands one on has its words, and not its place.
func (c userCode) causesOf(e *session.Exception) (causes []Cause) {
	places := []Place{{}, c.innermostPlace(e.Stack)}
	for inner := e.Inner; inner != nil; inner = inner.Inner {
		raised := c.innermostPlace(inner.Stack)
		if !judge.SameFailure(inner.Message, e.Message) || !slices.Contains(places, raised) {
			causes = append(causes, Cause{Exception: inner, Raised: raised})
		}
		places = append(places, raised)
	}
	return causes
}

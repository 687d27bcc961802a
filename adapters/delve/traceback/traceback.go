// Package traceback reads what Go's runtime writes of goroutines: where each stands, what it
// waits for and who has made it.
package traceback

import (
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters/delve/gosrc"
)

// Goroutine is one of a traceback.
type Goroutine struct {
	ID     int
	State  string        // the runtime's word: "chan receive", "running"
	Since  time.Duration // how long it has waited, in whole minutes; 0 where it is less than one
	Frames []Place       // the innermost first
	// Made are the frames of who has made it, then of who has made that, …
	Made    []Place
	Creator string // the function that has its go statement
	MadeBy  int    // the goroutine that ran it; 0: not known
	// Rooted: who has made it is told up to the program's first goroutine.
	Rooted bool
}

// Place is a line of a function. Line is 0 where it is not known.
type Place struct {
	File     string
	Line     int
	Function string // with the folders of its package
}

// IsUsers says that a place is in the user's code.
func (p Place) IsUsers() bool {
	return !gosrc.Library(p.Function, p.File) && !strings.HasPrefix(p.File, "_testmain.go")
}

// Short is a function's name as stacks are shown: without the folders of its package.
func Short(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// Waits is what it waits for, in the runtime's words; empty where it runs.
func (g Goroutine) Waits() string {
	switch g.State {
	case "running", "runnable":
		return ""
	}
	return g.State
}

// Lines tells the line of a function's instruction; nil: nobody knows.
type Lines = func(function string, offset uint64) (line int, known bool)

// Parse reads the traceback of one. At tells the lines of the frames of its makers, which the
// runtime writes as those to which they return.
func Parse(text string, at Lines) Goroutine {
	var g Goroutine
	into, function, isReturn := &g.Frames, "", false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0:
			g.head(line)
		case strings.HasPrefix(line, "[originating from goroutine 1]"):
			g.Rooted, isReturn = true, true
		case strings.HasPrefix(line, "[originating"):
			isReturn = true
		case strings.HasPrefix(line, "created by "):
			function = strings.TrimPrefix(line, "created by ")
			name, by, _ := strings.Cut(function, " in goroutine ")
			if function = name; g.Creator == "" {
				g.Creator = name
				g.MadeBy, _ = strconv.Atoi(by) // 0 where it is not told
			}
			into, isReturn = &g.Made, false
		case strings.HasPrefix(line, "\t"):
			if function != "" {
				p, offset := place(function, line)
				if isReturn && at != nil {
					p.Line, _ = at(function, offset) // 0 where it is not known
				}
				*into = append(*into, p)
			}
			function = ""
		default:
			function = line
			if end := strings.LastIndexByte(line, '('); end > 0 {
				function = line[:end]
			}
		}
	}
	return g
}

// head reads "goroutine 7 [chan receive, 2 minutes, locked to thread]:".
func (g *Goroutine) head(line string) {
	number, state, _ := strings.Cut(strings.TrimPrefix(line, "goroutine "), "[")
	number, _, _ = strings.Cut(number, " ")
	g.ID, _ = strconv.Atoi(number) // 0 where it is none
	state, _, _ = strings.Cut(state, "]")
	words := strings.Split(state, ", ")
	g.State = words[0]
	for _, word := range words[1:] {
		if minutes, err := strconv.Atoi(strings.TrimSuffix(word, " minutes")); err == nil {
			g.Since = time.Duration(minutes) * time.Minute
		}
	}
}

// place reads a line "	/src/a.go:12 +0x1a".
func place(function, line string) (p Place, offset uint64) {
	file, from, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	offset, _ = strconv.ParseUint(from, 16, 64)
	p = Place{Function: function, File: file}
	if at := strings.LastIndexByte(file, ':'); at > 0 {
		p.File = file[:at]
		p.Line, _ = strconv.Atoi(file[at+1:])
	}
	return p, offset
}

package inspector

import (
	"encoding/json"
	"regexp"
)

// Asked for a breakpoint on a line of a script that is in no function and has no code, V8 looks
// for the nearest place in all functions behind it, and gets each ready for breakpoints: they
// are interpreted from then on, though none is set in them. js-debug itself asks so for the
// first line of each file with breakpoints. V8 makes a function a usual one again when the
// last breakpoint in it goes, so one is set at the end of each, which never holds, and taken
// out.

// What is tidied: scripts of so many letters and functions.
const (
	tidiedLetters   = 1 << 20
	tidiedFunctions = 1000
)

// script is one that may have breakpoints.
type script struct {
	url    string
	length int
	isDue  bool // to be tidied
}

// tidier is the account of that.
type tidier struct {
	scripts map[string]*script // by V8's number
	asked   map[int]*script    // by the number of our request for its places
	passing map[int]bool       // requests that set a breakpoint for a moment
}

func newTidier() tidier {
	return tidier{map[string]*script{}, map[int]*script{}, map[int]bool{}}
}

// note is told of a script in which a breakpoint is not where it was asked for.
func (t *tidier) note(id string) {
	if s := t.scripts[id]; s != nil && s.length <= tidiedLetters {
		s.isDue = true
	}
}

type span struct {
	Start spot `json:"start"`
	End   spot `json:"end"`
}

// tidy begins with all scripts that are due, and lets the program go on after the last.
func (p *plants) tidy() {
	for id, s := range p.tidier.scripts {
		if s.isDue {
			s.isDue = false
			p.tidier.asked[p.call("Debugger.getPossibleBreakpoints", span{spot{Script: id}, spot{Script: id, Line: s.length}})] = s
		}
	}
	p.goNext()
}

// goNext lets the program go on if nothing is being tidied any more.
func (p *plants) goNext() {
	if next := p.next; next != nil && len(p.tidier.asked) == 0 && len(p.tidier.passing) == 0 {
		p.next = nil
		next()
		if p.pausing { // V8 has not heard it while it stood
			p.call("Debugger.pause", nil)
		}
	}
}

// passingBreakpoint is set in a way in which the debugger sets none.
type passingBreakpoint struct {
	URL       string `json:"urlRegex"`
	Line      int    `json:"lineNumber"`
	Column    int    `json:"columnNumber"`
	Condition string `json:"condition"`
}

// tidied takes the answers.
func (p *plants) tidied(id int, text []byte) {
	var said struct {
		Result struct {
			ID     string `json:"breakpointId"`
			Places []struct {
				spot
				Type string `json:"type"`
			} `json:"locations"`
		} `json:"result"`
	}
	s, isPassing := p.tidier.asked[id], p.tidier.passing[id]
	if s == nil && !isPassing {
		return
	}
	defer p.goNext()
	delete(p.tidier.passing, id)
	delete(p.tidier.asked, id)
	if json.Unmarshal(text, &said) != nil {
		return
	}
	if isPassing {
		if said.Result.ID != "" {
			p.call("Debugger.removeBreakpoint", breakpoint{said.Result.ID})
		}
		return
	}
	var ends []spot
	for _, place := range said.Result.Places {
		if place.Type == "return" {
			ends = append(ends, place.spot)
		}
	}
	if len(ends) > tidiedFunctions {
		return
	}
	for _, end := range ends {
		p.tidier.passing[p.call("Debugger.setBreakpointByUrl", passingBreakpoint{"^" + regexp.QuoteMeta(s.url) + "$", end.Line, end.Column, "false"})] = true
	}
}

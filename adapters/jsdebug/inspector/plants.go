package inspector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
)

// V8 interprets a function as long as a breakpoint is set in it, however often it runs. So
// where the hook has planted a statement in front of a line, as it does for the lines that
// are asked for before the program begins (hook/plants.cjs), the breakpoint is taken out of V8
// until the program comes to that statement and stops: then it is set, and the program goes on,
// to it. Its condition is V8's to judge, as ever. While the program stands or is stepped
// through, all breakpoints are set and the plants do nothing; a step that would end at one
// goes on. A line that was reached keeps its breakpoint.
//
// Breakpoints are taken out only where the program stands for sure and is about to run on:
// V8 loses a step in a function whose last one goes and comes back while it stands there.
//
// The debugger hears nothing of all that.

// plantID is where the numbers of our requests for it begin.
const plantID = 1 << 28

// plants is the account of one connection. Everything goes through it before anything else
// looks at it.
type plants struct {
	send   func(text []byte) error // to node
	begins bool                    // the program waits for us before its own code

	mu        sync.Mutex // held while something is sent, so that all goes in order
	last      int
	context   int               // in which the program runs; 0: nothing is known of it
	points    map[string]*point // the debugger's breakpoints, by V8's id
	asking    map[int]*point    // by the number of the request that sets it
	again     map[int]*point    // by the number of ours
	announced []planted         // files whose script is still to come
	plants    []*plant          // of scripts that are known
	skipped   []*regexp.Regexp  // what matches scripts whose own statements do not stop the program
	stands    bool              // or is stepped through
	pausing   bool              // a pause is asked for
	tidier    tidier
	next      func() // lets the program go on when all is tidy
	swallows  int    // how often the debugger does not hear that it goes on
}

// point is a breakpoint of the debugger's.
type point struct {
	ask     object // parameters
	url     *regexp.Regexp
	line    int
	column  int
	id      string
	places  []spot
	isUnset bool
}

// spot is a place in a script.
type spot struct {
	Script string `json:"scriptId"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
}

// planted is what the hook tells of a file.
type planted struct {
	URL    string   `json:"url"`
	Plants []*plant `json:"plants"`
}

// plant is one statement, in front of another.
type plant struct {
	Number int    `json:"number"`
	Test   [2]int `json:"test"` // its two places at which V8 can stop
	Stop   [2]int `json:"stop"`
	From   [2]int `json:"from"` // the statement that it stands before
	To     [2]int `json:"to"`
	Begins bool   `json:"begins"` // it stands before no breakpoint, but near the beginning of the script

	url       string
	script    string
	isOn      bool
	reached   bool
	isSkipped bool
}

func newPlants(begins bool, send func([]byte) error) *plants {
	return &plants{send: send, begins: begins, last: plantID, points: map[string]*point{}, asking: map[int]*point{}, again: map[int]*point{}, tidier: newTidier()}
}

// request is one of the debugger's, as far as it matters here.
type request struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params object `json:"params"`
}

var debuggerWord = []byte(`"Debugger.`)

// ask looks at what the debugger says, which pass passes on.
func (p *plants) ask(text []byte, pass func([]byte) error) error {
	isStart := p.begins && bytes.Contains(text, []byte(`"Runtime.runIfWaitingForDebugger"`))
	if !isStart && !bytes.Contains(text, debuggerWord) {
		return pass(text)
	}
	var r request
	if json.Unmarshal(text, &r) != nil {
		return pass(text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch r.Method {
	case "Runtime.runIfWaitingForDebugger":
		p.begin()
	case "Debugger.setBreakpointByUrl":
		p.asking[r.ID] = newPoint(r.Params)
	case "Debugger.removeBreakpoint":
		delete(p.points, r.Params.text("breakpointId"))
	case "Debugger.setBlackboxPatterns":
		p.skip(r.Params["patterns"])
	case "Debugger.setBlackboxedRanges":
		p.skipIn(r.Params.text("scriptId"))
	case "Debugger.pause":
		p.pausing = true
	case "Debugger.resume":
		if p.stands {
			text = bytes.Clone(text)
			p.goOn(func() { _ = pass(text) })
			return nil
		}
	}
	return pass(text)
}

func newPoint(params object) *point {
	pt := &point{ask: params}
	if pattern, err := regexp.Compile(params.text("urlRegex")); err == nil && len(params["urlRegex"]) > 0 {
		pt.url = pattern
	}
	_ = json.Unmarshal(params["lineNumber"], &pt.line)
	_ = json.Unmarshal(params["columnNumber"], &pt.column)
	return pt
}

// skip takes note of the scripts that the debugger steps over. A statement that stops the
// program does not do so there, as a breakpoint does.
func (p *plants) skip(list json.RawMessage) {
	var texts []string
	_ = json.Unmarshal(list, &texts)
	p.skipped = nil
	for _, text := range texts {
		skipped, err := regexp.Compile(text)
		if err != nil {
			skipped = nil // it may mean any
		}
		p.skipped = append(p.skipped, skipped)
	}
	p.setAll() // which are not to be set shows when the program goes on the next time
}

// skipIn takes note of a script of which parts are stepped over.
func (p *plants) skipIn(script string) {
	for _, at := range p.plants {
		at.isSkipped = at.isSkipped || at.script == script
	}
	p.setAll()
}

// line is one that is asked for.
type line struct {
	URL    string `json:"url"` // a pattern
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type binding struct {
	Name    string `json:"name"`
	Context int    `json:"executionContextId"`
}

// begin tells the program which lines are asked for.
func (p *plants) begin() {
	p.begins = false
	var lines []line
	for _, pt := range slices.AppendSeq(slices.Collect(maps.Values(p.points)), maps.Values(p.asking)) {
		if pt.url != nil {
			lines = append(lines, line{pt.ask.text("urlRegex"), pt.line, pt.column})
		}
	}
	list, err := json.Marshal(lines)
	if err != nil || len(lines) == 0 || p.context == 0 {
		return
	}
	p.call("Runtime.addBinding", binding{planting, p.context})
	// A program that an attached one starts has no hook, and is to see nothing of it.
	p.evaluate(fmt.Sprintf("/aidb-hook\\.cjs/.test(process.env.NODE_OPTIONS)?Object.defineProperty(globalThis,'__aidbAsked',{value:%s,configurable:true}):delete globalThis.%s", list, planting))
}

// planting is what the hook calls to tell what it has planted.
const planting = "__aidbPlanted"

// call makes a request of ours.
func (p *plants) call(method string, params any) int {
	p.last++
	if text, err := json.Marshal(message{ID: p.last, Method: method, Params: params}); err == nil {
		_ = p.send(text) // where it has gone, reading says so
	}
	return p.last
}

type evaluating struct {
	Expression string `json:"expression"`
	Silent     bool   `json:"silent"`
}

// evaluate runs code in the program; a name as this the debugger takes for one of its own.
func (p *plants) evaluate(code string) {
	p.call("Runtime.evaluate", evaluating{code + "\n//# sourceURL=eval-plants.cdp", true})
}

// turn has plants do what they are for, or nothing.
func (p *plants) turn(on bool, list ...*plant) {
	code := ""
	for _, at := range list {
		if at.isOn != on && (!on || !at.reached) {
			at.isOn = on
			code += fmt.Sprintf("__aidb.plants[%d]=%t;", at.Number, on)
		}
	}
	if code != "" {
		p.evaluate(code)
	}
}

// stand is called where the debugger is about to hear that the program stands.
func (p *plants) stand() {
	p.pausing = false
	if p.stands {
		return
	}
	p.stands = true
	p.turn(false, p.plants...)
	p.setAll()
}

// goOn takes breakpoints out that plants stand in for; the program stands, and is about to run
// on with nothing to step, by next.
func (p *plants) goOn(next func()) {
	p.stands = false
	points := slices.DeleteFunc(slices.Collect(maps.Values(p.points)), func(pt *point) bool { return pt.isUnset || !p.isPlanted(pt) })
	p.turn(true, slices.DeleteFunc(slices.Clone(p.plants), func(at *plant) bool { return !at.Begins && !slices.ContainsFunc(points, at.leadsTo) })...)
	for _, pt := range points {
		pt.isUnset = true
		p.call("Debugger.removeBreakpoint", breakpoint{pt.id})
	}
	p.next = next
	p.tidy()
}

// breakpoint names one.
type breakpoint struct {
	ID string `json:"breakpointId"`
}

// set sets it again.
func (p *plants) set(pt *point) {
	if pt.isUnset {
		pt.isUnset = false
		p.again[p.call("Debugger.setBreakpointByUrl", pt.ask)] = pt
	}
}

func (p *plants) setAll() {
	for _, pt := range p.points {
		p.set(pt)
	}
}

// isPlanted says that a plant stands in front of all places of a breakpoint.
func (p *plants) isPlanted(pt *point) bool {
	return len(pt.places) > 0 && !slices.ContainsFunc(pt.places, func(s spot) bool {
		return !slices.ContainsFunc(p.plants, func(at *plant) bool {
			return at.leadsTo(pt) && !at.reached && at.script == s.Script && at.holds(s) && !p.skips(at)
		})
	})
}

func (p *plants) skips(at *plant) bool {
	return at.isSkipped || slices.ContainsFunc(p.skipped, func(skipped *regexp.Regexp) bool { return skipped == nil || skipped.MatchString(at.url) })
}

// leadsTo says that a breakpoint is asked for behind it and not behind the statement's beginning.
func (at *plant) leadsTo(pt *point) bool {
	from := pt.line < at.From[0] || pt.line == at.From[0] && pt.column <= at.From[1]
	return !at.Begins && from && pt.line > at.Test[0] && pt.url != nil && pt.url.MatchString(at.url)
}

// holds says that a place is in the statement that it stands before.
func (at *plant) holds(s spot) bool {
	after := s.Line > at.From[0] || s.Line == at.From[0] && s.Column >= at.From[1]
	return after && (s.Line < at.To[0] || s.Line == at.To[0] && s.Column < at.To[1])
}

// leave has plants do nothing in a program that goes on without its debugger.
func (p *plants) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn(false, p.plants...)
}

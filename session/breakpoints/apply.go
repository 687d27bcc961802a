package breakpoints

import (
	"cmp"
	"fmt"
	"strings"

	godap "github.com/google/go-dap"
)

// Source reads the user's files.
type Source interface {
	Count(file string) (int, error)             // of lines
	Text(file string, line int) (string, error) // of one line, from 1
}

// Apply takes in the replies to a request, one for each place that it held. An
// adapter may leave out those that it has been sent before (js-debug answers a
// request that changes nothing with an empty list): there what is bound stays so.
func (s *Set) Apply(c Connection, r Request, replies []godap.Breakpoint, src Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, g := range r.groups {
		for _, e := range g.entries {
			if i < len(replies) {
				e.bind(c, replies[i], src)
			} else {
				e.join(c, g)
			}
			if b, held := e.bindings[c.N]; held {
				b.Supplied, b.Judged = g.supplied && !e.Plain(), g.judged
				e.Supplied, e.Judged = b.Supplied, b.Judged
				e.bindings[c.N] = b
			}
			s.rememberStop(e)
		}
	}
	s.findShared(c)
}

// join gives an entry that has no binding that of another one at its place.
func (e *entry) join(c Connection, g group) {
	if _, held := e.bindings[c.N]; held {
		return
	}
	for _, o := range g.entries {
		b, held := o.bindings[c.N]
		if !held {
			continue
		}
		if e.bindings == nil {
			e.bindings = map[int]Binding{}
		}
		e.bindings[c.N] = b
		e.Verified, e.Message, e.reason = o.Verified, o.Message, o.reason
		e.Line, e.At, e.MovedFrom, e.MovedWhy, e.Text = o.Line, o.At, o.MovedFrom, o.MovedWhy, o.Text
		return
	}
}

// Refuse takes in that an adapter refused a whole request, for a reason of its own.
func (s *Set) Refuse(c Connection, r Request, reason string, src Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range r.groups {
		for _, e := range g.entries {
			e.bind(c, godap.Breakpoint{Message: reason}, src)
		}
	}
}

// Update follows a breakpoint event of a connection.
func (s *Set) Update(c Connection, event godap.BreakpointEventBody, src Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if event.Reason == "new" {
		return
	}
	for _, e := range s.entries {
		b, held := e.bindings[c.N]
		if !held || !b.HasID || b.ID != event.Breakpoint.Id || b.Shared && !e.isBoundAt(event.Breakpoint) {
			continue
		}
		if event.Reason != "removed" {
			e.bind(c, event.Breakpoint, src)
			continue
		}
		delete(e.bindings, c.N)
		if c.Main {
			e.Verified, e.Message = false, "the adapter has removed it"
		}
	}
}

// bind takes in what an adapter says of an entry. Of connections other than the
// program's own only good news counts: what a part of the program does not have
// loaded may be bound in another.
func (e *entry) bind(c Connection, b godap.Breakpoint, src Source) {
	if e.bindings == nil {
		e.bindings = map[int]Binding{}
	}
	was := e.bindings[c.N]
	e.bindings[c.N] = Binding{ID: b.Id, HasID: b.Id != 0, Shared: was.Shared, Supplied: was.Supplied, Judged: was.Judged}
	if !c.Main && (e.Verified || !b.Verified) {
		return
	}
	places := e.several
	if e.Verified && e.Kind == Function { // an event does not repeat what the answer said
		places = e.Message
	}
	if repeated := !e.Verified && !b.Verified && e.reason == b.Message && e.Message != ""; !repeated {
		e.addContext(b.Message, nil, nil)
	}
	e.Verified, e.reason = b.Verified, b.Message
	if b.Source != nil && b.Source.Path != "" && e.Kind == Function {
		e.At = b.Source.Path
	}
	if b.Verified {
		b.Message = cmp.Or(b.Message, places)
		e.confirm(b, src)
	}
}

// noCode is why an adapter binds a breakpoint on another line.
const noCode = "no code on the asked line"

// confirm takes in where an adapter says that an entry is bound, and doubts a place
// without code: some adapters bind anything.
func (e *entry) confirm(b godap.Breakpoint, src Source) {
	e.Message, e.reason = "", ""
	switch {
	case e.Kind == Function && e.asLine && b.Line == 0: // as found in the source
	case e.Kind == Function:
		e.Line, e.Message = b.Line, b.Message // such as that there are several places
	case e.Kind == Line && b.Line > 0 && b.Line != e.requestedLine():
		e.Line, e.MovedFrom, e.MovedWhy = b.Line, e.requestedLine(), noCode
	case e.Kind == Line && b.Line > 0 && e.MovedWhy == noCode: // it has come back
		e.Line, e.MovedFrom, e.MovedWhy = b.Line, 0, ""
	}
	if e.Kind == Line {
		if n, err := src.Count(e.File); err == nil && e.requestedLine() > n {
			e.Verified = false
		}
		if text, err := src.Text(e.File, e.requestedLine()); err == nil && e.MovedFrom == 0 && strings.TrimSpace(text) == "" {
			e.Verified = false
		}
	}
	if e.isConfined() && e.At != "" && e.At != e.File { // there may be more places: a hit there tells
		e.Verified = false
		e.reason = fmt.Sprintf("the debugger finds the function %s in %s, and only hits in the asked file count; use file:line for another of this name", e.Function, e.At)
		e.Message = e.reason
		return
	}
	e.readText(src)
}

// Unlocated names the functions whose definitions have not been looked for in
// this run, with the file that each was asked for in.
func (s *Set) Unlocated() []Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	var unlocated []Breakpoint
	for _, e := range s.entries {
		if e.Kind == Function && !e.lookedUp {
			unlocated = append(unlocated, e.copy())
		}
	}
	return unlocated
}

// Definition is where a function is defined.
type Definition struct {
	File string // absolute
	Line int    // the first with code in the body
}

// Locate takes in where a function is defined: it then travels as the first of
// these lines. Like says what else may be meant: the places of the others, or near
// misses when there is no such function.
func (s *Set) Locate(id int, at []Definition, like []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(id)
	if e == nil {
		return
	}
	e.lookedUp, e.asLine, e.several = true, len(at) > 0, ""
	if !e.asLine {
		e.Verified, e.Similar = false, like
		e.reason = fmt.Sprintf("no function %s was found in the source", e.Function)
		if e.File != "" {
			e.reason = fmt.Sprintf("no function %s was found in %s", e.Function, e.File)
		}
		e.Message = e.reason
		return
	}
	e.File, e.Spec.Line, e.Line = at[0].File, at[0].Line, at[0].Line
	if len(at) > 1 {
		e.several = fmt.Sprintf("%d functions are called so; this is the first%s: name its class or module too, or give its file", len(at), othersText(like))
		e.Message = e.several
	}
}

// othersNamed is how many other functions of a name are told with their places.
const othersNamed = 5

// othersText lists the places of the other functions of a name.
func othersText(others []string) string {
	more := len(others) - othersNamed
	switch {
	case len(others) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf(", beside %s and %d more", strings.Join(others[:othersNamed], ", "), more)
	}
	return ", beside " + strings.Join(others, ", ")
}

// Sendable says that a breakpoint can be put to a connection, and why not.
func (s *Set) Sendable(id int, c Connection) (reason string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(id)
	switch {
	case e == nil || e.Kind != Function || e.asLine:
		return "", true
	case e.lookedUp:
		return e.reason, false
	case !c.Capabilities.SupportsFunctionBreakpoints:
		return NoFunctions, false
	}
	return "", true
}

// NoFunctions is why a function cannot be broken on.
const NoFunctions = "this debug adapter has no function breakpoints; use file:line"

// AsLine has a function travel as the line of its first instruction from here on:
// adapters refuse two breakpoints of different kinds at one place, while those
// on one line travel together.
func (s *Set) AsLine(id int, at Definition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		e.asLine = true
		e.File, e.Spec.Line, e.Line = at.File, at.Line, at.Line
	}
}

// Reason is the adapter's own word on why a breakpoint is not bound.
func (s *Set) Reason(id int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		return e.reason
	}
	return ""
}

// Unbound names the enabled breakpoints that are not bound, without watches and
// temporary ones: all, or those among ids.
func (s *Set) Unbound(ids ...int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var unbound []int
	for _, e := range s.entries {
		asked := len(ids) == 0
		for _, id := range ids {
			asked = asked || id == e.ID
		}
		if asked && !e.Verified && e.Enabled && !e.Temporary && !e.lost && e.Kind != Watch {
			unbound = append(unbound, e.ID)
		}
	}
	return unbound
}

// Explain notes why a breakpoint is not bound and what would bind instead.
func (s *Set) Explain(id int, message string, nearest []int, similar []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.find(id); e != nil {
		e.addContext(message, nearest, similar)
	}
}

// addContext keeps beside the reason that the function is one of several of its name.
func (e *entry) addContext(message string, nearest []int, similar []string) {
	e.Message, e.Nearest, e.Similar = message, nearest, similar
	switch {
	case message == "":
		e.Message = e.several
	case e.several != "" && message != e.several:
		e.Message = message + "; " + e.several
	}
}

// EndWatches marks the watches that an adapter no longer knows, by its replies
// to a request that sets all of them again, and says whether there are any.
func (s *Set) EndWatches(c Connection, r Request, now []godap.Breakpoint) (ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, g := range r.groups[:min(len(r.groups), len(now))] {
		for _, e := range g.entries {
			if now[i].Verified && now[i].Id == e.bindings[c.N].ID {
				continue
			}
			ended = true
			e.lost, e.Verified, e.bindings = true, false, nil
			e.Message = fmt.Sprintf("%s has gone out of scope, which ended the watch", e.Expression)
		}
	}
	return ended
}

package breakpoints

import (
	"path/filepath"
	"slices"
	"strconv"

	godap "github.com/google/go-dap"
)

// Connection is one DAP connection as far as breakpoints go.
type Connection struct {
	N            int  // tells connections apart
	Main         bool // the program's own: its word on what is bound is the last
	Capabilities godap.Capabilities
	EntryMode    string // of line breakpoints that stand for functions
	BareWatches  bool   // conditions of watchpoints are not checked by the adapter, whatever it says
	// Reads says that the adapter itself checks a condition as the language means
	// it; nil: any.
	Reads func(condition string) bool
	// Repeats says that a condition may be judged once more where the adapter stops, because
	// that stops, too, where one fails, and does not say so; nil: it says so.
	Repeats func(condition string) bool
	// ReadsLogged says the same of an expression in a log message.
	ReadsLogged func(expression string) bool
}

// Home names the request that a breakpoint travels in: a file's lines, the
// functions, or the watches.
type Home struct {
	Kind Kind
	File string // of lines
}

func (e *entry) home() Home {
	if e.isLine() {
		return Home{Line, e.File}
	}
	return Home{Kind: e.Kind}
}

func appendHome(homes []Home, h Home) []Home {
	if slices.Contains(homes, h) {
		return homes
	}
	return append(homes, h)
}

// Homes names the requests that breakpoints travel in, each once.
func (s *Set) Homes(ids ...int) []Home {
	s.mu.Lock()
	defer s.mu.Unlock()
	var homes []Home
	for _, e := range s.entries {
		if slices.Contains(ids, e.ID) {
			homes = appendHome(homes, e.home())
		}
	}
	return homes
}

// Request is one DAP request that tells an adapter everything of one home. The
// protocol replaces what it knew, so that the whole is sent at each change.
type Request struct {
	Command   string // setBreakpoints, setFunctionBreakpoints or setDataBreakpoints
	Arguments any
	groups    []group
}

// Empty says that the request holds no breakpoint.
func (r Request) Empty() bool { return len(r.groups) == 0 }

// Functions are the breakpoints of a request that sets those on functions; ok says
// that it is one.
func (r Request) Functions() (list []godap.FunctionBreakpoint, ok bool) {
	arguments, ok := r.Arguments.(functionArguments)
	return arguments.Breakpoints, ok
}

// group is the specs on one place. They travel as one, because adapters refuse
// doubles, and are told apart again by [Set.Decide].
type group struct {
	entries  []*entry
	supplied bool // what they ask for beyond the place is left to the engine
	judged   bool // but for the condition
}

// Lists must be [] when they are empty, never left out.
type (
	sourceArguments struct {
		Source      godap.Source       `json:"source"`
		Breakpoints []sourceBreakpoint `json:"breakpoints"`
	}
	sourceBreakpoint struct {
		godap.SourceBreakpoint
		Mode string `json:"mode,omitempty"`
	}
	functionArguments struct {
		Breakpoints []godap.FunctionBreakpoint `json:"breakpoints"`
	}
	dataArguments struct {
		Breakpoints []godap.DataBreakpoint `json:"breakpoints"`
	}
)

// Trial changes how breakpoints are sent, to learn what an adapter objects to, or has not told.
type Trial struct {
	None bool // leave all out
	ID   int
	Hide bool // leave it out
	Bare bool // send its place alone
}

// Plan names the requests that tell a fresh adapter everything.
func (s *Set) Plan(c Connection) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var homes []Home
	for _, e := range s.entries {
		if e.Kind != Watch && (e.isLine() || c.Capabilities.SupportsFunctionBreakpoints) {
			homes = appendHome(homes, e.home())
		}
	}
	slices.SortStableFunc(homes, func(a, b Home) int { // lines first
		return rank(a.Kind) - rank(b.Kind)
	})
	requests := make([]Request, len(homes))
	for i, h := range homes {
		requests[i] = s.planOf(h, c, Trial{})
	}
	return requests
}

// Withdrawal names the requests that take all of it back from an adapter.
func (s *Set) Withdrawal(c Connection) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var homes []Home
	for _, e := range s.entries {
		homes = appendHome(homes, e.home())
	}
	var none Set
	requests := make([]Request, len(homes))
	for i, h := range homes {
		requests[i] = none.PlanOf(h, c, Trial{})
	}
	return requests
}

func rank(k Kind) int { return slices.Index([]Kind{Line, Function, Watch}, k) }

// PlanOf is the request of one home.
func (s *Set) PlanOf(h Home, c Connection, t Trial) Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.planOf(h, c, t)
}

func (s *Set) planOf(h Home, c Connection, t Trial) Request {
	switch h.Kind {
	case Function:
		return s.functionRequest(c, t)
	case Watch:
		return s.watchRequest(c, t)
	}
	return s.lineRequest(h.File, c, t)
}

// groups collects the enabled entries of a home, those with an equal key together.
func (s *Set) groups(h Home, t Trial, key func(*entry) string) []group {
	at := map[string]int{}
	var groups []group
	for _, e := range s.entries {
		if !e.Enabled || e.lost || e.home() != h || t.None || t.Hide && e.ID == t.ID {
			continue
		}
		k := key(e)
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, group{})
		}
		groups[i].entries = append(groups[i].entries, e)
	}
	return groups
}

func (s *Set) lineRequest(file string, c Connection, t Trial) Request {
	r := Request{Command: "setBreakpoints"}
	r.groups = s.groups(Home{Line, file}, t, func(e *entry) string {
		return strconv.Itoa(e.requestedLine()) + ":" + strconv.Itoa(e.Column)
	})
	args := sourceArguments{
		Source:      godap.Source{Name: filepath.Base(file), Path: file},
		Breakpoints: make([]sourceBreakpoint, 0, len(r.groups)),
	}
	for i := range r.groups {
		g := &r.groups[i]
		x := g.divide(c, c.Capabilities.SupportsLogPoints, t)
		b := sourceBreakpoint{SourceBreakpoint: godap.SourceBreakpoint{
			Line: g.entries[0].requestedLine(), Column: g.entries[0].Column,
			Condition: x.condition, HitCondition: x.hit, LogMessage: x.log,
		}}
		if !slices.ContainsFunc(g.entries, func(e *entry) bool { return e.Kind != Function }) {
			b.Mode = c.EntryMode
		}
		args.Breakpoints = append(args.Breakpoints, b)
	}
	r.Arguments = args
	return r
}

func (s *Set) functionRequest(c Connection, t Trial) Request {
	r := Request{Command: "setFunctionBreakpoints"}
	r.groups = s.groups(Home{Kind: Function}, t, func(e *entry) string { return e.Function })
	args := functionArguments{Breakpoints: make([]godap.FunctionBreakpoint, 0, len(r.groups))}
	for i := range r.groups {
		g := &r.groups[i]
		x := g.divide(c, false, t)
		args.Breakpoints = append(args.Breakpoints, godap.FunctionBreakpoint{
			Name: g.entries[0].Function, Condition: x.condition, HitCondition: x.hit,
		})
	}
	r.Arguments = args
	return r
}

func (s *Set) watchRequest(c Connection, t Trial) Request {
	r := Request{Command: "setDataBreakpoints"}
	if c.BareWatches {
		c.Capabilities.SupportsConditionalBreakpoints, c.Capabilities.SupportsHitConditionalBreakpoints = false, false
	}
	r.groups = s.groups(Home{Kind: Watch}, t, func(e *entry) string { return e.DataID })
	args := dataArguments{Breakpoints: make([]godap.DataBreakpoint, 0, len(r.groups))}
	for i := range r.groups {
		g := &r.groups[i]
		x := g.divide(c, false, t)
		args.Breakpoints = append(args.Breakpoints, godap.DataBreakpoint{
			DataId: g.entries[0].DataID, AccessType: godap.DataBreakpointAccessType(g.access()),
			Condition: x.condition, HitCondition: x.hit,
		})
	}
	r.Arguments = args
	return r
}

// access is what all watches of a group together want to hear of.
func (g *group) access() string {
	access := g.entries[0].Access
	for _, e := range g.entries[1:] {
		if e.Access != access {
			return "readWrite"
		}
	}
	return access
}

// extras are the parts of a breakpoint that an adapter checks itself.
type extras struct{ condition, hit, log string }

// readsMessage says that the adapter evaluates what a log message names as the language means it.
func (c Connection) readsMessage(message string) bool {
	return c.ReadsLogged == nil || !slices.ContainsFunc(MessageParts(message), func(p Part) bool {
		return p.Expression.Text != "" && !c.ReadsLogged(p.Expression.Text)
	})
}

// divide decides who checks what a group asks for beyond its place: the adapter,
// when it can do all of it and the group is one spec; else the engine, and then
// the adapter is given the place, and the condition where it can check that: a pass
// at which it does not hold costs no stop. Where the engine has to ask again whether it has
// failed, that must change nothing. An adapter that checks a condition knows
// only the frame that stops, and which of condition and count it checks first
// is not specified where it has both.
func (g *group) divide(c Connection, logs bool, t Trial) extras {
	w, caps := g.entries[0].Spec, c.Capabilities
	reads := c.Reads == nil || c.Reads(w.Condition.Text)
	judges := len(g.entries) == 1 && caps.SupportsConditionalBreakpoints && reads && w.Condition.Frame == 0
	native := len(g.entries) == 1 && (w.Condition.Text == "" || judges) &&
		(w.HitCondition == "" || caps.SupportsHitConditionalBreakpoints && w.Condition.Text == "" && !g.entries[0].isConfined()) &&
		(w.LogMessage == "" || logs && !namesCaller(w.LogMessage) && c.readsMessage(w.LogMessage))
	g.supplied = !native && slices.ContainsFunc(g.entries, func(e *entry) bool { return !e.Plain() })
	g.judged = g.supplied && judges && w.Condition.Text != "" && (c.Repeats == nil || c.Repeats(w.Condition.Text))
	switch {
	case t.Bare && g.entries[0].ID == t.ID:
		return extras{}
	case g.judged:
		return extras{condition: w.Condition.Text}
	case !native:
		return extras{}
	}
	x := extras{condition: w.Condition.Text, log: w.LogMessage}
	if op, n, ok := ParseHit(w.HitCondition); ok {
		x.hit = op + strconv.Itoa(n)
	}
	return x
}

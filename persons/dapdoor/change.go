package dapdoor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/persons"
	"aidb-mcp/session"
)

// help is what the debug console knows beside expressions.
const help = ":take  drive the program yourself, the agent looks on\n" +
	":give  give it back\n" +
	":note TEXT  tell the agent something\n" +
	":answer TEXT  answer the agent's question\n" +
	"anything else is an expression of the program's language"

// evaluate evaluates an expression, or does what a line of the console asks for.
func (c *client) evaluate(r request) (any, error) {
	var args godap.EvaluateArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	if word, rest, is := command(args.Expression); is && (args.Context == "repl" || args.Context == "") {
		return c.command(word, rest)
	}
	at, err := c.frames.find(args.FrameId)
	if err != nil {
		return nil, err
	}
	if args.Context == "hover" && !c.seat.Session.OnlyReads(args.Expression) {
		return nil, fault.New(fault.InvalidParam, "only what reads is evaluated under the pointer")
	}
	out, err := c.seat.Act(c.ctx, persons.Act{Kind: persons.Evaluate, Text: args.Expression, Thread: at.thread, Frame: at.index})
	if err != nil {
		return nil, err
	}
	return godap.EvaluateResponseBody{Result: out.Value.Untyped(), Type: out.Value.Type, VariablesReference: out.Value.Ref}, nil
}

func (c *client) command(word, rest string) (any, error) {
	kinds := map[string]persons.Kind{"take": persons.Take, "give": persons.Give, "note": persons.Note, "answer": persons.Answer}
	kind, known := kinds[word]
	if word == "help" {
		return godap.EvaluateResponseBody{Result: help}, nil
	}
	if !known {
		return nil, fault.New(fault.InvalidParam, "there is no command :%s; there are :take, :give, :note, :answer and :help", word)
	}
	out, err := c.seat.Act(c.ctx, persons.Act{Kind: kind, Text: rest})
	if err != nil {
		return nil, err
	}
	return godap.EvaluateResponseBody{Result: out.Said}, nil
}

func (c *client) setVariable(r request) (any, error) {
	var args godap.SetVariableArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	l, err := c.scopes.find(args.VariablesReference)
	if err != nil {
		return nil, err
	}
	name := args.Name
	if l.scope == "" {
		if name, err = c.pathOf(l, args.Name); err != nil {
			return nil, err
		}
	}
	v, err := c.set(name, args.Value, l.frame)
	if err != nil {
		return nil, err
	}
	return godap.SetVariableResponseBody{Value: v.Untyped(), Type: v.Type, VariablesReference: v.Ref}, nil
}

// pathOf is the expression for a child of a value.
func (c *client) pathOf(l listing, name string) (string, error) {
	vars, _, err := c.list(l, mostValues)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(vars, func(v session.Variable) bool { return v.Name == name })
	if at < 0 || vars[at].Path == "" {
		return "", fault.New(fault.VariableSet, "%s cannot be set here: set it by an expression", name)
	}
	return vars[at].Path, nil
}

func (c *client) setExpression(r request) (any, error) {
	var args godap.SetExpressionArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	at, err := c.frames.find(args.FrameId)
	if err != nil {
		return nil, err
	}
	v, err := c.set(args.Expression, args.Value, at)
	if err != nil {
		return nil, err
	}
	return godap.SetExpressionResponseBody{Value: v.Untyped(), Type: v.Type, VariablesReference: v.Ref}, nil
}

func (c *client) set(name, value string, at framePlace) (session.Variable, error) {
	out, err := c.seat.Act(c.ctx, persons.Act{Kind: persons.SetValue, Name: name, Text: value, Thread: at.thread, Frame: at.index})
	if err != nil {
		return session.Variable{}, err
	}
	return *out.Value, nil
}

// points are the breakpoints that this editor has set.
type points struct {
	setting sync.Mutex // one request after the other
	mu      sync.Mutex // guards own
	own     map[int]wanted
}

// wanted is what an editor wants at a place.
type wanted struct {
	file                 string
	line                 int
	function             string // in place of a file and a line
	condition, hits, log string
}

// location is the place as an act names it.
func (w wanted) location() string {
	if w.function != "" {
		return w.function
	}
	return fmt.Sprintf("%s:%d", w.file, w.line)
}

// isAt says that a breakpoint is at the place.
func (w wanted) isAt(b hub.Breakpoint) bool {
	if w.function != "" {
		return b.Kind == "function" && b.Function == w.function
	}
	return b.Kind == "line" && b.File == w.file && b.Line == w.line
}

func (p *points) keep(id int, w wanted) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.own == nil {
		p.own = map[int]wanted{}
	}
	p.own[id] = w
}

// in lists the editor's own breakpoints of a file; those at functions are of none.
func (p *points) in(file string) map[int]wanted {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := map[int]wanted{}
	for id, w := range p.own {
		if w.file == file {
			found[id] = w
		}
	}
	return found
}

func (p *points) forget(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.own, id)
}

// mostPoints is how many breakpoints one request may set.
const mostPoints = 500

type breakpointsBody struct {
	Breakpoints []godap.Breakpoint `json:"breakpoints"`
}

// setBreakpoints makes the editor's own breakpoints of a file those of the request. Others'
// stay as they are, also where the editor does not list them.
func (c *client) setBreakpoints(r request) (any, error) {
	var args godap.SetBreakpointsArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	if args.Source.Path == "" || len(args.Breakpoints) > mostPoints {
		return nil, fault.New(fault.InvalidParam, "setBreakpoints needs source.path, and takes at most %d breakpoints", mostPoints)
	}
	file := filepath.Clean(args.Source.Path)
	var all []wanted
	for _, b := range args.Breakpoints {
		all = append(all, wanted{file: file, line: b.Line, condition: b.Condition, hits: b.HitCondition, log: b.LogMessage})
	}
	return c.replace(file, all), nil
}

// setFunctionBreakpoints does the same with those at functions.
func (c *client) setFunctionBreakpoints(r request) (any, error) {
	var args godap.SetFunctionBreakpointsArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	if len(args.Breakpoints) > mostPoints {
		return nil, fault.New(fault.InvalidParam, "setFunctionBreakpoints takes at most %d breakpoints", mostPoints)
	}
	var all []wanted
	for _, b := range args.Breakpoints {
		all = append(all, wanted{function: strings.TrimSpace(b.Name), condition: b.Condition, hits: b.HitCondition})
	}
	return c.replace("", all), nil
}

// replace makes the editor's own breakpoints of a file those that it wants.
func (c *client) replace(file string, all []wanted) breakpointsBody {
	c.points.setting.Lock()
	defer c.points.setting.Unlock()
	left := c.points.in(file)
	body := breakpointsBody{Breakpoints: []godap.Breakpoint{}}
	for _, w := range all {
		set, id := c.setBreakpoint(w, left)
		delete(left, id)
		body.Breakpoints = append(body.Breakpoints, set)
	}
	for id := range left {
		if _, err := c.seat.Act(c.ctx, persons.Act{Kind: persons.RemoveBreakpoint, ID: id}); err != nil {
			c.door.Log.Debug("remove an editor's breakpoint", "id", id, "error", err) // the agent has removed it
		}
		c.points.forget(id)
	}
	return body
}

// setBreakpoint sets one, unless it stands already.
func (c *client) setBreakpoint(w wanted, own map[int]wanted) (set godap.Breakpoint, id int) {
	for _, known := range c.seat.Session.Hub().Snapshot().Breakpoints {
		before, mine := own[known.ID]
		if mine && before == w || !mine && w.isAt(known) {
			return shownBreakpoint(known), known.ID
		}
	}
	out, err := c.seat.Act(c.ctx, persons.Act{
		Kind: persons.SetBreakpoint, Location: w.location(),
		Condition: w.condition, HitCondition: w.hits, LogMessage: w.log,
	})
	if err != nil {
		refused := godap.Breakpoint{Line: w.line, Message: sayError(err)}
		if w.file != "" {
			refused.Source = &godap.Source{Path: w.file}
		}
		return refused, 0
	}
	b := *out.Breakpoint
	c.points.keep(b.ID, w)
	shown := godap.Breakpoint{Id: b.ID, Verified: b.Verified, Line: b.Line, Message: strings.TrimSpace(b.Message)}
	if at := cmp.Or(b.File, w.file); at != "" {
		shown.Source = &godap.Source{Name: lastPart(at), Path: at}
	}
	return shown, b.ID
}

package dapdoor

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
)

// Bounds of what an editor is shown at once.
const (
	mostFrames = 200
	mostValues = 200
	mostLines  = 100_000
)

// numbered are the things of one stop that an editor was given numbers of.
type numbered[T any] struct {
	mu    sync.Mutex
	epoch int
	list  []T
}

// begin forgets those of an earlier stop.
func (n *numbered[T]) begin(epoch int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.epoch != epoch {
		n.epoch, n.list = epoch, nil
	}
}

// frames are the numbers of frames that an editor was given, until the program goes on.
type frames struct{ numbered[framePlace] }

type framePlace struct{ thread, index int }

// frameNumbers keeps the numbers of one stop apart from those of the next.
const frameNumbers = 10_000

func (f *frames) add(p framePlace) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, known := range f.list {
		if known == p {
			return f.number(i)
		}
	}
	f.list = append(f.list, p)
	return f.number(len(f.list) - 1)
}

func (f *frames) number(i int) int { return f.epoch%100_000*frameNumbers + i + 1 }

// find finds a frame; 0 means the one that is shown first.
func (f *frames) find(id int) (framePlace, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id == 0 {
		return framePlace{}, nil
	}
	for i, p := range f.list {
		if f.number(i) == id {
			return p, nil
		}
	}
	return framePlace{}, fault.New(fault.StaleReference, "this frame is gone: the program went on")
}

// scopes are the numbers above those of the engine's values: of scopes, and of where long
// lists go on.
type scopes struct{ numbered[listing] }

// listing is a scope of a frame, or a value, from a child on.
type listing struct {
	frame framePlace
	scope session.Scope
	ref   int // of a value, where scope is empty
	start int
}

// firstScope is above every number that the engine gives.
const firstScope = 1 << 30

func (s *scopes) add(l listing) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, l)
	return firstScope + len(s.list) - 1
}

func (s *scopes) find(ref int) (listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ref < firstScope {
		return listing{ref: ref}, nil
	}
	if ref-firstScope >= len(s.list) {
		return listing{}, fault.New(fault.StaleReference, "this list is gone: the program went on")
	}
	return s.list[ref-firstScope], nil
}

// threadsBody is the list of threads.
type threadsBody struct {
	Threads []godap.Thread `json:"threads"`
}

func (c *client) threads() (any, error) {
	list := threadsBody{Threads: []godap.Thread{}}
	groups, err := c.seat.Session.Threads(c.ctx, "", 1)
	if err != nil { // one that runs may not be looked at; an editor needs one to pause
		list.Threads = append(list.Threads, godap.Thread{Id: 1, Name: "the program (running)"})
		return list, nil
	}
	for _, g := range groups.Groups {
		for i, id := range g.IDs {
			name := cmp.Or(g.Name, fmt.Sprintf("thread %d", id))
			if g.Waiting != "" {
				name += " (" + g.Waiting + ")"
			}
			if i == len(g.IDs)-1 && g.Count > len(g.IDs) {
				name += fmt.Sprintf(" and %d like it", g.Count-len(g.IDs))
			}
			list.Threads = append(list.Threads, godap.Thread{Id: id, Name: name})
		}
	}
	return list, nil
}

func (c *client) stackTrace(r request) (any, error) {
	var args godap.StackTraceArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	count := args.Levels
	if count <= 0 || count > mostFrames {
		count = mostFrames
	}
	p := c.seat.Session.Stopped()
	frames, total, err := p.Stack(c.ctx, args.ThreadId, args.StartFrame, count)
	if err != nil {
		return nil, err
	}
	body := godap.StackTraceResponseBody{StackFrames: []godap.StackFrame{}, TotalFrames: total}
	for _, f := range frames {
		frame := godap.StackFrame{Id: c.frames.add(framePlace{args.ThreadId, f.Index}), Name: f.Function, Line: f.Line, Column: f.Column}
		if f.File != "" {
			frame.Source = &godap.Source{Name: lastPart(f.File), Path: f.File}
		}
		if f.Internal {
			frame.PresentationHint = "subtle"
		}
		body.StackFrames = append(body.StackFrames, frame)
	}
	if total == 0 && len(frames) == count { // more may follow
		body.TotalFrames = args.StartFrame + count + 1
	}
	return body, nil
}

func (c *client) scopesOf(r request) (any, error) {
	var args godap.ScopesArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	at, err := c.frames.find(args.FrameId)
	if err != nil {
		return nil, err
	}
	if err := c.seat.Session.Stopped().Err(); err != nil {
		return nil, err
	}
	return godap.ScopesResponseBody{Scopes: []godap.Scope{
		{Name: "Locals", PresentationHint: "locals", VariablesReference: c.scopes.add(listing{frame: at, scope: session.Locals})},
		{Name: "Globals", Expensive: true, VariablesReference: c.scopes.add(listing{frame: at, scope: session.Globals})},
	}}, nil
}

func (c *client) variables(r request) (any, error) {
	var args godap.VariablesArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	l, err := c.scopes.find(args.VariablesReference)
	if err != nil {
		return nil, err
	}
	l.start += args.Start
	count := args.Count
	if count <= 0 || count > mostValues {
		count = mostValues
	}
	vars, total, err := c.list(l, count)
	if err != nil {
		return nil, err
	}
	body := godap.VariablesResponseBody{Variables: []godap.Variable{}}
	for _, v := range vars {
		body.Variables = append(body.Variables, godap.Variable{
			Name: v.Name, Value: v.Untyped(), Type: v.Type, EvaluateName: v.Path, VariablesReference: v.Ref,
		})
	}
	if next := l.start + len(vars); args.Count == 0 && len(vars) > 0 && next < total {
		l.start = next
		body.Variables = append(body.Variables, godap.Variable{
			Name: "…", Value: fmt.Sprintf("%d more", total-next), VariablesReference: c.scopes.add(l),
		})
	}
	return body, nil
}

// list reads a part of a listing.
func (c *client) list(l listing, count int) (vars []session.Variable, total int, err error) {
	page := session.Page{Start: l.start, Count: count}
	if l.scope != "" {
		return c.seat.Session.Stopped().Variables(c.ctx, l.scope, l.frame.thread, l.frame.index, page)
	}
	return c.seat.Expand(c.ctx, l.ref, page)
}

// sourceBody is the text of a file.
type sourceBody struct {
	Content string `json:"content"`
}

func (c *client) source(r request) (any, error) {
	var args godap.SourceArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	if args.Source == nil || args.Source.Path == "" {
		return nil, fault.New(fault.MissingParam, "source needs the path of a file")
	}
	file, err := c.seat.Source(c.ctx, args.Source.Path, 0, mostLines)
	if err != nil {
		return nil, err
	}
	return sourceBody{strings.Join(file.Lines, "\n") + "\n"}, nil
}

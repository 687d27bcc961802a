package persons

import (
	"context"
	"math"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/session"
)

// Frames and Values are parts of a longer list, Total long.
type (
	Frames struct {
		Frames []hub.Frame `json:"frames"`
		Total  int         `json:"total"`
	}
	Values struct {
		Values []hub.Value `json:"values"`
		Total  int         `json:"total"`
	}
)

// Thread is a thread of the program, or several that stand alike.
type Thread struct {
	ID      int    `json:"id"`
	Name    string `json:"name,omitempty"`
	Count   int    `json:"count"` // of threads that stand alike
	Waiting string `json:"waiting,omitempty"`
	At      string `json:"at,omitempty"` // function and place of its first frame of the user's code
	Current bool   `json:"current,omitempty"`
}

// Threads is the list of them. System counts those that the runtime keeps for itself.
type Threads struct {
	Threads []Thread `json:"threads"`
	Total   int      `json:"total"`
	System  int      `json:"system,omitempty"`
}

// Source is the text of a file, whole or its first part.
type Source struct {
	Path  string   `json:"path"` // as replies show it
	Lines []string `json:"lines"`
	Total int      `json:"total"`
}

// Threads lists the program's threads.
func (s *Seat) Threads(ctx context.Context) (Threads, error) {
	found, err := s.Session.Threads(ctx, "", 1)
	if err != nil {
		return Threads{}, err
	}
	list := Threads{Threads: []Thread{}, Total: found.Total, System: found.System}
	for _, g := range found.Groups {
		t := Thread{Name: g.Name, Count: g.Count, Waiting: g.Waiting, Current: g.Current}
		if len(g.IDs) > 0 {
			t.ID = g.IDs[0]
		}
		if len(g.Frames) > 0 {
			f := g.Frames[0]
			t.At = f.Function
			if f.File != "" {
				t.At += " " + s.Session.Rel(f.File)
			}
		}
		list.Threads = append(list.Threads, t)
	}
	return list, nil
}

// Stack lists frames of a thread; 0 is the one that has stopped.
func (s *Seat) Stack(ctx context.Context, thread, start, count int) (Frames, error) {
	frames, total, err := s.Session.Stopped().Stack(ctx, thread, start, count)
	return Frames{s.Session.WatchedFrames(frames), total}, err
}

// Locals lists the variables of a frame.
func (s *Seat) Locals(ctx context.Context, thread, frame, start, count int) (Values, error) {
	list, total, err := s.Session.Stopped().Variables(ctx, session.Locals, thread, frame, session.Page{Start: start, Count: count})
	return Values{session.WatchedValues(list), total}, err
}

// Children opens a value by its reference, which holds until the program goes on.
func (s *Seat) Children(ctx context.Context, ref, start, count int) (Values, error) {
	list, total, err := s.Expand(ctx, ref, session.Page{Start: start, Count: count})
	return Values{session.WatchedValues(list), total}, err
}

// Inside opens a value for one who only looks, and is not there to be seen.
func (d *Desk) Inside(ctx context.Context, s *session.Session, ref, count int) (Values, error) {
	return (&Seat{Session: s, desk: d}).Children(ctx, ref, 0, count)
}

// Expand is Children as the engine has them. A long text has itself as its only child.
func (s *Seat) Expand(ctx context.Context, ref int, page session.Page) (vars []session.Variable, total int, err error) {
	v, err := s.Session.Stopped().Expand(ctx, ref, page)
	if err != nil {
		return nil, 0, err
	}
	if len(v.Children) == 0 && v.Value != "" {
		return []session.Variable{{Name: "text", Value: v.Value, Type: v.Type}}, 1, nil
	}
	return v.Children, max(v.ChildTotal, v.Count, page.Start+len(v.Children)), nil
}

// Source reads a file of the program that the policy allows: one of the workspace, or of a
// frame of the thread's stack. At most so many lines are given.
func (s *Seat) Source(ctx context.Context, file string, thread, most int) (Source, error) {
	if !s.desk.Policy.Allows(file) || !s.isOfProgram(ctx, file, thread) {
		return Source{}, fault.New(fault.PolicyDenied, "%s is no file of this program, or lies outside of the folders that this server may use", file)
	}
	lines, err := s.Session.SourceLines(file, 1, math.MaxInt32)
	if err != nil {
		return Source{}, err
	}
	return Source{s.Session.Rel(file), lines[:min(len(lines), most)], len(lines)}, nil
}

// isOfProgram keeps whoever watches from reading what is no source of the program.
func (s *Seat) isOfProgram(ctx context.Context, file string, thread int) bool {
	isHere := func(frames []hub.Frame) bool {
		return slices.ContainsFunc(frames, func(f hub.Frame) bool { return f.File == file })
	}
	if view := s.Session.Hub().Snapshot().View; view != nil && isHere(view.Stack) {
		return true
	}
	if _, below := source.Below(filepath.Clean(file), s.Session.Workspace()); below {
		return true
	}
	stack, err := s.Stack(ctx, thread, 0, mostFrames)
	return err == nil && isHere(stack.Frames)
}

// mostFrames is how much of a stack may be asked for at once.
const mostFrames = 200

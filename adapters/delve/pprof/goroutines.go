package pprof

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/traceback"
)

const mostGoroutines = 10_000 // are looked at

// goroutines are all of the program, without those that serve our own question. More is how
// many were not looked at.
func (p *Program) goroutines(ctx context.Context) (list []traceback.Goroutine, more int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dump, err := p.fetch(ctx, "goroutine", url.Values{"debug": {"2"}})
	if err != nil {
		return nil, 0, err
	}
	seen, ours := false, 0
	for text := range strings.SplitSeq(string(dump), "\n\n") {
		if !strings.HasPrefix(text, "goroutine ") {
			continue
		}
		seen = true
		if len(list) == mostGoroutines {
			more++
			continue
		}
		g := traceback.Parse(text, nil)
		if slices.ContainsFunc(g.Frames, func(f traceback.Place) bool { return f.Function == "runtime/pprof.writeGoroutineStacks" }) {
			ours = g.ID
			continue
		}
		for _, places := range [][]traceback.Place{g.Frames, g.Made} {
			for i := range places {
				places[i].File = p.rename(places[i].File)
			}
		}
		list = append(list, g)
	}
	list = slices.DeleteFunc(list, func(g traceback.Goroutine) bool { // what reads of our own connection
		return ours != 0 && g.MadeBy == ours && g.Creator == "net/http.(*connReader).startBackgroundRead"
	})
	if !seen {
		return nil, 0, p.notThere("goroutine", "what it answers are no goroutines")
	}
	return list, more, nil
}

// Digest lists the program's goroutines, which run on.
func (p *Program) Digest(ctx context.Context, _ adapters.Caller, depth int) (adapters.Digest, error) {
	all, _, err := p.goroutines(ctx)
	if err != nil {
		return adapters.Digest{}, err
	}
	d := adapters.Digest{Threads: make([]adapters.ThreadState, len(all))}
	for i, g := range all {
		s := adapters.ThreadState{ID: g.ID, Waiting: g.Waits(), Since: g.Since}
		for _, f := range g.Frames[:min(depth, len(g.Frames))] {
			s.Frames = append(s.Frames, godap.StackFrame{
				Name: traceback.Short(f.Function), Line: f.Line, Source: &godap.Source{Name: filepath.Base(f.File), Path: f.File},
			})
		}
		if len(s.Frames) > 0 {
			s.Name = s.Frames[0].Name
		}
		d.Threads[i] = s
	}
	return d, nil
}

// blind is what a traceback does not tell.
const blind = "on which object one waits, and who holds that: the program's own list of its goroutines has no values. Attached by its pid, or under the debugger, it tells more"

// Blocked tells which goroutines wait, and what for.
func (p *Program) Blocked(ctx context.Context, _ adapters.Caller) (adapters.Waits, error) {
	all, more, err := p.goroutines(ctx)
	if err != nil {
		return adapters.Waits{}, err
	}
	w := adapters.Waits{LeftOut: more, Notes: []string{blind}}
	for _, g := range all {
		if g.Waits() != "" {
			w.Waiters = append(w.Waiters, waiter(g))
		}
	}
	return w, nil
}

// waiter is the row of a goroutine that waits.
func waiter(g traceback.Goroutine) adapters.Waiter {
	row := adapters.Waiter{Key: fmt.Sprintf("g%d", g.ID), Who: fmt.Sprintf("goroutine %d", g.ID), Thread: g.ID, For: g.State, Since: g.Since}
	if strings.HasPrefix(g.State, "sync.Mutex") || strings.HasPrefix(g.State, "sync.RWMutex") {
		row.Unknown = "a list of goroutines does not tell it"
	}
	own := slices.IndexFunc(g.Frames, traceback.Place.IsUsers)
	if len(g.Made) > 0 && (g.Made[0].IsUsers() || own < 0) {
		row.Made = locationOf(g.Made[0])
	}
	if own >= 0 {
		row.At = locationOf(g.Frames[own])
		if called := through(g.Frames[:own]); called != "" {
			row.For += " in " + called
		}
		return row
	}
	if len(g.Frames) > 0 {
		row.For += " in " + traceback.Short(cmp.Or(outermost(g.Frames), g.Frames[0].Function))
	}
	return row
}

// through is the library function that the user's code has called, where that is not the wait itself.
func through(called []traceback.Place) string {
	if len(called) == 0 {
		return ""
	}
	name := called[len(called)-1].Function
	if gosrc.Runtime(name) || strings.HasPrefix(name, "sync.") || name == "time.Sleep" {
		return ""
	}
	return traceback.Short(name)
}

// outermost is the function with which a goroutine of a library has begun.
func outermost(frames []traceback.Place) string {
	for _, f := range slices.Backward(frames) {
		if !gosrc.Runtime(f.Function) {
			return f.Function
		}
	}
	return ""
}

func locationOf(p traceback.Place) adapters.Location {
	return adapters.Location{File: p.File, Line: p.Line, Function: traceback.Short(p.Function)}
}

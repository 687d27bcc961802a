package stopped

import (
	"context"
	"errors"
	"slices"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// Waits tells who waits for what at the stop, who holds that, and the rings of those that wait for each
// other. Filter keeps those with the text in what is told of them; "system" shows the runtime's own.
func (p *Program) Waits(ctx context.Context, filter string) (inspect.Waits, error) {
	if err := p.Err(); err != nil {
		return inspect.Waits{}, err
	}
	l := ThreadList{Facts: p.facts, Main: p.connection, Connections: p.session.Connections(), Filter: filter}
	waits, err := l.Waits(ctx)
	if err != nil {
		return inspect.Waits{}, p.session.Refusal(ctx, fault.Internal, "waits", err)
	}
	return waits, nil
}

// Waits asks all connections at once. A part of the program that gives no answer is left out, and
// that is said.
func (l ThreadList) Waits(ctx context.Context) (inspect.Waits, error) {
	ask := l.Facts.Can.Threads.Blocked
	if ask == nil {
		return l.threadWaits(ctx)
	}
	links := l.Connections
	if len(links) <= 1 {
		links = []Connection{l.Main}
	}
	answers, errs := make([]adapters.Waits, len(links)), make([]error, len(links))
	var asking sync.WaitGroup
	for i, k := range links {
		// One for each connection. They end with their answers, or ctx.
		asking.Go(func() {
			errs[i] = l.Facts.Guard("asking who waits for what", func() (err error) {
				answers[i], err = ask(ctx, k)
				return err
			})
		})
	}
	asking.Wait()
	var all adapters.Waits
	for i, k := range links {
		switch {
		case errors.Is(errs[i], adapters.ErrNoWaits):
			return l.threadWaits(ctx)
		case errs[i] != nil && k == l.Main:
			return inspect.Waits{}, errs[i]
		case errs[i] != nil:
			l.Facts.Log.Debug("who waits for what", "of", k.Name(), "error", errs[i])
			all.Notes = append(all.Notes, "not looked at: "+k.Name()+", which gives no answer")
			continue
		}
		l.addWaits(&all, answers[i], k, len(links) > 1)
	}
	return inspect.GroupWaits(all, l.Filter), nil
}

// addWaits adds what one connection tells, in our numbers. With several connections a key is
// told apart by the name of its own.
func (l ThreadList) addWaits(all *adapters.Waits, waits adapters.Waits, k Connection, several bool) {
	prefix, name := "", ""
	if several {
		prefix = k.Name() + "|"
		if k.Name() != "" {
			name = k.Name() + ": "
		}
	}
	for _, w := range waits.Waiters {
		w.Key, w.Who = prefix+w.Key, name+w.Who
		if w.Thread != 0 {
			w.Thread = k.OurThread(w.Thread)
		}
		w.Holders = slices.Clone(w.Holders)
		for i, h := range w.Holders {
			h.Key, h.Who = prefix+h.Key, name+h.Who
			w.Holders[i] = h
		}
		all.Waiters = append(all.Waiters, w)
	}
	all.LeftOut += waits.LeftOut
	for _, note := range waits.Notes {
		if !slices.Contains(all.Notes, note) {
			all.Notes = append(all.Notes, note)
		}
	}
}

// threadWaits are the waits that the program's threads tell of.
func (l ThreadList) threadWaits(ctx context.Context) (inspect.Waits, error) {
	l.Depth = waitFrames
	states, err := l.fetch(ctx)
	if err != nil {
		return inspect.Waits{}, err
	}
	r := inspect.Reader{Dialect: l.Facts.Dialect, Values: l.Facts.Can.Values}
	waits := inspect.WaitsOf(states.Threads, func(t adapters.ThreadState) adapters.Location {
		for i, f := range t.Frames {
			if at := r.Frame(i, f); !at.Internal && at.File != "" && at.Line > 0 {
				return adapters.Location{File: at.File, Line: at.Line, Function: at.Function}
			}
		}
		return adapters.Location{}
	})
	waits.Notes = []string{"who holds what is waited for: this debugger does not tell it"}
	return inspect.GroupWaits(waits, l.Filter), nil
}

// waitFrames are looked at for the user's line that waits.
const waitFrames = 10

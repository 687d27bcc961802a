package stopped

import (
	"context"
	"slices"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

const (
	threadsAsked  = 200 // threads whose stacks are fetched one by one
	threadsFrames = 3   // frames of a group when not said otherwise
)

// Threads lists the program's threads, those with the same stack and the same
// cause of waiting as one group: the current one's first, then the largest.
// Filter keeps those with the text in their name, labels, cause of waiting or
// stack; "system" shows the runtime's own, which are hidden otherwise.
func (p *Program) Threads(ctx context.Context, filter string, depth int) (Threads, error) {
	if err := p.Err(); err != nil {
		return Threads{}, err
	}
	l := ThreadList{Facts: p.facts, Main: p.connection, Connections: p.session.Connections(), Filter: filter, Depth: depth}
	states, err := l.fetch(ctx)
	if err != nil {
		return Threads{}, p.session.Refusal(ctx, fault.Internal, "threads", err)
	}
	current := p.Thread()
	p.addStopStack(ctx, states.Threads, current, l.depth())
	return l.group(states, current), nil
}

// addStopStack gives the current thread the stack that its stop has: where a failed test
// or an exception is shown, the thread itself stands in the framework by now.
func (p *Program) addStopStack(ctx context.Context, states []adapters.ThreadState, current, depth int) {
	at := slices.IndexFunc(states, func(t adapters.ThreadState) bool { return t.ID == current })
	if at < 0 || p.Err() != nil {
		return
	}
	st, err := p.fetchStack(ctx, current, depth)
	if err != nil {
		p.facts.Log.Debug("stack of the current thread", "error", err)
		return
	}
	shown, listed := st.Frames[st.Hidden:], states[at].Frames
	if len(shown) > 0 && (len(listed) == 0 || listed[0].Name != shown[0].Name || listed[0].Line != shown[0].Line) {
		states[at].Frames = shown
	}
}

// ThreadList is a question for the threads of a program. Some adapters can also be asked
// while it runs.
type ThreadList struct {
	Facts       Facts
	Main        Connection   // whose threads come first, and which must answer
	Connections []Connection // all
	Filter      string
	Depth       int // frames of a group
}

// Running lists the threads of a program that runs.
func (l ThreadList) Running(ctx context.Context) (Threads, error) {
	states, err := l.fetch(ctx)
	return l.group(states, 0), err
}

func (l ThreadList) depth() int {
	if l.Depth <= 0 {
		return threadsFrames
	}
	return l.Depth
}

func (l ThreadList) group(all adapters.Digest, current int) Threads {
	r := inspect.Reader{Dialect: l.Facts.Dialect, Values: l.Facts.Can.Values}
	threads := r.Group(current, all.Threads, l.Filter, l.depth())
	threads.Scheduled = all.Scheduled
	return threads
}

func (l ThreadList) fetch(ctx context.Context) (all adapters.Digest, err error) {
	if digest := l.Facts.Can.Threads.Digest; digest != nil {
		return l.digestAll(ctx, digest)
	}
	all.Threads, err = l.fetchThreads(ctx)
	return all, err
}

// digester is [adapters.Threads.Digest].
type digester func(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error)

// digestAll asks all connections for their digest at once; a part of the program
// that gives none is left out, for it runs or ends.
func (l ThreadList) digestAll(ctx context.Context, digest digester) (adapters.Digest, error) {
	links, main := l.Connections, l.Main
	if len(links) == 0 || len(links) == 1 && links[0].OurThread(1) == 1 {
		return digest(ctx, main, l.depth())
	}
	digests := make([]adapters.Digest, len(links))
	errs := make([]error, len(links))
	var asking sync.WaitGroup
	for i, k := range links {
		// One for each connection. They end with their answers, or ctx.
		asking.Go(func() {
			errs[i] = l.Facts.Guard("asking for the threads", func() (err error) {
				digests[i], err = digest(ctx, k, l.depth())
				return err
			})
		})
	}
	asking.Wait()
	var all adapters.Digest
	for i, k := range links {
		if errs[i] != nil && k == main {
			return adapters.Digest{}, errs[i]
		}
		var known []godap.Thread
		for _, t := range digests[i].Threads {
			t.ID = k.OurThread(t.ID)
			known = append(known, godap.Thread{Id: t.ID})
			if k.Name() != "" {
				t.Name = k.Name() + ": " + t.Name
			}
			all.Threads = append(all.Threads, t)
		}
		k.Claim(known)
	}
	return all, nil
}

// fetchThreads asks all connections for their threads at once, and then for all stacks.
func (l ThreadList) fetchThreads(ctx context.Context) ([]adapters.ThreadState, error) {
	links, main := l.Connections, l.Main
	lists := make([][]godap.Thread, len(links))
	var asking sync.WaitGroup
	var failed error
	for i, k := range links {
		// One for each connection. They end with their answers, or ctx.
		asking.Go(func() {
			err := l.Facts.Guard("asking for the threads", func() (err error) {
				lists[i], err = k.Threads(ctx)
				return err
			})
			if err != nil && k == main {
				failed = err
			}
		})
	}
	asking.Wait()
	if failed != nil {
		return nil, failed
	}
	var states []adapters.ThreadState
	var asked []PendingFrames
	d, r := l.Facts.Dialect, inspect.Reader{Dialect: l.Facts.Dialect, Values: l.Facts.Can.Values}
	for i, k := range links {
		for _, t := range lists[i] {
			name := d.ThreadName(t)
			if k.Name() != "" && k.Name() != name && len(links) > 1 {
				name = k.Name() + ": " + name
			}
			states = append(states, adapters.ThreadState{ID: t.Id, Name: name})
			if len(asked) < threadsAsked {
				asked = append(asked, k.StackTrace(t.Id, 0, l.depth()+DeepHidden))
			}
		}
	}
	waits := l.fetchWaits(ctx)
	for i, pending := range asked {
		frames, _, err := pending.Wait(ctx)
		if err != nil {
			l.Facts.Log.Debug("stack of a thread", "thread", states[i].ID, "error", err)
			continue
		}
		states[i].Waiting = d.Wait(frames)
		if w, known := waits[states[i].ID]; known {
			states[i].Waiting, states[i].Object, states[i].Held = w.Waiting, w.Object, w.Held
		}
		states[i].Frames = frames[max(r.User(frames), 0):]
	}
	return states, nil
}

// fetchWaits asks what the threads of all connections wait for, where the adapter can say it.
func (l ThreadList) fetchWaits(ctx context.Context) map[int]adapters.ThreadState {
	ask := l.Facts.Can.Threads.Waits
	if ask == nil {
		return nil
	}
	all := map[int]adapters.ThreadState{}
	for _, k := range l.Connections {
		waits, err := ask(ctx, k)
		if err != nil {
			l.Facts.Log.Debug("what threads wait for", "error", err)
			continue
		}
		for thread, w := range waits {
			all[k.OurThread(thread)] = w
		}
	}
	return all
}

package session

import (
	"context"
	"slices"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

const (
	threadsAsked  = 200 // threads whose stacks are fetched one by one
	threadsFrames = 3   // frames of a group when not said otherwise
)

// Threads lists the program's threads, those with the same stack and the same
// cause of waiting as one group: the current one's first, then the largest.
// Filter keeps those with the text in their name, labels, cause of waiting or
// stack; "system" shows the runtime's own, which are hidden otherwise. A program
// that runs is looked into where the adapter can.
func (s *Session) Threads(ctx context.Context, filter string, depth int) (Threads, error) {
	main, current, err := s.currentThreads()
	if err != nil {
		return Threads{}, err
	}
	if depth <= 0 {
		depth = threadsFrames
	}
	var all adapters.Digest
	if digest := s.capabilities().Threads.Digest; digest != nil {
		all, err = s.digestAll(ctx, main, digest, depth)
	} else {
		all.Threads, err = s.fetchThreads(ctx, main, depth)
	}
	if err != nil {
		return Threads{}, s.adapterError(ctx, "threads", err)
	}
	s.addStopStack(ctx, all.Threads, current, depth)
	threads := s.reader().Group(current, all.Threads, filter, depth)
	threads.Scheduled = all.Scheduled
	return threads, nil
}

// addStopStack gives the current thread the stack that its stop has: where a failed test
// or an exception is shown, the thread itself stands in the framework by now.
func (s *Session) addStopStack(ctx context.Context, states []adapters.ThreadState, current, depth int) {
	at := slices.IndexFunc(states, func(t adapters.ThreadState) bool { return t.ID == current })
	still, err := s.currentStop()
	if at < 0 || err != nil {
		return
	}
	st, err := s.fetchStack(ctx, still, current, depth)
	if err != nil {
		s.log.Debug("stack of the current thread", "error", err)
		return
	}
	shown, listed := st.Frames[st.Hidden:], states[at].Frames
	if len(shown) > 0 && (len(listed) == 0 || listed[0].Name != shown[0].Name || listed[0].Line != shown[0].Line) {
		states[at].Frames = shown
	}
}

// currentThreads is the connection whose threads come first, and the current thread: 0
// while the program runs, which only some adapters can look into.
func (s *Session) currentThreads() (main *connection, current int, err error) {
	still, err := s.currentStop()
	if err == nil {
		return still.connection, s.currentThread(still), nil
	}
	if !s.ShowsRunning() {
		return nil, 0, err
	}
	_, main, err = s.liveConnection()
	return main, 0, err
}

// ShowsRunning says that Threads can tell of a program that runs.
func (s *Session) ShowsRunning() bool {
	return s.capabilities().Threads.DigestsRunning
}

// KnowsEndless says that Threads can tell what only the program itself can let go on.
func (s *Session) KnowsEndless() bool {
	threads := s.capabilities().Threads
	return threads.Digest != nil && threads.TellsEndless
}

// digester is [adapters.Threads.Digest].
type digester func(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error)

// digestAll asks all connections for their digest at once; a part of the program
// that gives none is left out, for it runs or ends.
func (s *Session) digestAll(ctx context.Context, main *connection, digest digester, depth int) (adapters.Digest, error) {
	s.mu.Lock()
	links := main.run.debuggedConnections()
	s.mu.Unlock()
	if len(links) <= 1 {
		return digest(ctx, main, depth)
	}
	digests := make([]adapters.Digest, len(links))
	errs := make([]error, len(links))
	var asking sync.WaitGroup
	for i, k := range links {
		asking.Go(func() {
			errs[i] = s.recoverPanic("asking for the threads", func() (err error) {
				digests[i], err = digest(ctx, k, depth)
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
			t.ID = k.ourThread(t.ID)
			known = append(known, godap.Thread{Id: t.ID})
			if k.name != "" {
				t.Name = k.name + ": " + t.Name
			}
			all.Threads = append(all.Threads, t)
		}
		k.claimThreads(known)
	}
	return all, nil
}

// fetchThreads asks all connections for their threads at once, and then for all stacks.
func (s *Session) fetchThreads(ctx context.Context, main *connection, depth int) ([]adapters.ThreadState, error) {
	s.mu.Lock()
	links := main.run.debuggedConnections()
	s.mu.Unlock()
	lists := make([][]godap.Thread, len(links))
	var asking sync.WaitGroup
	var failed error
	for i, k := range links {
		asking.Go(func() {
			err := s.recoverPanic("asking for the threads", func() (err error) {
				lists[i], err = k.threads(ctx)
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
	var asked []pendingFrames
	d, r := s.dialect(), s.reader()
	for i, k := range links {
		for _, t := range lists[i] {
			name := d.ThreadName(t)
			if k.name != "" && k.name != name && len(links) > 1 {
				name = k.name + ": " + name
			}
			states = append(states, adapters.ThreadState{ID: t.Id, Name: name})
			if len(asked) < threadsAsked {
				asked = append(asked, k.stackTrace(t.Id, 0, depth+deepHidden))
			}
		}
	}
	waits := s.fetchWaits(ctx, links)
	for i, pending := range asked {
		frames, _, err := pending.wait(ctx)
		if err != nil {
			s.log.Debug("stack of a thread", "thread", states[i].ID, "error", err)
			continue
		}
		states[i].Waiting = d.Wait(frames)
		if w, told := waits[states[i].ID]; told {
			states[i].Waiting, states[i].Object, states[i].Held = w.Waiting, w.Object, w.Held
		}
		states[i].Frames = frames[max(r.User(frames), 0):]
	}
	return states, nil
}

// fetchWaits asks what the threads of all connections wait for, where the adapter can say it.
func (s *Session) fetchWaits(ctx context.Context, links []*connection) map[int]adapters.ThreadState {
	ask := s.capabilities().Threads.Waits
	if ask == nil {
		return nil
	}
	all := map[int]adapters.ThreadState{}
	for _, k := range links {
		waits, err := ask(ctx, k)
		if err != nil {
			s.log.Debug("what threads wait for", "error", err)
			continue
		}
		for thread, w := range waits {
			all[k.ourThread(thread)] = w
		}
	}
	return all
}

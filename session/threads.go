package session

import (
	"context"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/stopped"
)

// Threads lists the program's threads as [stopped.Program.Threads] does. A program that
// runs is looked into where the adapter can.
func (s *Session) Threads(ctx context.Context, filter string, depth int) (Threads, error) {
	p := s.Stopped()
	if p.Err() == nil || !s.ShowsRunning() {
		threads, err := p.Threads(ctx, filter, depth)
		return threads, s.unseen(err)
	}
	l, main, err := s.liveConnection()
	if err != nil {
		return Threads{}, err
	}
	list := stopped.ThreadList{Facts: s.facts(l), Main: main, Connections: l.connections.stopped(), Filter: filter, Depth: depth}
	threads, err := list.Running(ctx)
	return threads, s.adapterError(ctx, "threads", err)
}

// Waits tells who waits for what, as [stopped.Program.Waits] does. A program that runs is looked into
// where the adapter can.
func (s *Session) Waits(ctx context.Context, filter string) (Waits, error) {
	p := s.Stopped()
	if p.Err() == nil || !s.ShowsRunning() && !s.capabilities().Threads.BlockedRunning {
		waits, err := p.Waits(ctx, filter)
		return waits, s.unseen(err)
	}
	l, main, err := s.liveConnection()
	if err != nil {
		return Waits{}, err
	}
	list := stopped.ThreadList{Facts: s.facts(l), Main: main, Connections: l.connections.stopped(), Filter: filter}
	waits, err := list.Waits(ctx)
	return waits, s.adapterError(ctx, "waits", err)
}

// unseen is why threads are not looked at: where nothing stops the program it is no use to advise that.
func (s *Session) unseen(err error) error {
	if err == nil || !s.Observes() || s.State().Status != Running {
		return err
	}
	f := fault.New(fault.NotSupported, "this session only observes, and stops nothing: single threads are looked at in a program that stands")
	if s.capabilities().Profiling.Take == nil {
		return f.WithHint("a session_start(attach) without observe can pause the program")
	}
	return f.WithHint(`profile {"what":"waits"} says where they stand while it runs; a session_start(attach) without observe can pause the program`)
}

// ShowsRunning says that Threads can tell of a program that runs.
func (s *Session) ShowsRunning() bool {
	return s.capabilities().Threads.DigestsRunning
}

// SeesLocks says that a look at what the threads of a stopped program wait for is cheap.
func (s *Session) SeesLocks() bool {
	threads := s.capabilities().Threads
	return threads.Digest != nil || threads.Waits != nil
}

// KnowsEndless says that Threads can tell what only the program itself can let go on.
func (s *Session) KnowsEndless() bool {
	threads := s.capabilities().Threads
	return threads.Digest != nil && threads.TellsEndless
}

package session

import (
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

// Recorded is what the program has noted while it ran under the debugger
// ([adapters.Request.Record]), until that stopped it first; nil where it notes nothing.
// Errors are *fault.Error.
func (s *Session) Recorded() (*Recording, error) {
	l := s.currentRun()
	if l == nil {
		return nil, nil
	}
	<-l.started
	if l.plan() == nil || l.plan().Records == "" {
		return nil, nil
	}
	log, err := l.readRecording()
	if err != nil {
		return nil, err
	}
	return &Recording{Log: log, Target: s.Target(), Exit: exitOf(s.State()), Stops: s.adapter.Services().Recordable.Stops}, nil
}

// readRecording reads what was noted while it is there, and keeps it.
func (l *run) readRecording() (recording.Log, error) {
	l.noting.Lock()
	defer l.noting.Unlock()
	if l.noted != nil {
		return *l.noted, nil
	}
	log, err := recording.Read(l.plan().Records)
	if err != nil {
		return log, fault.New(fault.Internal, "reading what was recorded: %w", err)
	}
	l.noted = &log
	return log, nil
}

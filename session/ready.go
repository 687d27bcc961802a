package session

import (
	"strings"

	"aidb-mcp/session/output"
)

// readyLines is how many lines of each stream are looked at for what a server prints
// when it is ready.
const readyLines = 200

// readyAddress is the address at which the program says that it can be called, empty when it
// has not said so, or a reply has told it.
func (l *run) readyAddress() string {
	find := l.s.request.Ready
	if find == nil || l.toldReady.Load() {
		return ""
	}
	for _, stream := range []string{output.Stdout, output.Stderr} {
		last := l.s.out.Read(stream, output.Page{Start: -readyLines, Count: readyLines})
		if at := find(strings.Join(last.Lines, "\n")); at != "" {
			return at
		}
	}
	return ""
}

// takeReadyAddress is readyAddress for a reply that tells it: no later reply will.
func (s *Session) takeReadyAddress() string {
	l := s.currentRun()
	at := l.readyAddress()
	if at != "" {
		l.toldReady.Store(true)
	}
	return at
}

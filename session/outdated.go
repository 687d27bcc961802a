package session

import (
	"fmt"
	"os"
	"path/filepath"
)

// outdatedSource says which source of a stack is newer than the program that runs, where that was
// not built for this session; once a run, and empty where none is.
func (s *Session) outdatedSource(stack []Frame) string {
	l := s.currentRun()
	if len(stack) == 0 || l.plan().Program == "" || l.toldOutdated.Load() {
		return ""
	}
	built, err := os.Stat(l.plan().Program)
	if err != nil {
		return ""
	}
	for _, f := range stack {
		if f.File == "" {
			continue
		}
		if source, err := os.Stat(f.File); err == nil && source.ModTime().After(built.ModTime()) && l.toldOutdated.CompareAndSwap(false, true) {
			return fmt.Sprintf("%s is newer than the program (%s): if it was changed since that was built, the lines shown are not those that run; build it again",
				filepath.Base(f.File), built.ModTime().Format("2006-01-02 15:04:05"))
		}
	}
	return ""
}

package jsdebug

import (
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/profiling"
)

// A program that has been looked at only once has not "grown by nothing".
func TestMemoryThatWasNotLookedAtAgain(t *testing.T) {
	threads := []profiledThread{{Why: whyRunning, Main: true, base: filepath.Join(t.TempDir(), "main")}}
	err := readMemory(&profiling.Profile{}, threads, profiling.Spec{What: profiling.Memory})
	if err == nil || !strings.Contains(err.Error(), "is not known") {
		t.Errorf("%v", err)
	}
}

package handlers

import (
	"slices"
	"testing"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/session"
)

// Of the second run that is told which was not said of the first.
func TestNotesOfTheSecondRun(t *testing.T) {
	first := &session.Recording{Warnings: []string{"both"}}
	second := &session.Recording{Warnings: []string{"both", "there is no place to watch"}, Exit: &process.ExitStatus{Code: 3}}
	want := []string{"the second run: exit code 3", "the second run: there is no place to watch"}
	if got := notesOfSecond(second, first); !slices.Equal(got, want) {
		t.Errorf("the notes are %q, want %q", got, want)
	}
}

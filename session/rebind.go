package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/source"
)

// rebind lets line breakpoints follow their statements after the files were
// edited: each goes to the line that reads as its own did, the one with the
// same neighbours first, then the nearest. One whose text is gone is kept but
// not set.
func (s *Session) rebind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.store.entries {
		if e.Kind == LineBreakpoint && e.Text != "" {
			s.follow(e)
		}
	}
}

// follow moves one entry to where its statement is now; mu is held.
func (s *Session) follow(e *entry) {
	n, err := s.files.Count(e.File)
	if err != nil {
		return
	}
	lines, err := s.files.Lines(e.File, 1, n)
	if err != nil {
		return
	}
	old := e.Line
	at := likeliest(lines, e)
	e.lost = at == 0
	switch {
	case e.lost:
		e.Message = fmt.Sprintf("its statement %q is no longer in the file; set it again where it belongs", e.Text)
		return
	case at == old:
		e.readText(s.files)
		return
	}
	e.asked, e.Line = at, at
	e.MovedFrom, e.MovedWhy = old, "edited"
	e.readText(s.files)
}

// likeliest is the number of the line that the entry's statement stands on now, 0 when it is gone.
func likeliest(lines []string, e *entry) int {
	text := func(n int) string {
		if n < 1 || n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	var found []int
	for n := 1; n <= len(lines); n++ {
		if source.SameStatement(text(n), e.Text) {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		return 0
	}
	kinship := func(n int) int {
		score := 0
		if text(n-1) == e.before {
			score++
		}
		if text(n+1) == e.after {
			score++
		}
		return score
	}
	return slices.MinFunc(found, func(a, b int) int {
		return cmp.Or(cmp.Compare(kinship(b), kinship(a)), cmp.Compare(abs(a-e.Line), abs(b-e.Line)))
	})
}

func abs(n int) int { return max(n, -n) }

package breakpoints

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/project/source"
)

// anchor is the text of the lines around a statement, to tell equal ones apart.
type anchor struct{ before, after string }

// readText remembers the text of an entry's line and of its neighbours.
func (e *entry) readText(src Source) {
	if e.Kind == Watch || e.Line == 0 || e.lost {
		return
	}
	text := func(n int) string {
		line, err := src.Text(e.Path(), n)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(line)
	}
	e.Text, e.anchor = text(e.Line), anchor{text(e.Line - 1), text(e.Line + 1)}
}

// Follow lets line breakpoints follow their statements after the files were
// edited: each goes to the line that reads as its own did, the one with the same
// neighbours first, then the nearest. One whose text is gone is kept but not set.
func (s *Set) Follow(src Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.Kind != Line || e.Text == "" {
			continue
		}
		lines := readLines(src, e.File)
		if lines == nil {
			continue
		}
		e.follow(lines)
		e.readText(src)
	}
}

func readLines(src Source, file string) []string {
	n, err := src.Count(file)
	if err != nil {
		return nil
	}
	lines := make([]string, n)
	for i := range lines {
		text, err := src.Text(file, i+1)
		if err != nil {
			return nil
		}
		lines[i] = strings.TrimSpace(text)
	}
	return lines
}

func (e *entry) follow(lines []string) {
	at := e.likeliestLine(lines)
	e.lost = at == 0
	switch {
	case e.lost:
		e.Message = fmt.Sprintf("its statement %q is no longer in the file; set it again where it belongs", e.Text)
	case at != e.Line:
		e.MovedFrom, e.MovedWhy = e.Line, "edited"
		e.Spec.Line, e.Line = at, at
	}
}

// likeliestLine is the number of the line that the entry's statement stands on now, 0 when it is gone.
func (e *entry) likeliestLine(lines []string) int {
	text := func(n int) string {
		if n < 1 || n > len(lines) {
			return ""
		}
		return lines[n-1]
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
	strangers := func(n int) int {
		count := 0
		if text(n-1) != e.anchor.before {
			count++
		}
		if text(n+1) != e.anchor.after {
			count++
		}
		return count
	}
	return slices.MinFunc(found, func(a, b int) int {
		return cmp.Or(cmp.Compare(strangers(a), strangers(b)), cmp.Compare(abs(a-e.Line), abs(b-e.Line)))
	})
}

func abs(n int) int { return max(n, -n) }

package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"aidb-mcp/internal/fault"
)

// FindStatement returns the lines that hold a statement, the one nearest to the
// line near first (0: in the order of the file). White space does not matter.
// Lines that equal the text are preferred; only without any do those count that
// contain it. Of a text of several lines the first that is not blank is looked
// for. Not found is an error with fault.InvalidLocation that names the likest line.
func (f *Files) FindStatement(path, text string, near int) ([]int, error) {
	want := firstStatement(text)
	if want == "" {
		return nil, fault.New(fault.InvalidLocation, "the statement is empty").
			WithHint(`give the text of the line, for example "total += item.Price"`)
	}
	c, err := f.load(path)
	if err != nil {
		return nil, err
	}
	squeezed := make([]string, len(c.lines))
	for i, line := range c.lines {
		squeezed[i] = squeeze(line)
	}
	found := matchingLines(squeezed, func(line string) bool { return line == want })
	if len(found) == 0 {
		found = matchingLines(squeezed, func(line string) bool { return strings.Contains(line, want) })
	}
	if len(found) == 0 {
		return nil, notFound(path, text, c.lines)
	}
	if near > 0 {
		slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(abs(a-near), abs(b-near)) })
	}
	return found, nil
}

// SameStatement reports whether two lines say the same, white space aside.
func SameStatement(a, b string) bool { return squeeze(a) == squeeze(b) }

func firstStatement(text string) string {
	for line := range strings.Lines(text) {
		if s := squeeze(line); s != "" {
			return s
		}
	}
	return ""
}

func matchingLines(lines []string, match func(string) bool) []int {
	var found []int
	for i, line := range lines {
		if match(line) {
			found = append(found, i+1)
		}
	}
	return found
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// Longest line, and most lines, that are compared to find the likest one.
const (
	comparedBytes = 200
	comparedLines = 20_000
)

func notFound(path, text string, lines []string) error {
	f := fault.New(fault.InvalidLocation, "no line of %s reads %q", path, strings.TrimSpace(text))
	var candidates []string
	for _, line := range lines[:min(len(lines), comparedLines)] {
		if line = strings.TrimSpace(line); line != "" && len(line) <= comparedBytes {
			candidates = append(candidates, line)
		}
	}
	if like := Closest(strings.TrimSpace(text), candidates, 1); len(like) > 0 && len(text) <= comparedBytes {
		line := 1 + slices.IndexFunc(lines, func(s string) bool { return strings.TrimSpace(s) == like[0] })
		return f.WithHint("did you mean line %d: %s", line, like[0])
	}
	return f.WithHint("give the text of the line as it stands in the file, or its number")
}

func abs(n int) int { return max(n, -n) }

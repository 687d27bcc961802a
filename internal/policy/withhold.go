package policy

import (
	"path/filepath"
	"regexp"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Withhold takes the lines of code out of a text that quote a file outside, as
// interpreters and compilers do below a place: the place stays, and what is said of it.
// Relative places start at dir.
func (p Policy) Withhold(text, dir string) string {
	if !p.Confined() || text == "" {
		return text
	}
	var kept []string
	var quoting *regexp.Regexp // matches what is quoted of a file outside; nil where none is
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if file, quotes := quotedPlace(line); file != "" {
			quoting = nil
			if !p.Allows(absolute(file, dir)) {
				quoting = quotes
			}
			kept = append(kept, line)
			continue
		}
		switch {
		case quoting == nil:
		case quoting == pointed && i+1 < len(lines) && carets.MatchString(lines[i+1]) || quoting.MatchString(line):
			continue
		default:
			quoting = nil
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// How texts name a place, and what they quote below it.
var (
	traceback = pattern.New(`^\s*File "([^"]+)", line \d+`)
	arrow     = pattern.New(`^\s*(?:-->|:::)\s+(.+?):\d+(?::\d+)?$`)
	message   = pattern.New(`^(?:\s*(?:In file included )?from )?((?:[A-Za-z]:)?[^:\s][^:]*):\d+(?::\d+)?(?:[:,]|$)`)

	indented = regexp.MustCompile(`^\s{4}|^\s*[~^][\s~^]*$`)
	pointed  = regexp.MustCompile(`^\s*(?:\d+\s*)?[|│╵]|^\s*[~^][\s~^|]*$`) // in a gutter, or a line that the next one points at
	carets   = regexp.MustCompile(`^\s*[~^][\s~^|]*$`)
)

func quotedPlace(line string) (file string, quotes *regexp.Regexp) {
	if m := traceback.FindStringSubmatch(line); m != nil {
		return m[1], indented
	}
	for _, place := range []*pattern.Pattern{arrow, message} {
		if m := place.FindStringSubmatch(line); m != nil {
			return m[1], pointed
		}
	}
	return "", nil
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) || strings.HasPrefix(path, "<") {
		return path
	}
	return filepath.Join(dir, path)
}

package build

import (
	"path/filepath"
	"regexp"
	"slices"

	"aidb-mcp/internal/system/boundedfile"
)

// isMadeHere says that a program lies where a makefile has a rule for it: it is built anew
// when it is named, as it was when it was not there yet, and never run as it was left.
func isMadeHere(program string) bool {
	dir, name := filepath.Split(program)
	return slices.ContainsFunc([]string{"GNUmakefile", "makefile", "Makefile"}, func(file string) bool {
		text, err := boundedfile.ReadText(filepath.Join(dir, file))
		if err != nil {
			return false
		}
		rule, err := regexp.Compile(`(?m)^(?:[^\s#:=][^#:=\n]*[ \t])?` + regexp.QuoteMeta(name) + `(?:[ \t][^#:=\n]*)?::?(?:[^=]|$)`)
		return err == nil && rule.MatchString(string(text))
	})
}

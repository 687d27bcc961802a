package cpp

import (
	"cmp"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

var mesonCommand = pattern.New(`(?m)^[ \t]*(?:(\w+)\s*=\s*)?(project|executable|test)\s*\(\s*'([^']+)'(?:\s*,\s*(?:(\w+)\s*[,)]|executable\s*\(\s*'([^']+)'))?`)

// readMeson reads the programs and tests that a meson.build names.
func readMeson(name, text string) *buildFile {
	f := &buildFile{file: name, variables: map[string]string{}}
	text = cmakeComment.ReplaceAllString(text, "")
	programs := map[string]string{} // by the variables that hold them
	for _, at := range mesonCommand.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		switch group(2) {
		case "project":
			f.project = group(3)
		case "executable":
			f.programs = append(f.programs, namedAt{group(3), strings.Count(text[:at[4]], "\n") + 1})
			if held := group(1); held != "" {
				programs[held] = group(3)
			}
		case "test":
			if inline := group(5); inline != "" {
				f.programs = append(f.programs, namedAt{inline, strings.Count(text[:at[4]], "\n") + 1})
			}
			f.tests = append(f.tests, registered{group(3), cmp.Or(group(5), programs[group(4)])})
		}
	}
	return f
}

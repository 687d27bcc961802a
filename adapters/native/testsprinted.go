package native

import (
	"maps"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/text/pattern"
)

// noneRan are lines with which the frameworks of C++ end a run of no test, each
// after a text by which it is looked for. All of them call that a success.
var noneRan = map[string]*pattern.Pattern{
	" ran.":        pattern.New(`^\[=+\] 0 tests? from 0 test (?:suites?|cases?) ran\.`),
	"No tests ran": pattern.New(`^No tests ran$`),
	"test cases:":  pattern.New(`^\[doctest\] test cases:\s+0 \|`),
}

// noSection are those with which they end one of a section that there is not.
var noSection = map[string]*pattern.Pattern{
	"assertions:": pattern.New(`^assertions: - none -$|^\[doctest\] assertions:\s+0 \|`),
}

// colors are what a framework paints a terminal with.
var colors = pattern.New("\x1b\\[[0-9;]*m")

// TestsPrinted goes by what a framework prints, however the program was started.
func (c *common) TestsPrinted(lines func(stream, text string) []string) (run adapters.TestRun, known bool) {
	if c.lang != build.CPP {
		return run, false
	}
	if run, known = unityRun(lines); known {
		return run, true
	}
	ends := maps.Clone(noneRan)
	if c.section {
		maps.Copy(ends, noSection)
	}
	for text, none := range ends {
		if slices.ContainsFunc(lines("stdout", text), func(line string) bool { return none.MatchString(strings.TrimSpace(colors.ReplaceAllString(line, ""))) }) {
			return run, true
		}
	}
	return run, false
}

// namesSection says that a test program was asked for a part of a test.
func namesSection(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "-c" || strings.HasPrefix(arg, "--section") || strings.HasPrefix(arg, "--dt-subcase=")
	})
}

package java

import (
	"path"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var stackLine = pattern.New(`^\s*at (?:[\w.@-]+/)?((?:[\w$]+\.)*)([\w$]+)\.([\w$<>]+)\((\w+\.java):(\d+)\)$`)

// stackPlaces are those of an exception's stack. A file is told with the folders of its package.
func stackPlaces(stack string) []adapters.Thrown {
	var list []adapters.Thrown
	for line := range strings.Lines(stack) {
		m := stackLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[5])
		list = append(list, adapters.Thrown{Function: m[2] + "." + m[3], File: path.Join(strings.ReplaceAll(m[1], ".", "/"), m[4]), Line: n})
	}
	return list
}

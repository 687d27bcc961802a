package debugpy

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/pattern"
)

var stackLine = pattern.New(`^\s*File "(.+)", line (\d+), in (.+)$`)

// stackPlaces are those of a traceback, whose innermost is its last.
func stackPlaces(stack string) []adapters.Thrown {
	var list []adapters.Thrown
	for line := range strings.Lines(stack) {
		if m := stackLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			n, _ := strconv.Atoi(m[2])
			list = append(list, adapters.Thrown{Function: m[3], File: m[1], Line: n})
		}
	}
	slices.Reverse(list)
	return list
}

package jsdebug

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var stackLine = pattern.New(`^\s*at (?:async )?(?:(.+) \()?(?:file://)?(/[^()]+):(\d+):\d+\)?$`)

// stackPlaces are those of an error's stack.
func stackPlaces(stack string) []adapters.Thrown {
	var list []adapters.Thrown
	for line := range strings.Lines(stack) {
		if m := stackLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			n, _ := strconv.Atoi(m[3])
			list = append(list, adapters.Thrown{Function: m[1], File: m[2], Line: n})
		}
	}
	return list
}

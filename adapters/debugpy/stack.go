package debugpy

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	stackLine = pattern.New(`^\s*File "(.+)", line (\d+), in (.+)$`)
	repeated  = pattern.New(`^\s*\[Previous line repeated (\d+) more times?\]$`)
)

// stackPlaces are those of a traceback, whose innermost is its last.
func stackPlaces(stack string) []adapters.Thrown {
	var list []adapters.Thrown
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		if m := stackLine.FindStringSubmatch(line); m != nil {
			list = append(list, adapters.Thrown{Function: m[3], File: m[1], Line: atoi(m[2])})
		} else if m := repeated.FindStringSubmatch(line); m != nil && len(list) > 0 {
			last := &list[len(list)-1]
			last.Times = max(last.Times, 1) + atoi(m[1])
		}
	}
	slices.Reverse(list)
	return list
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

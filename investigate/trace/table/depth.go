package table

import (
	"strconv"

	"aidb-mcp/internal/recording"
)

// function is one that is called in a thread: others go by its name elsewhere.
type function struct{ name, at, thread string }

// openCalls counts the calls of each function that are under way, less those that rest.
type openCalls map[function]int

func functionOf(e recording.Event) function { return function{e.Function, e.At, e.Thread} }

// enter is how many calls of the same function were under way as one began. Of one that
// rests while others go on, only its recorder can tell: they need not be around it.
func (s openCalls) enter(e recording.Event) int {
	if e.Rests {
		return e.Depth
	}
	n := s[functionOf(e)]
	s[functionOf(e)]++
	return max(e.Depth, n)
}

// leave takes away a call that began so.
func (s openCalls) leave(begun recording.Event) {
	if !begun.Rests {
		s[functionOf(begun)]--
	}
}

// depthOf shows how deep a call was made in others of its function.
func depthOf(r row) string {
	if r.depth == recording.Unknown {
		return "-"
	}
	return strconv.Itoa(r.depth)
}

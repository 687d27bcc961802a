package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/session/breakpoints"
)

// JoinText puts two remarks together.
func JoinText(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("%s; %s", a, b)
}

func cutByText(st State) string {
	switch {
	case len(st.Hit) == 1:
		return fmt.Sprintf(" by breakpoint %d", st.Hit[0])
	case st.Reason != "":
		return " by a stop for another reason: " + st.Reason
	}
	return ""
}

// mostNamed is how many threads are named that have stopped for the same.
const mostNamed = 4

// otherStopsText says where the other threads stand that have stopped with the one that
// is shown, empty when none have.
func (m *Machine) otherStopsText(shown Stop) string {
	var whys []string
	threads := map[string][]string{}
	for _, h := range m.held {
		if h.Connection != shown.Connection {
			continue
		}
		why := h.reasonText(shown.Decision)
		if threads[why] == nil {
			whys = append(whys, why)
		}
		threads[why] = append(threads[why], strconv.Itoa(h.Event.ThreadID))
	}
	if len(whys) == 0 {
		return ""
	}
	for i, why := range whys {
		whys[i] = someThreads(threads[why]) + why
	}
	return strings.Join(whys, ", ") + " (continue shows each)"
}

// reasonText is what a stop that is held is for.
func (h Stop) reasonText(shown breakpoints.Decision) string {
	switch hit := h.Decision.Hit; {
	case len(hit) == 0:
		return " stopped too by " + strings.TrimSpace(h.Event.Reason+" "+h.Event.Description)
	case slices.Equal(hit, shown.Hit):
		return fmt.Sprintf(" at breakpoint %d too", hit[0])
	default:
		return fmt.Sprintf(" at breakpoint %d", hit[0])
	}
}

// someThreads names threads, not more than a reader wants.
func someThreads(ids []string) string {
	switch rest := len(ids) - mostNamed; {
	case len(ids) == 1:
		return "thread " + ids[0] + " is"
	case rest > 0:
		return fmt.Sprintf("threads %s and %d more are", strings.Join(ids[:mostNamed], ", "), rest)
	default:
		last := len(ids) - 1
		return fmt.Sprintf("threads %s and %s are", strings.Join(ids[:last], ", "), ids[last])
	}
}

package native

import (
	"strings"

	godap "github.com/google/go-dap"
)

// Sift: where the program's streams are ours, or are none of ours, what comes
// as output is the debugger's own talk. It is kept for the errors of a start.
func (c *common) Sift(e godap.OutputEventBody) (godap.OutputEventBody, bool) {
	if name, ended := strings.CutPrefix(e.Output, "aidb: ended by "); ended {
		c.mu.Lock()
		c.killer = strings.TrimSpace(name)
		c.mu.Unlock()
		return e, false
	}
	if c.siftForks(e.Output) {
		return e, false
	}
	if e.Category != "stdout" && e.Category != "stderr" {
		return e, true
	}
	if c.plain && !strings.HasPrefix(e.Output, "Stop reason: ") {
		e.Output = strings.ReplaceAll(e.Output, "\r\n", "\n")
		return e, true
	}
	e.Category = "console"
	return e, true
}

// Correct: the debuggers count hits each in a way of its own, and print log
// messages among the program's output; the engine does both the same for all.
func (c *common) Correct(caps *godap.Capabilities) {
	caps.SupportsHitConditionalBreakpoints = false
	caps.SupportsLogPoints = false
}

// Bound: CodeLLDB calls verified what has found no place yet.
func (c *common) Bound(b *godap.Breakpoint) {
	if b.Message == "Resolved locations: 0" {
		b.Verified = false
	}
	if strings.HasPrefix(b.Message, "Resolved locations: ") {
		b.Message = ""
	}
	if !b.Verified && b.Message == "" {
		b.Message = notBound
	}
}

const notBound = "no code of the program was built from this place"

package flow

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

// handedOver says why a step is the last that is known where what it has put somewhere was given by
// an object in a call of which nothing is noted, while other threads ran: empty for other steps.
func (t trail) handedOver(step Step, at int64) string {
	sources := t.code.Sources(step.At)
	if len(sources) != 1 || sources[0].Kind != exprsyntax.Returned || sources[0].Taken || step.Kind != Assigned && step.Kind != Returned {
		return ""
	}
	call := sources[0]
	object, _, is := strings.Cut(call.Text, "."+call.Name+"(")
	if !is || !isObjectOf(step.Operands, object) || !t.hasOtherThread(step.Thread) || t.hasCalled(at) {
		return ""
	}
	return fmt.Sprintf("nothing is noted of what %s did: how it came to its result was not seen", call.Text)
}

// hasCalled says that the statement of an event has called something that is noted, which may be
// what its source names otherwise.
func (t trail) hasCalled(at int64) bool {
	i := t.indexFrom(at)
	if i >= len(t.log) {
		return true
	}
	e := t.log[i]
	use, known := t.useOf(i, e.Call, e.Thread)
	return !known || slices.ContainsFunc(t.log[use:i], func(o recording.Event) bool {
		return o.Kind == recording.Enter && o.Thread == e.Thread
	})
}

// isObjectOf says that an object was read by this name.
func isObjectOf(operands []Operand, name string) bool {
	for _, o := range operands {
		if o.Value.Same != "" && isNamed(o.Name, name) {
			return true
		}
	}
	return false
}

// hasOtherThread says that something was noted in another thread than this.
func (t trail) hasOtherThread(thread string) bool {
	for _, e := range t.log {
		if e.Thread != thread && (e.Kind == recording.Enter || e.Kind == recording.Write) {
			return true
		}
	}
	return false
}

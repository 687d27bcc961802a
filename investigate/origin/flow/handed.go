package flow

import (
	"fmt"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

// handedOver says why a step is the last that is known where what it has put somewhere came out of
// an object by a call in which nothing is noted, and other threads may have put it there: empty for
// other steps.
func (t trail) handedOver(step Step) string {
	sources := t.code.Sources(step.At)
	if len(sources) != 1 || sources[0].Kind != exprsyntax.Returned || sources[0].Taken || step.Kind != Assigned && step.Kind != Returned {
		return ""
	}
	call := sources[0]
	object, _, is := strings.Cut(call.Text, "."+call.Name+"(")
	if !is || !isObjectOf(step.Operands, object) || !t.hasOtherThread(step.Thread) || t.isNoted(call.Name) {
		return ""
	}
	return fmt.Sprintf("%s was given by %s, in which nothing is noted: who put it there, perhaps in another thread, was not seen", step.Value.Text, call.Text)
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

// isNoted says that some call of a function by this name was noted.
func (t trail) isNoted(name string) bool {
	for _, e := range t.log {
		if e.Kind == recording.Enter && isCalledAs(e.Function, name) {
			return true
		}
	}
	return false
}

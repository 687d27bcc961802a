package inspect

import (
	"fmt"
	"strings"

	godap "github.com/google/go-dap"
)

// Stack is what is known of one thread's frames.
type Stack struct {
	Frames   []godap.StackFrame // from the top
	Complete bool               // there are no more
	Hidden   int                // frames of the runtime above the user's, not counted in indices
}

// Key tells one activation of a function from another by its thread and
// all callers with their lines, which do not change while it lasts. Inside a
// recursion deeper than the known part of the stack that is not enough: then
// there is no key.
func (st Stack) Key(thread int) string {
	user := min(st.Hidden, len(st.Frames)-1)
	own := st.Frames[user]
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", thread, own.Name)
	distinct := false
	for _, f := range st.Frames[user+1:] {
		fmt.Fprintf(&b, "|%s:%d", f.Name, f.Line)
		distinct = distinct || f.Name != own.Name
	}
	if !st.Complete && !distinct {
		return ""
	}
	return b.String()
}

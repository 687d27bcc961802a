package ruby

import (
	"fmt"
	"strings"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// dialect is how our server of DAP in the program departs from the protocol's plain word. It
// belongs to one session.
type dialect struct {
	adapters.Base
	testRun atomic.Pointer[adapters.TestRun] // nil when none has been reported
}

func newDialect() *dialect {
	return &dialect{
		Base: adapters.Base{
			ID: "rdbg", Name: "rdbg", Uncaught: []string{"uncaught"},
			Meanings: map[string][]string{"all": {"raised", "uncaught"}},
		},
	}
}

// Stopped: the text of a stop at an exception is its type, the description its message.
func (d *dialect) Stopped(body godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(body)
	if stop.Reason == "exception" {
		stop.Description, stop.Text = body.Text, body.Description
	}
	return stop
}

// Truth is Ruby's own: only nil and false are false.
func (*dialect) Truth(expr string) string { return "!!(" + expr + ")" }

// installed matches where Rubies keep their libraries and gems.
var installed = pattern.New(`/gems/[^/]+-\d[^/]*/|/lib/ruby/|^<internal:|/bundler/gems/|^-e$`)

// Internal says that of libraries and of Ruby's own.
func (*dialect) Internal(frame godap.StackFrame) bool {
	return frame.Source == nil || strings.HasPrefix(frame.Name, "[C] ") || installed.MatchString(frame.Source.Path)
}

// simple is a path that something can be taken of without brackets.
var simple = pattern.New(`^[@$]{0,2}[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*[?!]?|\[[^\[\]]*\])*$`)

// Range slices texts and lists, and what can be made one.
func (*dialect) Range(expr, typ string, start, count int) string {
	if !simple.MatchString(expr) {
		expr = "(" + expr + ")"
	}
	switch typ {
	case "String", "Array":
		return fmt.Sprintf("%s[%d, %d]", expr, start, count)
	case "Hash":
		return fmt.Sprintf("%s.first(%d).drop(%d).to_h", expr, start+count, start)
	case "Set":
		return fmt.Sprintf("%s.to_a[%d, %d]", expr, start, count)
	}
	return ""
}

// TextLength counts characters, as Range does.
func (*dialect) TextLength(expr, typ string) string {
	if typ == "String" {
		return "(" + expr + ").length"
	}
	return ""
}

// TextUnits reads what the server has put beside a text.
func (*dialect) TextUnits(v godap.Variable) (n int, known bool) {
	if v.PresentationHint == nil {
		return 0, false
	}
	for _, attribute := range v.PresentationHint.Attributes {
		if _, err := fmt.Sscanf(attribute, "length:%d", &n); err == nil {
			return n, true
		}
	}
	return 0, false
}

// Assignment is Ruby's.
func (*dialect) Assignment(name, value string) string { return name + " = (" + value + "\n)" }

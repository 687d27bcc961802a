package java

import (
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Exception filters of the bridge.
const (
	filterUncaught = "uncaught"
	filterCaught   = "caught"
	filterFailing  = "test_failure"
)

// dialect is how the bridge departs from the protocol's plain word. It is our
// own, so that most is as it should be already.
type dialect struct {
	adapters.Base
	entry string
	tests bool

	recorders *recorders // in the program; nil: it is on another machine
}

func newDialect(entry string, tests bool) *dialect {
	d := &dialect{
		Base: adapters.Base{
			ID: "java", Name: "Java", Uncaught: []string{filterUncaught},
			Meanings: map[string][]string{"all": {filterUncaught, filterCaught}},
		},
		entry: entry, tests: tests,
	}
	if tests { // what fails a test is caught by the framework
		d.Uncaught = []string{filterUncaught, filterFailing}
	}
	return d
}

// Initialize lets the engine start the program: its streams, its exit code and
// its processes are ours then.
func (d *dialect) Initialize(args *godap.InitializeRequestArguments) {
	d.Base.Initialize(args)
	args.SupportsRunInTerminalRequest = true
}

// Entry is the main method, or the test.
func (d *dialect) Entry() string { return d.entry }

// Stopped takes the text that comes with a breakpoint for a remark: what went
// wrong with its condition, or which change a watch is about, for Java stops
// before it is made.
func (d *dialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(e)
	if strings.HasSuffix(e.Reason, "breakpoint") {
		stop.Error, stop.Text = e.Text, ""
	}
	return stop
}

// Range: a string is read by its characters.
func (*dialect) Range(expr, typ string, start, count int) string {
	if typ != "String" {
		return ""
	}
	return fmt.Sprintf("(%s).substring(%d, %d)", expr, start, start+count)
}

// TextLength counts characters, as Range does.
func (*dialect) TextLength(expr, typ string) string {
	if typ != "String" {
		return ""
	}
	return "(" + expr + ").length()"
}

// FullLength: a string that was cut has its length where others have the number
// of their elements.
func (*dialect) FullLength(v godap.Variable) int {
	if v.Type == "String" && v.VariablesReference == 0 {
		return v.IndexedVariables
	}
	return 0
}

// Truth: only a boolean is one, and the bridge says so of anything else.
func (*dialect) Truth(expr string) string { return "(" + expr + ") ? true : false" }

// Internal: frames of libraries, whose source is not here.
func (*dialect) Internal(frame godap.StackFrame) bool { return frame.PresentationHint == "subtle" }

// Noise is what Java writes because of variables in its environment, and the
// counts of a test runner that tell nothing.
func (d *dialect) Noise(stream, line string) bool {
	if d.tests && stream == "stdout" && isEmptyCount(line) {
		return true
	}
	return stream == "stderr" && (strings.HasPrefix(line, "Picked up JAVA_TOOL_OPTIONS:") || strings.HasPrefix(line, "Picked up _JAVA_OPTIONS:"))
}

// Signal: Java ends with 128 and the number of the signal that it was told to end with.
func (*dialect) Signal(exitCode int) string {
	names := map[int]string{130: "SIGINT", 137: "SIGKILL", 143: "SIGTERM"}
	return names[exitCode]
}

// Opaque says of values that show no more than their class.
func (*dialect) Opaque(value, typ string) bool {
	name, number, found := strings.Cut(value, "@")
	return found && name == typ && number != "" && !slices.ContainsFunc([]byte(number), func(b byte) bool { return b < '0' || b > '9' })
}

var (
	_ adapters.Dialect = (*dialect)(nil)
)

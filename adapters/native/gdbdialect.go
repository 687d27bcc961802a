package native

import (
	"context"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/text/pattern"
)

// gdbDialect is what gdb says differently.
type gdbDialect struct{ common }

func newGDBDialect(s *start) *gdbDialect {
	d := &gdbDialect{newCommon("gdb", "repl", s)}
	d.Meanings = map[string][]string{"all": {"throw"}}
	return d
}

// Stopped: gdb names a stop for a signal, but not the signal.
func (d *gdbDialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(e)
	switch e.Reason {
	case "function call": // of an expression, and it is over
		stop.Echo = true
		return stop
	case "signal", "exception":
		stop.Reason, stop.Ask = "signal", true
	case "attach", "stopped":
		stop.Reason = "entry"
		stop.Resume = d.pid != 0 && !d.entryStop   // a remote one is seen to below
		stop.Ask = d.core || e.Reason == "stopped" // so it tells a trap, at which a test framework may have stopped
		if e.Reason == "attach" && d.pid != 0 {
			stop.Reason = "pause" // of a program that ran
		}
	case "breakpoint":
		stop.Ask = d.throws.Load()
	}
	return d.noteSignal(stop, false)
}

// ReadStop finds out the signal of a stop, whether it is about an exception,
// and whether the condition of its breakpoint could be evaluated at all.
func (d *gdbDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason == "entry" && !d.core {
		return d.failedTest(ctx, c, stop)
	}
	if stop.Reason == "signal" || d.core {
		stop.Reason = "signal"
		var s struct{ Signal, Said, Address string }
		if err := d.ask(ctx, c, &s, "stopped", stop.ThreadID); err != nil {
			return stop
		}
		stop.Description, stop.Text = s.Signal, faultText(s.Signal, s.Said, s.Address)
		if stop = d.noteSignal(stop, false); stop.Resume {
			return stop
		}
		if s.Signal != "SIGABRT" && s.Signal != "SIGTRAP" {
			return stop
		}
	}
	return d.readStop(ctx, c, stop)
}

// Returned has a scope of its own after a step out.
func (d *gdbDialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	return returnedValues(ctx, c, thread, d.Variables)
}

func returnedValues(ctx context.Context, c adapters.Caller, thread int, tidy func(string, []godap.Variable) []godap.Variable) ([]godap.Variable, error) {
	locals, err := topLocals(ctx, c, thread)
	for _, v := range locals {
		if v.Name == gdbReturned {
			v.Name = "result"
			return tidy("", []godap.Variable{v}), nil
		}
	}
	return nil, err
}

// gdbReturned is the name of what a function gave that was stepped out of.
const gdbReturned = "(return)"

// Variables puts the type where there is no value, and numbers elements with
// brackets. What was returned is told apart from the locals.
func (d *gdbDialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	kept := make([]godap.Variable, 0, len(vars))
	for _, v := range vars {
		if v.Name == gdbReturned || isForeign(parent, v.Name) {
			continue
		}
		if v.Value == "" && v.VariablesReference != 0 {
			v.Value = "{...}"
		}
		v.Value = plainValue(d.lang, v)
		if isNumber(v.Name) {
			v.Name = "[" + v.Name + "]"
		}
		v.Type = shortType(v.Type)
		if v.EvaluateName == "" {
			v.EvaluateName = pathOf(parent, v.Name)
		}
		kept = append(kept, v)
	}
	return kept
}

// pathOf is the way to a child, which gdb does not tell.
func pathOf(parent, name string) string {
	switch {
	case scopeNames[parent]:
		return name
	case parent == "" || !member.MatchString(name):
		return ""
	case strings.HasPrefix(name, "["):
		return parent + name
	}
	return parent + "." + name
}

var (
	scopeNames = map[string]bool{"Arguments": true, "Locals": true, "Registers": true, "Globals": true, "Return": true}
	member     = pattern.New(`^(\[\d+\]|[A-Za-z_]\w*)$`)
)

// Expression has our own evaluator look first, which reads what the program's
// library holds without operators that the compiler may have left out.
func (d *gdbDialect) Expression(expr string) (rewritten, context string) {
	if trimmed := strings.TrimSpace(expr); d.lang == build.CPP && reads(trimmed) {
		return `$aidb("` + digits(trimmed) + `")`, "watch"
	}
	return expr, "watch"
}

// Assignment is for what is named by more than a way through the variables.
func (d *gdbDialect) Assignment(name, value string) string { return name + " = " + value }

// chatter is what gdb says to whatever is set, and never an error.
var chatter = pattern.New(`^(?:(?:Function|File)\(s\) .* will be skipped|No source file named |Breakpoint \d+ \(|Function ".*" not defined\.)`)

// Sift drops gdb's chatter, which is no cause of a start that failed.
func (d *gdbDialect) Sift(e godap.OutputEventBody) (godap.OutputEventBody, bool) {
	if !d.plain && chatter.MatchString(e.Output) {
		return e, false
	}
	return d.common.Sift(e)
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Correct: a value that was set by its expression is shown as it was among the
// locals; set among these, it is shown as it is.
func (d *gdbDialect) Correct(caps *godap.Capabilities) {
	d.common.Correct(caps)
	caps.SupportsSetExpression = false
}

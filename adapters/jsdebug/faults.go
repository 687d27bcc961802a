package jsdebug

import (
	"errors"
	"strings"

	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// plainError takes an error apart for those who show it themselves.
func plainError(err error) (message, hint string) {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f.Message, f.Hint
	}
	return err.Error(), ""
}

var (
	thrownText = pattern.New(`(?s)^Uncaught (?:(\w+) )?(\w*(?:Error|Exception): .*?)(?:\n\s+at .*)?$`)
	notDefined = pattern.New(`^ReferenceError: (\S+) is not defined`)
	nothingOf  = pattern.New(`^TypeError: Cannot read properties of (undefined|null)`)
)

// Fault tells an error of the program's language as it would be told there.
func (*dialect) Fault(op string, err error) (message, hint string) {
	reason := err.Error()
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		reason = refused.Message
	}
	reason = strings.TrimSpace(reason)
	if m := thrownText.FindStringSubmatch(reason); m != nil {
		reason = m[2]
	}
	reason = strings.TrimPrefix(reason, "Uncaught ")
	switch {
	case reason == "breakpoint.provisionalBreakpoint":
		return "no code that comes from this line has been loaded yet, or the condition is no expression", ""
	case strings.Contains(reason, "await can not be used") || strings.Contains(reason, "await is only valid"):
		return "nothing can be awaited while the program stands still", "look at the promise itself: its state and result are shown"
	case notDefined.MatchString(reason):
		return reason, "inspect(target: locals) and inspect(target: globals) list what is in scope; V8 keeps a variable of an outer function only where an inner one uses it"
	case nothingOf.MatchString(reason):
		return reason, "look at the part before it, or write ?. in place of the dot"
	case strings.HasPrefix(reason, "SyntaxError"):
		return reason, "write an expression of JavaScript, without types"
	case strings.Contains(reason, "Could not connect to debug target"):
		return reason, "start the program with node --inspect, and give the host and port that it prints"
	case strings.Contains(reason, "ENOENT") || strings.Contains(reason, "Can't find Node.js"):
		return reason, installNode
	}
	return reason, defaultHints[op]
}

// defaultHints say what to do about a reason that nothing more is known of.
var defaultHints = map[string]string{
	"evaluate":    "inspect(target: locals) lists what is in scope",
	"setVariable": "give an expression of JavaScript as value; constants and imports cannot be set",
	"launch":      "does node run the program outside of the debugger? adapter(action: verify) checks the adapter",
	"attach":      "is it a node whose inspector listens? node --inspect prints the host and port",
}

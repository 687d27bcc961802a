package debugpy

import (
	"errors"
	"strings"

	"aidb-mcp/dap"
	"aidb-mcp/internal/text/pattern"
)

// A translation replaces a reason of debugpy by plain words ($1 is what the
// pattern captured; empty keeps the reason) and adds what to do about it.
type translation struct {
	pattern       *pattern.Pattern
	message, hint string
}

// translations are tried in order.
var translations = []translation{
	{pattern.New(`^NameError: name '([^']+)' is not defined`), "there is no $1 here",
		"inspect(target: locals) and inspect(target: globals) list what is in scope; other frames have their own"},
	{pattern.New(`^SyntaxError: (.*)`), "the expression cannot be read: $1", "write a Python expression, or a statement like x = 1"},
	{pattern.New(`^Error executing: (.*)`), "$1 could not be executed", "does the value evaluate, and can the target be assigned to?"},
	{pattern.New(`^LookupError: (.*)`), "$1", "give one whole definition, named as the program knows it: function, Class.method or package.module.function"},
	{pattern.New(`^Breakpoint in file that does not exist`), "the program's side has no such file", "with path_mappings: do local and remote name the same directory?"},
	{pattern.New(`(?s)^Breakpoint in file excluded by filters`), "the file belongs to a library, which just_my_code passes over", "start with just_my_code: false"},
	{pattern.New(`disconnected unexpectedly`), "the program has let go of its debugger, and is about to end", "ask again: its end is told then"},
	{pattern.New(`^Unable to find thread`), "its thread does not stand: it waits in code that is no Python, or has gone on since", "look again: inspect(target: stack)"},
	{pattern.New(`^line (\d+) comes (?:before|after) the current code block`), "line $1 is outside of the function that the program stands in", "jump within the function"},
	{pattern.New(`^(?:can't jump|can only jump)(.*)`), "", "Python can jump only within a function, and not into a block"},
	{pattern.New(`ptrace: (?:Operation not permitted|Inappropriate)|ptrace.*not permitted`), "the system does not allow attaching to the program (ptrace)",
		"allow it with `sudo sysctl kernel.yama.ptrace_scope=0`, run as its user or as root, or start the program with mode launch"},
	{pattern.New(`Timed out waiting for debug server to connect|Timed out waiting for debuggee to spawn`), "the debugger could not be put into the program",
		"is it a Python program that executes Python code just now? kernel.yama.ptrace_scope must allow it; or start it with `python -m debugpy --listen 5678`"},
	{pattern.New(`is already being debugged`), "", "end the other session first"},
}

// Fault takes the reason out of a traceback and translates what is hard to understand.
func (*dialect) Fault(op string, err error) (message, hint string) {
	reason := err.Error()
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		reason = refused.Message
	}
	reason = strings.TrimSpace(reason)
	if strings.HasPrefix(reason, "Traceback (most recent call last)") {
		reason = lastLine(reason)
	}
	if why, ok := strings.CutPrefix(reason, "SyntaxError: "); ok && op == "patch" {
		return "the code cannot be read: " + why, "give the whole definition, beginning at the first column"
	}
	for _, t := range translations {
		m := t.pattern.FindStringSubmatchIndex(reason)
		if m == nil {
			continue
		}
		fill := func(template string) string { return string(t.pattern.ExpandString(nil, template, reason, m)) }
		if t.message == "" {
			return reason, fill(t.hint)
		}
		return fill(t.message), fill(t.hint)
	}
	return reason, defaultHints[op]
}

// defaultHints say what to do about a reason that nothing more is known of.
var defaultHints = map[string]string{
	"evaluate":    "evaluate the parts of the expression to see which one fails",
	"setVariable": "give a Python expression for the value",
	"launch":      "does the program run outside of the debugger? adapter(action: verify) checks the adapter",
	"attach":      "is it a Python program of your own that is not being debugged already?",
}

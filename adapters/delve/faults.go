package delve

import (
	"errors"
	"strings"
	"sync"

	"aidb-mcp/dap"
	"aidb-mcp/internal/text/pattern"
)

// noise is what Delve puts before the reason.
var noise = pattern.New(`^(Unable to [a-z ]+|Failed to [a-z]+|Error while disconnecting|Internal Error|Could not get data breakpoint info|` +
	`Unsupported command|Not yet implemented|could not launch process|error evaluating expression): `)

// A translation replaces a reason of Delve by plain words ($1 is what the
// pattern captured; empty keeps the reason) and adds what to do about it.
type translation struct {
	pattern       *pattern.Pattern
	message, hint string
}

// translations are tried in order. They are compiled when the first failure
// comes, not at every start of this binary.
var translations = sync.OnceValue(func() []translation {
	return []translation{
		{pattern.New(`^could not find symbol value for (\S+)$`), "there is no $1 here",
			"locals are seen only in their own frame, variables and functions of another package want their package: pkg.$1"},
		{pattern.New(`^(.+) has no member (\w+)$`), "$1 has no field or method $2 that the debugger can reach",
			"methods that the program itself never calls are not linked into it, generic ones cannot be called; inspect(expression) without the last part shows the fields"},
		{pattern.New(`^could not find symbol (?:value for )?(\S+\.\S+)$`), "$1 is not in the program, or not where the debugger can reach it",
			"functions that nothing calls are not linked, constants and what the compiler puts in place have no symbol: compute with values that are in scope"},
		{pattern.New(`^no type entry found, use 'types' for a list of valid types$`), "the expression names a type that the debugger does not know here",
			"write a type of the program with its package, main.T; composite values like T{} cannot be made in an expression"},
		{pattern.New(`^no type entry found for ([^,]+).*$|^could not find type (\S+)$`), "the debugger knows no type $1$2",
			"write a type of the program with its package, main.T"},
		{pattern.New(`^(?:invalid unary operation !|operator ! can not be applied to ).*`), "a bool is wanted and this is none: compare it with something, as in x != 0",
			"only comparisons and bools are true or false in Go"},
		{pattern.New(`^(.*): stack object passed to escaping pointer: (\S+)$`), "the function may keep a pointer to $2, which is a variable on the stack",
			"read the fields instead, or change them with variable(action: set)"},
		{pattern.New(`(?i)evalop|^internal debugger error`), "the debugger cannot evaluate an expression of this kind",
			"expressions may use variables, fields, indexes, slices, operators, len, cap and calls of functions of the program"},
		{pattern.New(`^invalid argument (\S+) \(type complex\d+\) to (real|imag)$`), "the debugger cannot compute $2 of $1: a part of it is not a finite number",
			"print it in the program, or read its bytes with inspect(target: memory)"},
		{pattern.New(`^function calls not allowed without using 'call'`), "the expression calls a function that could not be told from a conversion",
			"write it as: call f(x)"},
		{pattern.New(`^call is only supported with topmost stack frame`), "functions can be called only from the top frame of a goroutine that was running",
			"set a breakpoint on a line of your own code and evaluate there, or evaluate without calling a function"},
		{pattern.New(`^(?:call stopped|the call was interrupted)`), "the call was interrupted: the called function has hit a breakpoint, has panicked, or was paused",
			"the program now stands there; continue or step out to let the call finish"},
		{pattern.New(`function call not allowed at unsafe point|call not at safe point`), "a function cannot be called at this very instruction",
			"step once and evaluate again"},
		{pattern.New(`^selected goroutine not running$|^could not call function: .*not running`), "this goroutine is parked, and functions can be called only on one that was running",
			"evaluate without calling a function, or in the goroutine that the program has stopped in"},
		{pattern.New(`^call injection already in progress`), "a call from an earlier expression has not returned yet", "continue until it has"},
		{pattern.New(`^debuggee is running$`), "the program is running", "pause it first"},
		{pattern.New(`^could not find statement at (.+:\d+), please use a line with a statement$`), "there is no code on that line",
			"blank lines, comments and declarations without a value hold none: take a line with a statement"},
		{pattern.New(`^could not find file (.+)$`), "$1 is not part of the program",
			"is it built into this binary? for a program built elsewhere give path_mappings"},
		{pattern.New(`^location "([^"]+)" not found$|^could not find function (\S+)$`), "the program has no function $1$2",
			"write it with its package, methods as pkg.(*Type).Method; the linker drops functions that nothing calls"},
		{pattern.New(`^[Bb]reakpoint (?:name )?(?:already )?exists`), "there is a breakpoint at this place already", "remove that one, or change it"},
		{pattern.New(`can not be enabled`), "there is a breakpoint at this place already", "remove that one, or change it"},
		{pattern.New(`unknown goroutine (-?\d+)|no goroutine (-?\d+)|could not find goroutine (-?\d+)`), "there is no goroutine $1$2$3",
			"inspect(target: threads) lists them"},
		{pattern.New(`no such process|could not open debug info for pid`), "there is no such process", "give the id of a running program (ps, pgrep)"},
		{pattern.New(`operation not permitted`), "the system does not allow it (operation not permitted)", attachRemedy},
		{pattern.New(`could not open debug info`), "the program has no debug information",
			"build it without -ldflags=-s or -w, and not with go run"},
		{pattern.New(`not an executable file`), "", "was it built for this system, and is its x bit set?"},
		{pattern.New(`Can not set data breakpoints while the process is running`), "a watchpoint cannot be set while the program runs", "pause it first"},
		{pattern.New(`hardware breakpoints? (?:exhausted|not available)|no hardware breakpoint|too many hardware`), "",
			"the processor has 4 watchpoints: remove one"},
		{pattern.New(`can not watch variable of type|size not supported|wrong size`), "", "watch a field or an element of at most 8 bytes"},
		{pattern.New(`^(?:too many|not enough) arguments`), "", "look at the function's parameters: inspect(expression: the function's name)"},
		{pattern.New(`this Delve \(.*\) knows Go`), "",
			`build the program with one of these versions, update aidb-mcp, or try it nevertheless with adapter_options {"checkGoVersion":false}`},
		{pattern.New(`^a core file`), "", "look at it with inspect: stack, threads, locals, expressions"},
		{pattern.New(`^\d+:\d+: `), "", "expressions are Go expressions without statements, like a.b[2] or len(xs) > 3"},
		{pattern.New(`^literal string can not be allocated`), "a string cannot be stored here", "give a value of the variable's own type"},
		{pattern.New(`can not (?:convert|assign)`), "", "give a value of the variable's own type"},
		{pattern.New(`^mismatched types`), "", "convert one side, like float64(n) or int(x)"},
	}
})

// Fault strips what Delve says around its reason and translates the reasons
// that are hard to understand.
func (*dialect) Fault(op string, err error) (message, hint string) {
	reason := err.Error()
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		reason = refused.Message
	}
	reason = strings.TrimSpace(reason)
	for noise.MatchString(reason) {
		reason = noise.ReplaceAllString(reason, "")
	}
	for _, t := range translations() {
		m := t.pattern.FindStringSubmatchIndex(reason)
		if m == nil {
			continue
		}
		fill := func(template string) string {
			return string(t.pattern.ExpandString(nil, template, reason, m))
		}
		if t.message != "" {
			message = fill(t.message)
		} else {
			message = reason
		}
		return message, fill(t.hint)
	}
	return reason, defaultHints[op]
}

// defaultHints say what to do about a reason that nothing more is known of.
var defaultHints = map[string]string{
	"evaluate":    "inspect(target: locals) lists what is in scope",
	"setVariable": "give a Go literal or the name of another variable",
	"launch":      "does the program run outside of the debugger? adapter(action: verify) checks the adapter",
	"attach":      "is it a Go program of your own that is not being debugged already?",
}

package native

import (
	"cmp"
	"strings"

	"aidb-mcp/dap"
	"aidb-mcp/internal/text/pattern"
)

// place matches where in the text of an expression LLDB found a fault.
var place = pattern.New(`(?m)^(?:ValueError: )?(?:error: )?<user expression \d+>:\d+:\d+: `)

// plainError is the first line that says something, without the debugger's
// own decoration.
func plainError(text string) string {
	text = lastRaised(text)
	text = place.ReplaceAllString(text, "")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		line = decoration.ReplaceAllString(line, "")
		line = strings.TrimSuffix(line, ":")
		switch line {
		case "", "Couldn't parse conditional expression", "Couldn't look up symbols":
			continue
		}
		return line
	}
	return strings.TrimSpace(text)
}

// decoration is what debuggers put before what they say.
var decoration = pattern.New(`^(?:Exception: |Error occurred in Python: |error: |<user expression \d+>:\d+:\d+: )+`)

// lastRaised is what a traceback of the debugger's own Python says at its end, or the
// text itself: the lines before are indented and tell of the debugger only.
func lastRaised(text string) string {
	const head = "Traceback (most recent call last):\n"
	at := strings.LastIndex(text, head)
	if at < 0 {
		return text
	}
	for line := range strings.Lines(text[at+len(head):]) {
		if line != "" && !strings.HasPrefix(line, " ") {
			return strings.TrimPrefix(line, "Exception: ")
		}
	}
	return text
}

// explanations are of errors that have a cause which can be named.
var explanations = []struct {
	match         *pattern.Pattern
	message, hint string
}{
	{
		pattern.New(`(?i)function that is not present in the target|Couldn't look up symbols`),
		absentCode,
		"read the value by its parts: inspect(target: object) opens it, and elements of containers are written name[0]",
	},
	{
		pattern.New(`(?i)operation not permitted|ptrace\(.*\)|permission denied|not allowed to attach|Lost debug server|attach failed`),
		"", attachRemedy,
	},
	{
		pattern.New(`(?i)no such process|doesn't exist|unable to find process`),
		"", "look with ps or pgrep; processes end and their numbers are used again",
	},
	{
		pattern.New(`Remote register badly formatted|unknown architecture|Remote 'g' packet reply is too long`),
		"gdb does not understand this debug server, which may be an lldb-server",
		`join an lldb-server with adapter_options {"debugger":"lldb-dap"} or {"debugger":"codelldb"}`,
	},
	{
		pattern.New(`(?i)failed to connect|connection refused|could not connect|timed out.*remote|Connection timed out|remote failure`),
		"", "start one there: gdbserver :PORT ./app; mind host, port and firewall",
	},
	{
		pattern.New(`(?i)optimized out|not available`),
		"the value is not there: it was optimized away by the compiler at this place",
		"build with -O0, or look a few lines earlier or in the caller (frame: 1)",
	},
}

// absentCode is said of an expression that LLDB cannot run.
const absentCode = "the expression needs code that is not in the program: the compiler has inlined it or left it out"

// absent matches the functions that LLDB has looked for: the expression may not name them,
// as where it needs the copy of a result.
var absent = pattern.New(`(?s)Couldn't look up symbols:\s*(.+)`)

// withAbsent names them.
func withAbsent(message, text string) string {
	m := absent.FindStringSubmatch(text)
	if m == nil {
		return message
	}
	var names []string
	for line := range strings.Lines(m[1]) {
		if line = strings.TrimSpace(line); line != "" && len(names) < 2 && !strings.HasPrefix(line, "Hint:") {
			names = append(names, line)
		}
	}
	return message + ": " + strings.Join(names, ", ")
}

// Fault leaves the debugger's decoration away and says what can be done.
func (c *common) Fault(op string, err error) (message, hint string) {
	text := dap.Reason(err)
	message = plainError(text)
	if op == "evaluate" || op == "setVariable" || op == "setExpression" {
		hint = "expressions are the program's language as the debugger reads it, in the frame asked for; inspect(target: locals) shows the names"
	}
	if explained, remedy, known := explain(text); known {
		return cmp.Or(explained, message), remedy
	}
	return message, hint
}

// explain is what is said in place of an error, empty where its own words do, and what can
// be done, of one that has a cause which can be named.
func explain(text string) (message, hint string, known bool) {
	for _, e := range explanations {
		if e.match.MatchString(text) {
			if e.message == absentCode {
				return withAbsent(e.message, text), e.hint, true
			}
			return e.message, e.hint, true
		}
	}
	return "", "", false
}

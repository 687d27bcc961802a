package ruby

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// unread is how Ruby begins the words of an error in a file: its path, the line, the reason.
var unread = pattern.New(`(?m)^(.+?):(\d+): (?:syntax errors? found|(.+))`)

// syntaxFault words a file that Ruby cannot read like a compiler's message.
func (j *job) syntaxFault(file, said string) error {
	line, message := 0, strings.TrimSpace(said)
	if m := unread.FindStringSubmatch(said); m != nil {
		line, _ = strconv.Atoi(m[2])
		if m[3] != "" {
			message = m[3]
		}
	}
	message, _, _ = strings.Cut(message, "\n")
	shown := prepare.Show(j.Request, file)
	where := prepare.CompileError{File: strings.TrimPrefix(shown, "./"), Line: line, Message: message}
	return fault.New(fault.BuildFailed, "%s:%d: %s", shown, line, message).WithHint("mend the file and start again").
		WithDetails(prepare.BuildDetails{Errors: []prepare.CompileError{where}})
}

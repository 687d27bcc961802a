package dap

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"aidb-mcp/internal/text/pattern"
)

// ErrTimeout: the adapter did not answer within the request's limit.
// ErrClosed: the connection ended before the answer came.
// ErrPanic: handling what it sent failed by a fault of ours, and ended the connection.
// ErrUnreadable: the answer is not what the protocol says it is.
// ErrProtocol: the adapter sent something after which no message can be found.
var (
	ErrTimeout    = errors.New("no answer from the debug adapter in time")
	ErrClosed     = errors.New("the connection to the debug adapter is closed")
	ErrPanic      = errors.New("a fault of our own")
	ErrUnreadable = errors.New("unreadable answer from the debug adapter")
	ErrProtocol   = errors.New("a message that is too long")
)

// RequestError is a reply with success false: the adapter's own words.
type RequestError struct {
	Command string
	ID      int    // body.error.id, 0 when absent
	Message string // body.error.format with its variables filled in where there is one, else message
}

func (e *RequestError) Error() string { return e.Message }

// Reason is what the adapter itself has said in an error, without what that was wrapped in.
func Reason(err error) string {
	if refused, ok := errors.AsType[*RequestError](err); ok {
		return refused.Message
	}
	return err.Error()
}

// requestError reads the error out of a failed reply. Every part of it may be
// missing or of the wrong type.
func requestError(command string, reply message) *RequestError {
	var body struct {
		Error struct {
			ID        int                        `json:"id"`
			Format    string                     `json:"format"`
			Variables map[string]json.RawMessage `json:"variables"`
		} `json:"error"`
	}
	_ = json.Unmarshal(reply.Body, &body) // what fits is taken
	text := fillTemplate(body.Error.Format, body.Error.Variables)
	return &RequestError{
		Command: command,
		ID:      body.Error.ID,
		Message: cmp.Or(PlainText(text), PlainText(reply.Message), "the debug adapter gave no reason"),
	}
}

// escapes are the sequences that colour and move text on a terminal.
var escapes = pattern.New("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b\\]|\u009d)[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[@-Z\\\\-_]")

// PlainText is what an adapter says, without escape sequences and other control
// characters than tabs and line ends.
func PlainText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, escapes.ReplaceAllString(text, ""))
}

// fillTemplate replaces each {name} in format by the variable of that name. Names that
// are not among the variables stay as they are.
func fillTemplate(format string, variables map[string]json.RawMessage) string {
	pairs := make([]string, 0, 2*len(variables))
	for name, value := range variables {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value) // the protocol says string; a number will do
		}
		pairs = append(pairs, "{"+name+"}", text)
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(format))
}

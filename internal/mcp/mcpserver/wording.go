package mcpserver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"aidb-mcp/internal/text/pattern"
)

// longestError is what an error of the protocol may say, in bytes: some repeat
// what the client has sent, however much that is.
const longestError = 500

// explainError gives an error of the SDK with a code, which one before initialize or one
// that was cancelled before it began lacks, in words of bounded length that name
// no types of the language it is written in.
func explainError(err error) error {
	if err == nil {
		return nil
	}
	answer := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		answer.Code, answer.Data = wire.Code, wire.Data
	}
	if m := misread.FindStringSubmatch(answer.Message); m != nil {
		answer.Code = jsonrpc.CodeInvalidParams
		answer.Message = fmt.Sprintf("invalid params of %s: %s must be %s", m[1], fieldOrAll(m[2]), typeWord(m[3]))
	}
	if m := unread.FindStringSubmatch(answer.Message); m != nil {
		answer.Message = fmt.Sprintf("invalid params of %s: they cannot be read: %s", m[1], m[2])
	}
	if len(answer.Message) > longestError {
		answer.Message = strings.ToValidUTF8(answer.Message[:longestError], "") + "…"
	}
	return answer
}

// misread is how the SDK says that parameters are of the wrong type: the method,
// the field, if it is about one, and the type that was wanted.
var misread = pattern.New(`(?s)^handling '([^']*)': .*json: cannot unmarshal .* into Go (?:struct field \w+\.\w+\.(\S+) of type|value of type) (.*)$`)

// unread is how the SDK says that it could not read parameters at all: it repeats
// them, and ends with the reason.
var unread = pattern.New(`(?s)^handling '([^']*)': invalid params: unmarshaling ".*" into a \S+: (?:json: )?(.*)$`)

// fieldOrAll names the field, or the parameters as a whole.
func fieldOrAll(field string) string {
	if field == "" {
		return "they"
	}
	return field
}

// typeWord is a type in the words of JSON.
func typeWord(kind string) string {
	switch kind = strings.TrimLeft(kind, "*"); {
	case kind == "string":
		return "a string"
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), strings.HasPrefix(kind, "float"):
		return "a number"
	case strings.HasPrefix(kind, "[]"):
		return "a list"
	}
	return "an object"
}

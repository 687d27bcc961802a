package bridge

import (
	"encoding/base64"
	"strings"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// unfit is what of a message cannot be said in its headers, empty if all can. It never
// leaves: no header can be sent with it, and the remote would seem to be away.
func unfit(f frame.Frame) string {
	switch {
	case !answer.Modern(f):
		return ""
	case !fits(f.Method()):
		return "method"
	case !fits(answer.Revision(f)):
		return "protocol version"
	}
	return ""
}

// fits says that a header can hold the value as it is.
func fits(value string) bool {
	return !strings.ContainsFunc(value, func(c rune) bool { return c < 0x20 && c != '\t' || c == 0x7f })
}

// isHeader says that a header can have the name.
func isHeader(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return c <= 0x20 || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
}

// encode writes a value as a header can hold it.
func encode(value string) string {
	plain := !strings.HasPrefix(value, "=?base64?") && strings.TrimSpace(value) == value
	for _, c := range value {
		plain = plain && c >= 0x20 && c <= 0x7e
	}
	if plain {
		return value
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

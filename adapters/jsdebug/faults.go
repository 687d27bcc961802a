package jsdebug

import (
	"errors"

	"aidb-mcp/internal/fault"
)

// plain takes an error apart for those who show it themselves.
func plain(err error) (message, hint string) {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f.Message, f.Hint
	}
	return err.Error(), ""
}

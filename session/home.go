package session

import (
	"path/filepath"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// atHome is a language's dialect for a workspace that may lie where libraries are installed: what is
// below it is the user's own code, unless it is a library's there too.
type atHome struct {
	adapters.Dialect
	home string
}

// Internal is that of the dialect, for the path below the workspace.
func (d atHome) Internal(frame godap.StackFrame) bool {
	if !d.Dialect.Internal(frame) {
		return false
	}
	if frame.Source == nil || d.home == "" {
		return true
	}
	rest, below := strings.CutPrefix(frame.Source.Path, strings.TrimSuffix(d.home, string(filepath.Separator)))
	if !below || !strings.HasPrefix(rest, string(filepath.Separator)) {
		return true
	}
	source := *frame.Source
	source.Path, frame.Source = rest, &source
	return d.Dialect.Internal(frame)
}
